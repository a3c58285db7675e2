// Package cdp talks to Chromium-family browsers over the DevTools protocol.
//
// It owns four things: how bytes travel ([Transport]: a pipe to a browser that
// was launched here, a websocket to a configured endpoint, or a route that
// another package supplies), the connection that correlates calls and orders
// events ([Conn], [Session]), how a browser is found and started ([Discover],
// [Launch]), and how it is ended without leaving a process, a directory or a
// descriptor behind ([Process.Close], [SweepOrphans]). It knows nothing of
// agents, elements or grants.
//
//	Execute / Send ──> writer goroutine ──> Transport ──> browser
//	                                            │
//	            ┌── replies: by id ─────────────┤ reader goroutine
//	            ├── lane 1 lifecycle: ordered, never dropped ── OnLifecycle
//	            ├── lane 2 diagnostics: lossy with a mark ───── OnDiagnostics
//	            ├── lane 3 frames: the latest only ──────────── OnFrame
//	            └── taps: every lane in arrival order ───────── Tap
//
// # What a caller may rely on
//
//   - One ordered stream per session. Within a lane, events arrive in the order
//     in which the browser sent them. Event.Seq and Pending.Seq order anything on
//     a connection against anything else. There is no promise between lanes
//     other than Seq.
//   - Calls go out in the order in which Send was called by one goroutine, and are
//     written when Send returns.
//   - A call that failed says whether the browser can have got it
//     ([CallError.Sent]). It is never sent twice.
//   - Every call ends: with a reply, with its context, after [CallTimeout], when
//     its target crashes or detaches, or when the connection closes. A closed
//     connection, a crashed target and a detached session fail later calls at
//     once (R197, R198).
//   - Nothing is unbounded. When a bound is reached that may not lose anything the
//     connection closes and says why ([CloseError]); a lost event would let a
//     caller act on a document that is gone (R39, C22).
//
// Set the handlers of a session before the first call that enables a domain on
// it: an event for which no handler is set is discarded.
//
// A session satisfies the Session interface of cdproto, whose typed commands
// therefore run on it.
package cdp
