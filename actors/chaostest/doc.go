// Package chaostest drives real browsers through the runtime while a seeded killer
// takes its parts away, and holds every answer against what the pages themselves say
// happened to them. It holds tests only.
//
// The pages report each effect to the test's server by a synchronous request inside
// the handler, so that the record is complete at the moment at which the page is done
// with the effect: what is not on record did not happen. An answer is false when it
// says not_started of an effect on record, completed of one that is missing or there
// twice, or counts more or fewer operations of a batch than are there.
// It is false too when the effect is on record for another element, or for another
// document, than the caller had seen: no two pages have their elements in the same
// order. Now and then a caller uses an id of an older snapshot, or an operation id that
// was spent, which must be refused. A call that an actor has in hand when it dies must be
// answered by that death, and a hung page must not keep the browser from listing.
//
// Faults come from outside, through the same doors as in life: signals to processes
// of the browsers that the test started, a transport that is cut or stalled, scripts
// of the page, messages whose handling panics inside the actor that gets them, and
// commands that panic inside their runner.
//
// What a run with a seed does is repeatable; when its faults meet what is in flight
// depends on the machine.
package chaostest
