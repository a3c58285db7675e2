// Package machinetest holds what the tests of the machines share: calls and callers that
// are made up, a page link without a connection, the comparison of effects, and the flags
// of the simulations.
//
// Only tests import it. It knows the rooms below a page and no machine.
package machinetest
