// Suite runs the tests of the module for `make test`: `go test` with its output shortened to one line a package and to
// what failed, and at the end the slowest tests and how often the repeating ones repeated. Its exit status is that of
// `go test`.
//
// It decides two things. The race detector is where goroutines meet: packages that have none of ours run without it.
// And a run leaves nothing in the temporary directory: the tests get one of their own, and what is left in it fails the
// run.
package main
