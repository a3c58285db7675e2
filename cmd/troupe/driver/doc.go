// Package driver is the actor through which a program of this process drives the runtime: one for each caller, which
// carries calls to the gateway in messages and answers each exactly once. It knows nothing of the command line.
package driver
