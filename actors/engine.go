package actors

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// engine is a connected browser: what outlives the incarnations of its actor.
type engine struct {
	connection Connection
	conn       *cdp.Conn
	ownership  messages.Ownership
	// downloads is what becomes of downloaded files.
	downloads downloadPlan
}

// engineCell holds the engine of one browser across restarts of its actor. It is
// filled once by the runner that connects and sealed once by whoever ends the
// browser; after that nothing can fill it.
type engineCell struct {
	current    atomic.Pointer[engine]
	last       atomic.Pointer[engine]
	connecting atomic.Bool
	// end and failure are how far the browser's end is; see noteEnd.
	end     atomic.Uint32
	failure atomic.Pointer[endFailure]
}

// sealedEngine marks a cell that takes no engine any more.
var sealedEngine = &engine{}

// fill puts the engine in. False means that the browser was ended meanwhile and
// the engine must be closed by the caller.
func (c *engineCell) fill(e *engine) bool {
	c.last.Store(e)
	return c.current.CompareAndSwap(nil, e)
}

// load returns the engine, or nil.
func (c *engineCell) load() *engine {
	if e := c.current.Load(); e != sealedEngine {
		return e
	}
	return nil
}

// seal ends the browser without grace and lets none in any more. Called again it
// waits for the same end.
func (c *engineCell) seal(ctx context.Context) *messages.Error {
	c.shut()
	if e := c.last.Load(); e != nil {
		return e.close(ctx, false)
	}
	return nil
}

// shut lets no engine in any more.
func (c *engineCell) shut() { c.current.Store(sealedEngine) }

// left ends what a stopped actor has left, without grace, and notes it. A connect
// that is still under way notes its end by itself.
func (c *engineCell) left(env *environment) *messages.Error {
	failure := c.seal(context.Background())
	if c.last.Load() != nil || !c.connecting.Load() {
		c.noteEnd(env, failure)
	}
	return failure
}

// close ends the connection and, by ownership, the browser. It returns why that
// was not complete.
func (e *engine) close(ctx context.Context, graceful bool) *messages.Error {
	// A browser that is asked to end does it over its own pipe, so the connection
	// is closed after it; a dead one makes the calls that wait fail at once.
	err := e.connection.Close(ctx, graceful)
	closeErr := e.conn.Close()
	if err == nil {
		err = closeErr
	}
	// The browser is gone, so nothing writes there any more.
	if discardErr := e.downloads.end(); err == nil {
		err = discardErr
	}
	if err == nil {
		return nil
	}
	failure := startError(err)
	if failure.Code != messages.CodeShutdownFailed {
		failure = messages.NewError(messages.CodeShutdownFailed, "").WithOperator(err.Error())
	}
	return failure
}

// Messages of the connection to the browser's actor.
type (
	// targetAttached: a page target is driven by us now. page is the id that it gets
	// here, where it is not known already.
	targetAttached struct {
		page   messages.PageID
		target pageTarget
	}
	// linkAttached: the same for the browser's shell, which keeps the link.
	linkAttached struct {
		page messages.PageID
		link *pageLink
	}
	// targetDetached: the session of a page has ended, with its target or alone.
	targetDetached struct{ session cdp.SessionID }
	// targetChanged: address or title of a page target changed.
	targetChanged struct {
		target     cdp.TargetID
		url, title string
	}
	// targetSeen: a page target exists that is not attached by itself, on browsers
	// that are not ours.
	targetSeen struct{ info targetInfo }
	// targetDestroyed: a page target is gone.
	targetDestroyed struct{ target cdp.TargetID }
	// downloadSeen: a download of the browser began or went on.
	downloadSeen struct {
		frame     string
		guid      string
		suggested string
		state     string
		received  int64
		total     int64
		at        time.Time
	}
	// engineLost: the connection has closed.
	engineLost struct{ engine *engine }
)

func (*targetAttached) browserMessage()  {}
func (*targetDetached) browserMessage()  {}
func (*targetChanged) browserMessage()   {}
func (*targetSeen) browserMessage()      {}
func (*targetDestroyed) browserMessage() {}
func (*downloadSeen) browserMessage()    {}
func (*engineLost) browserMessage()      {}

// targetInfo is the part of the protocol's description of a target that is used.
type targetInfo struct {
	TargetID       cdp.TargetID `json:"targetId"`
	Type           string       `json:"type"`
	Title          string       `json:"title"`
	URL            string       `json:"url"`
	OpenerID       cdp.TargetID `json:"openerId"`
	BrowserContext string       `json:"browserContextId"`
}

