// Package soak is the one place that decides how often a test repeats what it repeats. A repetition that looks for a
// rare fault has a small number in `make test` and its full number in `make soak`.
package soak
