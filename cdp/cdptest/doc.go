// Package cdptest is an in-memory browser for tests of everything that speaks the
// DevTools protocol. It is the far side of a cdp.Transport: no process, no socket
// and no real time, so it works inside a testing/synctest bubble, when New is called
// in it.
//
// A Browser answers calls in two ways, which may be mixed. A script says what must
// happen in which order:
//
//	b := cdptest.New(t)
//	b.Script(`
//		# The page is attached, then navigated; the navigation is slow.
//		expect Target.attachToTarget {"targetId":"T"}
//		event Target.attachedToTarget {"sessionId":"S","targetInfo":{"targetId":"T"}}
//		reply {"sessionId":"S"}
//		expect Page.navigate session=S
//		hold slow
//		expect Page.stopLoading session=S
//		reply
//		release slow error -32000 Navigation was stopped
//	`)
//	conn := cdp.NewConn(b.Transport(), cdp.Options{})
//
// A handler answers every call of a method:
//
//	b.Handle("Runtime.evaluate", func(c *cdptest.Call) { c.Reply(map[string]any{"result": …}) })
//
// A call goes to the script if the script's next expectation is of its method,
// else to its handler, else to the handler of HandleRest. If nobody takes it, the
// test fails with the position of the script, and the call is refused, so that the
// code under test does not hang. A script that is not at its end when the test is
// over fails the test too.
//
// # Script language
//
// One step a line; # begins a comment line. JSON extends to the end of the line.
//
//	expect METHOD [session=ID] [JSON]     wait for this call; its parameters must
//	                                      contain the JSON (objects: these members)
//	reply [JSON]                          answer it; {} if nothing is given
//	error CODE MESSAGE                    refuse it
//	hold NAME                             keep it for a later release
//	release NAME [JSON]                   answer a held call
//	release NAME error CODE MESSAGE       refuse a held call
//	drop                                  never answer it
//	event METHOD [session=ID] [JSON]      send an event
//	delay DURATION                        wait, in the bubble's time if there is one
//	raw TEXT                              send these bytes as a message
//	close [TEXT]                          end the stream; with a text, by a read error
//
// Every expect must be followed, before the next one, by reply, error, hold or drop.
package cdptest
