package engine

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// engine is a connected browser: what outlives the incarnations of its actor.
type engine struct {
	connection kernel.Connection
	Conn       *cdp.Conn
	Ownership  messages.Ownership
	// downloads is what becomes of downloaded files.
	downloads DownloadPlan
}

// Cell holds the engine of one browser across restarts of its actor. It is
// filled once by the runner that connects and sealed once by whoever ends the
// browser; after that nothing can fill it.
type Cell struct {
	current    atomic.Pointer[engine]
	last       atomic.Pointer[engine]
	Connecting atomic.Bool
	// end and failure are how far the browser's end is; see noteEnd.
	end     atomic.Uint32
	failure atomic.Pointer[endFailure]
}

// sealedEngine marks a cell that takes no engine any more.
var sealedEngine = &engine{}

// Fill puts the engine in. False means that the browser was ended meanwhile and
// the engine must be closed by the caller.
func (c *Cell) Fill(e *engine) bool {
	c.last.Store(e)
	return c.current.CompareAndSwap(nil, e)
}

// Load returns the engine, or nil.
func (c *Cell) Load() *engine {
	if e := c.current.Load(); e != sealedEngine {
		return e
	}
	return nil
}

// seal ends the browser without grace and lets none in any more. Called again it
// waits for the same end.
func (c *Cell) seal(ctx context.Context) *messages.Error {
	c.Shut()
	if e := c.last.Load(); e != nil {
		return e.Close(ctx, false)
	}
	return nil
}

// Shut lets no engine in any more.
func (c *Cell) Shut() { c.current.Store(sealedEngine) }

// Left ends what a stopped actor has left, without grace, and notes it. A connect
// that is still under way notes its end by itself.
func (c *Cell) Left(env *kernel.Environment) *messages.Error {
	failure := c.seal(context.Background())
	if c.last.Load() != nil || !c.Connecting.Load() {
		c.NoteEnd(env, failure)
	}
	return failure
}

// Close ends the connection and, by ownership, the browser. It returns why that
// was not complete.
func (e *engine) Close(ctx context.Context, graceful bool) *messages.Error {
	// A browser that is asked to end does it over its own pipe, so the connection
	// is closed after it; a dead one makes the calls that wait fail at once.
	err := e.connection.Close(ctx, graceful)
	closeErr := e.Conn.Close()
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
	// TargetAttached: a page target is driven by us now. page is the id that it gets
	// here, where it is not known already.
	TargetAttached struct {
		Page   messages.PageID
		Target PageTarget
	}
	// LinkAttached: the same for the browser's shell, which keeps the link.
	LinkAttached struct {
		Page messages.PageID
		Link *Link
	}
	// TargetDetached: the session of a page has ended, with its target or alone.
	TargetDetached struct{ Session cdp.SessionID }
	// TargetChanged: address or title of a page target changed.
	TargetChanged struct {
		Target     cdp.TargetID
		URL, Title string
	}
	// TargetSeen: a page target exists that is not attached by itself, on browsers
	// that are not ours.
	TargetSeen struct{ Info TargetInfo }
	// TargetDestroyed: a page target is gone.
	TargetDestroyed struct{ Target cdp.TargetID }
	// DownloadSeen: a download of the browser began or went on.
	DownloadSeen struct {
		Frame     string
		GUID      string
		Suggested string
		State     string
		Received  int64
		Total     int64
		At        time.Time
	}
	// Lost: the connection has closed.
	Lost struct{}
)

func (*TargetAttached) ToBrowser()  {}
func (*TargetDetached) ToBrowser()  {}
func (*TargetChanged) ToBrowser()   {}
func (*TargetSeen) ToBrowser()      {}
func (*TargetDestroyed) ToBrowser() {}
func (*DownloadSeen) ToBrowser()    {}
func (*Lost) ToBrowser()            {}

// TargetInfo is the part of the protocol's description of a target that is used.
type TargetInfo struct {
	TargetID       cdp.TargetID `json:"targetId"`
	Type           string       `json:"type"`
	Title          string       `json:"title"`
	URL            string       `json:"url"`
	OpenerID       cdp.TargetID `json:"openerId"`
	BrowserContext string       `json:"browserContextId"`
}

