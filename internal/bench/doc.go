// Command bench measures the runtime against a raw floor in the same run and
// prints ratios; absolute times depend on the machine and its load. The floor is
// the same browser driven by the shortest sequence of protocol calls that does the
// work without any promise: no fence, no guard, no read-back, no settling.
//
// Rounds of floor and runtime alternate, so that a busy machine disturbs both
// alike, and medians are compared.
package main
