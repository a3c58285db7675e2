// Package snapshot is the pure part of seeing a page: what a collector read
// becomes a [Tree], and from a tree follow admission, context, query, window,
// projection, element records and the frame fingerprint (R44-R68, R99-R107,
// R227, R228). It also holds the source of the page-side functions.
//
//	AX tree + DOM capture ──┐
//	                        ├─> Tree ─> Admit ─> Context ─> Select ─> Project
//	page-side walker ───────┘
//
// It makes no call, reads no clock and knows no connection: package collect
// feeds it bytes and registers in the page what it admitted. The two collectors
// differ only in how they fill a Tree; everything after it is one code path, so
// that they cannot disagree on what an element allows.
//
// Nothing of a password field's value is ever stored in a Tree (R57).
package snapshot