// Connect starts the browser of a launch and prepares the connection. A
// failure leaves nothing behind (R196).
func Connect(ctx context.Context, env *kernel.Environment, self *actor.PID, plan kernel.ConnectPlan, downloads DownloadPlan) (*engine, *messages.Error) {
	connection, err := env.Connector.Connect(ctx, plan)
	if err != nil {
		return nil, startError(err)
	}
	e := &engine{connection: connection, Conn: cdp.NewConn(connection.Transport(), cdp.Options{}), Ownership: connection.Ownership(), downloads: downloads}
	if product, ok := connection.(interface{ Product() string }); ok {
		name := product.Product()
		env.EngineProduct.Store(&name)
	}
	if err := e.prepare(ctx, env, self); err != nil {
		// The launch's context may have ended; the clean-up has its own bounds.
		_ = e.Close(context.WithoutCancel(ctx), false)
		return nil, connectionError(err)
	}
	return e, nil
}

// connectionError is the error of a launch whose browser answered at first.
func connectionError(err error) *messages.Error {
	switch call.Failure(err, call.Before).Code {
	case messages.CodeCDPTimeout, messages.CodeDeadlineExceeded:
		return messages.NewError(messages.CodeLaunchTimeout, "")
	}
	return messages.NewError(messages.CodeLaunchFailed, "The browser was started and its connection failed.").WithOperator(err.Error())
}

// PageFilter limits attaching and discovery to page targets, so that service
// workers are never paused (R124).
var PageFilter = []map[string]any{{"type": "page"}}

// prepare turns on what the runtime must hear of from the browser. Page targets of
// an owned browser are attached before they run anything; those of somebody else's
// browser are only heard of, since attaching pauses them.
func (e *engine) prepare(ctx context.Context, env *kernel.Environment, self *actor.PID) error {
	root := e.Conn.Root()
	root.OnLifecycle(func(event cdp.Event) { e.onEvent(env, self, event) })
	env.Runners.Go(func() {
		if done := e.connection.Done(); done != nil {
			select {
			case <-done:
				_ = e.Conn.Close() // a half-open pipe must not keep callers waiting
			case <-e.Conn.Done():
			}
		}
		<-e.Conn.Done()
		env.Send(self, &Lost{})
	})
	// What somebody else's browser does with downloads is its user's choice.
	if e.Ownership != messages.AttachedEndpoint {
		if err := SetDownloads(ctx, root, "", e.downloads); err != nil {
			return err
		}
	}
	if err := root.Execute(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": PageFilter}, nil); err != nil {
		return err
	}
	if e.Ownership == messages.AttachedEndpoint {
		return nil
	}
	return root.Execute(ctx, "Target.setAutoAttach", map[string]any{
		"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": PageFilter}, nil)
}

// onEvent turns an event of the browser-level session into a message. It runs in
// the connection's goroutine.
func (e *engine) onEvent(env *kernel.Environment, self *actor.PID, event cdp.Event) {
	switch event.Method {
	case "Target.attachedToTarget":
		var p struct {
			SessionID cdp.SessionID `json:"sessionId"`
			Info      TargetInfo    `json:"targetInfo"`
			Waiting   bool          `json:"waitingForDebugger"`
		}
		if event.Decode(&p) != nil || p.Info.Type != "page" {
			return
		}
		link := newLink(e, e.Conn.Session(p.SessionID, p.Info.TargetID), p.Info, p.Waiting)
		env.Send(self, &LinkAttached{Page: kernel.NewPageID(), Link: link})
	case "Target.detachedFromTarget":
		var p struct {
			SessionID cdp.SessionID `json:"sessionId"`
		}
		if event.Decode(&p) != nil {
			return
		}
		env.Send(self, &TargetDetached{Session: p.SessionID})
	case "Target.targetCreated", "Target.targetInfoChanged":
		var p struct {
			Info TargetInfo `json:"targetInfo"`
		}
		if event.Decode(&p) != nil || p.Info.Type != "page" {
			return
		}
		if event.Method == "Target.targetInfoChanged" {
			env.Send(self, &TargetChanged{Target: p.Info.TargetID, URL: p.Info.URL, Title: p.Info.Title})
		} else if e.Ownership == messages.AttachedEndpoint {
			env.Send(self, &TargetSeen{Info: p.Info})
		}
	case "Target.targetDestroyed":
		var p struct {
			TargetID cdp.TargetID `json:"targetId"`
		}
		if event.Decode(&p) == nil {
			env.Send(self, &TargetDestroyed{Target: p.TargetID})
		}
	case "Browser.downloadWillBegin", "Browser.downloadProgress":
		if seen := decodeDownload(event); seen != nil {
			env.Send(self, seen)
		}
	}
}
