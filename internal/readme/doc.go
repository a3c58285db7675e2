// Package readme tests that what README.md and ARCHITECTURE.md say is so: the
// embedding example compiles, links lead to files, and every make target and
// verb that they name exists.
package readme