// connectEngine starts the browser of a launch and prepares the connection. A
// failure leaves nothing behind (R196).
func connectEngine(ctx context.Context, env *environment, self *actor.PID, plan ConnectPlan, downloads downloadPlan) (*engine, *messages.Error) {
	connection, err := env.connector.Connect(ctx, plan)
	if err != nil {
		return nil, startError(err)
	}
	e := &engine{connection: connection, conn: cdp.NewConn(connection.Transport(), cdp.Options{}), ownership: connection.Ownership(), downloads: downloads}
	if product, ok := connection.(interface{ Product() string }); ok {
		name := product.Product()
		env.engineProduct.Store(&name)
	}
	if err := e.prepare(ctx, env, self); err != nil {
		// The launch's context may have ended; the clean-up has its own bounds.
		_ = e.close(context.WithoutCancel(ctx), false)
		return nil, connectionError(err)
	}
	return e, nil
}

// connectionError is the error of a launch whose browser answered at first.
func connectionError(err error) *messages.Error {
	refusal := callError(err)
	if refusal.Code == messages.CodeCDPReceiveTimeout || refusal.Code == messages.CodeCDPTimeout {
		return messages.NewError(messages.CodeLaunchTimeout, "")
	}
	return messages.NewError(messages.CodeLaunchFailed, "The browser was started and its connection failed.").WithOperator(err.Error())
}

// pageFilter limits attaching and discovery to page targets, so that service
// workers are never paused (R124).
var pageFilter = []map[string]any{{"type": "page"}}

// prepare turns on what the runtime must hear of from the browser. Page targets of
// an owned browser are attached before they run anything; those of somebody else's
// browser are only heard of, since attaching pauses them.
func (e *engine) prepare(ctx context.Context, env *environment, self *actor.PID) error {
	root := e.conn.Root()
	root.OnLifecycle(func(event cdp.Event) { e.onEvent(env, self, event) })
	env.runners.Go(func() {
		if done := e.connection.Done(); done != nil {
			select {
			case <-done:
				_ = e.conn.Close() // a half-open pipe must not keep callers waiting
			case <-e.conn.Done():
			}
		}
		<-e.conn.Done()
		env.send(self, &engineLost{engine: e})
	})
	// What somebody else's browser does with downloads is its user's choice.
	if e.ownership != messages.AttachedEndpoint {
		if err := setDownloads(ctx, root, "", e.downloads); err != nil {
			return err
		}
	}
	if err := root.Execute(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": pageFilter}, nil); err != nil {
		return err
	}
	if e.ownership == messages.AttachedEndpoint {
		return nil
	}
	return root.Execute(ctx, "Target.setAutoAttach", map[string]any{
		"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": pageFilter}, nil)
}

// onEvent turns an event of the browser-level session into a message. It runs in
// the connection's goroutine.
func (e *engine) onEvent(env *environment, self *actor.PID, event cdp.Event) {
	switch event.Method {
	case "Target.attachedToTarget":
		var p struct {
			SessionID cdp.SessionID `json:"sessionId"`
			Info      targetInfo    `json:"targetInfo"`
			Waiting   bool          `json:"waitingForDebugger"`
		}
		if event.Decode(&p) != nil || p.Info.Type != "page" {
			return
		}
		link := newPageLink(e, e.conn.Session(p.SessionID, p.Info.TargetID), p.Info, p.Waiting)
		env.send(self, &linkAttached{page: newPageID(), link: link})
	case "Target.detachedFromTarget":
		var p struct {
			SessionID cdp.SessionID `json:"sessionId"`
		}
		if event.Decode(&p) != nil {
			return
		}
		env.send(self, &targetDetached{session: p.SessionID})
	case "Target.targetCreated", "Target.targetInfoChanged":
		var p struct {
			Info targetInfo `json:"targetInfo"`
		}
		if event.Decode(&p) != nil || p.Info.Type != "page" {
			return
		}
		if event.Method == "Target.targetInfoChanged" {
			env.send(self, &targetChanged{target: p.Info.TargetID, url: p.Info.URL, title: p.Info.Title})
		} else if e.ownership == messages.AttachedEndpoint {
			env.send(self, &targetSeen{info: p.Info})
		}
	case "Target.targetDestroyed":
		var p struct {
			TargetID cdp.TargetID `json:"targetId"`
		}
		if event.Decode(&p) == nil {
			env.send(self, &targetDestroyed{target: p.TargetID})
		}
	case "Browser.downloadWillBegin", "Browser.downloadProgress":
		if seen := decodeDownload(event); seen != nil {
			env.send(self, seen)
		}
	}
}
