// Package machinetest holds what the tests of the machines share: calls and callers that
// are made up, a page link without a connection, the comparison of effects, and the flags
// and the traces of the simulations.
//
// What machines ask for is compared whole: kind, order and every field. What a test does
// not write out itself is recorded beside it, in testdata/effects, one file a test. After
// a change look at what differs, and record it by
//
//	go test ./the/package -run TheTest -effects.record
//
// A recorded value shows every field that is not zero. A call is shown by its action and
// caller, since its operation id is another one in each run.
//
// Only tests import it. It knows the rooms below a page and no machine.
package machinetest
