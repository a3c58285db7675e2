// Package invariant holds the assertions that the runtime makes about itself.
//
// They are compiled in under the race detector and under the build tag "invariants", which is how every test and every
// simulation runs; in an ordinary build Enabled is a false constant and the compiler removes what stands behind it. A
// broken invariant is always a bug of ours, never a misbehaviour of a page or of the browser, so it panics with a
// *Violation and the supervisor of the actor takes it from there.
//
// A check whose operands cost something is written behind the constant:
//
//	if invariant.Enabled {
//		invariant.Check(len(m.running) <= 1, "page: %d operations in flight", len(m.running))
//	}
package invariant
