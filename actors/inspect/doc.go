// Package inspect carries out what looks beside the element model of a page: waits,
// single fields, response bodies, cookies, web storage, and the operator's script.
//
// Its functions are runners. Each gets the runner's copy of one page, makes the
// protocol calls, and returns a reply, an error or a receipt; none keeps anything,
// and none knows of actors, queues or grants, which are judged before. What runs in
// the page are private functions in the isolated world, except for the operator's
// own script (C1).
package inspect
