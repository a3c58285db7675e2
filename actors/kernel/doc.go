// Package kernel is what every actor of a runtime stands on: the guard around
// Receive, the watch for a death, the budgets of supervision, the environment that all
// actors share, identities, the configuration and the limits.
//
// It knows the actor system and the vocabulary of package messages. It knows no call,
// no browser and no page: everything else in actors is above it.
package kernel
