// Package lint holds the house rules as tests: which package may import which, what a pure machine may use, how long a
// file and a function may be, which calls are banned, and what must be documented. There is no code to import here.
//
// Every rule is a function from parsed source to findings. It runs over the whole tree, and over a few lines that break
// it, so that a rule which stopped finding anything fails as well. A finding tells the author what to do. Where a rule
// has to give way, its table of exceptions, next to the rule, takes a path and the reason.
package lint
