// Package daemon is the shared runtime behind a private socket: the process that serves, the lines on the wire, and the
// client side of them. `troupe serve` stands here. HTTP is served beside the socket when it is asked for.
package daemon
