// Package verbs is what people use: one command for each action, carried out by the daemon over package daemon's client
// and shown as text or, with --json, as one envelope.
package verbs
