// Package journal keeps the events of a runtime: a bounded ring with gap marks, its
// subscribers, the audit file and the counts for a reader of metrics.
//
// It knows the kernel and messages.Event. It asks nobody: whoever makes an event sends it
// here.
package journal
