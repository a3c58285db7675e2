// Package call judges how a call to the browser ended, in one table for effects
// and observations (R71-R75, R209), and carries out the effects that are
// a single protocol call.
package call
