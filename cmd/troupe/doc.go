// Command troupe is the command line of Troupe: it starts the runtime and offers it to agents over MCP, to programs as
// lines of JSON, and to people as verbs.
//
// This package only puts the commands together; each room below it has one purpose. Package program starts the runtime
// from the configuration and hands out a messages.Gateway; the others hold that port, as any other surface does.
//
// Configuration has three layers. A flag beats the environment (TROUPE_*), which beats the file; `troupe config` prints
// what holds and which layer said it. Package settings describes each of them once. State lives in one private directory,
// 0700, below the XDG state directory.
//
// Every command ends the same way, whether by its own end, by the end of its input, or by SIGINT, SIGTERM or SIGHUP: the
// runtime is shut down within its deadline and nothing is left behind. A second signal ends the process at once; the
// browser, which is driven over pipes, then ends by itself, and the next start removes what is left.
package main
