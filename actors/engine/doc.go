// Package engine is a connected browser: how it is started or dialled, the lock of its
// profile, its connection and the events of its targets, the links to its pages, the tabs
// that were made for us, and how all of it is ended by ownership.
//
// It outlives the incarnations of the browser's actor and knows no page's queue, no owner's
// rights and no registry. What it hears it sends to the actor that it was given, as the
// messages of this package.
package engine
