package collect

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// ErrDocumentChanged says that the document was replaced, or its frames changed,
// while it was read. Nothing of it may be published; the page actor may run the
// observation again within its deadline (R38).
var ErrDocumentChanged = fmt.Errorf("the document changed while it was read: %w", target.ErrDocumentLeft)

// Bounds of one snapshot.
const (
	// busyAfter is how long the page's main thread may take to answer the first
	// call. After that the page counts as busy: a snapshot without nodes (C25).
	busyAfter = 2500 * time.Millisecond
	// replyMargin is the part of the deadline kept for the answer itself.
	replyMargin = 300 * time.Millisecond
)

// Request is one snapshot to be taken.
type Request struct {
	Command *messages.TakeSnapshot
	// Generation is the one that this snapshot makes (R31).
	Generation messages.Generation
	// Kept are the generations of other readers, whose elements stay registered (C40).
	Kept []messages.Generation
	// FirstRef is the number of the first ref that it may give out, from 1 (R33).
	FirstRef uint64
	// Prefix is what the element ids of this generation begin with.
	Prefix string
	// Token is the document token that the snapshot hands out (R40).
	Token messages.DocumentToken
	// Dialog is the dialog that is open on the page, or nil. While one is open no
	// call of the page is answered, so none is made.
	Dialog *messages.Dialog
}

// Result is a finished snapshot.
type Result struct {
	Snapshot *messages.Snapshot
	// Records are the elements that got an id, in the order of the ids.
	Records []snapshot.Record
	// NextRef is the first number that is still free.
	NextRef uint64
	// Framed says that elements of inner frames may have got ids (R107).
	Framed bool
}

// Snapshot reads a page (R44-R68, R99-R109, R227, R228). It ends by the deadline
// of an observation at the latest.
//
// A page whose main thread does not answer, and one with an open dialog, give a
// snapshot without nodes that says so. The error is ErrDocumentChanged, a
// *messages.Error, or the *cdp.CallError of a connection that failed.
func Snapshot(caller context.Context, page target.Page, request Request) (Result, error) {
	out := Result{NextRef: max(request.FirstRef, 1), Snapshot: blank(&page, &request)}
	if request.Dialog != nil {
		out.Snapshot.Dialog = request.Dialog
		return out, nil
	}
	ctx, cancel := context.WithDeadline(caller, replyBy(caller))
	defer cancel()
	c := &collection{page: &page, request: &request}
	err := c.collect(ctx, &out)
	if err == nil {
		return out, nil
	}
	if caller.Err() == nil && (errors.Is(err, errBusy) || late(ctx, err)) {
		out.Snapshot = blank(&page, &request)
		out.Records, out.NextRef = nil, max(request.FirstRef, 1)
		out.Snapshot.Busy = true
		return out, nil
	}
	return Result{}, documentLost(err)
}

// replyBy is when the answer has to be on its way: a page that is read again after
// its document changed has only what the first reading left of the time (R38).
func replyBy(caller context.Context) time.Time {
	end := time.Now().Add(messages.ObserveTimeout)
	if own, ok := caller.Deadline(); ok && own.Before(end) {
		end = own
	}
	return end.Add(-replyMargin)
}

// blank is a snapshot without nodes.
func blank(page *target.Page, request *Request) *messages.Snapshot {
	mode := request.Command.Mode
	if mode == "" {
		mode = messages.ModeAuto
	}
	projection := request.Command.Projection
	if projection == "" {
		projection = messages.ProjectionSemantic
	}
	return &messages.Snapshot{
		BrowserID: page.BrowserID, PageID: page.PageID, Generation: request.Generation, DocumentToken: request.Token,
		URL: page.URL, Mode: mode, Projection: projection, Unseen: []messages.Unseen{},
	}
}

// documentLost turns the ways in which a document can go into one error.
func documentLost(err error) error {
	if target.DocumentLost(err) {
		return ErrDocumentChanged
	}
	return err
}

// errBusy says that the main thread of the page did not answer in time.
var errBusy = errors.New("the page does not answer")

// collection is the state of one snapshot in progress.
type collection struct {
	page    *target.Page
	request *Request
	title   string
	url     string
	// watch is the handle of the page-side watch over changes.
	watch string
	// scope is the backend id of the subtree that the operator asked for, or 0.
	scope int64
	// proof are handles of the elements that are cards, nil until the walker asked.
	proof []callArgument
}

// late reports whether the collection ended because the page did not answer in
// time although the caller still waits.
func late(ctx context.Context, err error) bool {
	var call *cdp.CallError
	return errors.As(err, &call) && (call.Kind == cdp.KindTimeout || errors.Is(err, context.DeadlineExceeded)) && ctx.Err() != nil
}

// collect takes the snapshot by the walker where that can answer, else by the
// accessibility tree.
func (c *collection) collect(ctx context.Context, out *Result) error {
	if c.page.Main.Context == "" {
		return messages.NewError(messages.CodePageUnresponsive, "The page has no document yet. Wait for its load state, or reload it.")
	}
	if c.walks() {
		if err := c.walk(ctx, out); !errors.Is(err, errCold) {
			return err
		}
	}
	return c.run(ctx, out)
}

// begun is what the page says when a snapshot begins.
type begun struct {
	OK bool `json:"ok"`
}

// begin starts the generation in the page, which drops what its reader was given
// before, and finds out whether the page answers at all.
func (c *collection) begin(ctx context.Context) error {
	short, cancel := context.WithTimeout(ctx, busyAfter)
	defer cancel()
	kept := make([]string, len(c.request.Kept))
	for i, g := range c.request.Kept {
		kept[i] = strconv.FormatUint(uint64(g), 10)
	}
	first := evaluate(short, c.page.Session, c.page.Main, fmt.Sprintf("troupe.begin(%d,[%s])", c.request.Generation, strings.Join(kept, ",")))
	facts := evaluate(short, c.page.Session, c.page.Main, pageFacts)
	watch := c.page.Session.Send(short, "Runtime.evaluate", handleParams{watchExpression, string(c.page.Main.Context), objectGroup})
	var answer begun
	err := target.Finish(first, "begin", &answer)
	var call *cdp.CallError
	if errors.As(err, &call) && call.Kind == cdp.KindTimeout && ctx.Err() == nil {
		return errBusy
	}
	if err != nil {
		return err
	}
	var now struct {
		Title string `json:"title"`
		URL   string `json:"url"`
	}
	if err := target.Finish(facts, "facts", &now); err != nil {
		return err
	}
	c.title, c.url = snapshot.Squeeze(now.Title), snapshot.CutBytes(now.URL, messages.URLBytesMax)
	var handle handleReply
	if err := watch.Wait(&handle); err != nil {
		return lostFrame(err)
	}
	c.watch = handle.Result.ID
	return nil
}

// handleParams evaluates an expression whose result is kept behind a handle.
type handleParams struct {
	Expression string `json:"expression"`
	Context    string `json:"uniqueContextId"`
	Group      string `json:"objectGroup"`
}

type handleReply struct {
	Result struct {
		ID string `json:"objectId"`
	} `json:"result"`
}

// pageFacts reads the two things that a snapshot says about the document. The
// getter is taken from the prototype, because a form named title would shadow it.
const pageFacts = `JSON.stringify({url:String(location.href),` +
	`title:Object.getOwnPropertyDescriptor(Document.prototype,"title").get.call(document)})`

// evaluate runs an expression of ours that returns JSON text in one document.
func evaluate(ctx context.Context, s *cdp.Session, w target.World, expression string) *cdp.Pending {
	return s.Send(ctx, "Runtime.evaluate", target.Evaluation{
		Expression: expression, UniqueContextID: string(w.Context), ReturnByValue: true,
	})
}

// collections is how often a page is read when much of it changed meanwhile; the
// last reading is published without ids for what changed.
const collections = 2

// run collects, decides, registers and projects.
func (c *collection) run(ctx context.Context, out *Result) error {
	defer c.release(ctx)
	for round := 1; ; round++ {
		if err := c.begin(ctx); err != nil {
			return err
		}
		if err := c.findScope(ctx); err != nil {
			return err
		}
		tree, err := c.collectAX(ctx, out)
		if err != nil {
			return err
		}
		policy := snapshot.Policy{Broad: c.page.Policy.Clickables == target.ClickablesBroad}
		snapshot.Admit(tree, policy)
		snapshot.Context(tree)
		selection := snapshot.Select(tree, c.view(policy))
		lost, err := c.register(ctx, tree, selection)
		if err != nil {
			return err
		}
		if round < collections && lost*lostShare > len(selection.Nodes) {
			continue
		}
		if selection.DeepCut > 0 {
			tree.AddUnseen("nodes", "depth", selection.DeepCut)
		}
		c.publish(tree, selection, out)
		return nil
	}
}

// lostShare is the part of a window, one in so many, that may lose its ids
// before the page is read again.
const lostShare = 8

func (c *collection) view(policy snapshot.Policy) snapshot.View {
	command := c.request.Command
	return snapshot.View{
		Mode: command.Mode, Projection: command.Projection, Query: command.Query,
		Offset: command.NodeOffset, Max: command.MaxNodes, Depth: command.MaxDepth, Broad: policy.Broad,
	}
}

// publish fills the answer.
func (c *collection) publish(tree *snapshot.Tree, selection *snapshot.Selection, out *Result) {
	projected := snapshot.Project(tree, selection, snapshot.Issue{
		Generation: c.request.Generation, Prefix: c.request.Prefix, FirstRef: c.request.FirstRef,
	})
	s := out.Snapshot
	s.URL, s.Title = c.url, c.title
	s.AutoCompacted, s.Truncated, s.NextNodeOffset = selection.AutoCompacted, selection.Truncated, selection.Next
	if s.AutoCompacted {
		s.Mode = messages.ModeInteractive
	}
	s.Nodes, s.Text = projected.Nodes, projected.Text
	if len(tree.Unseen) > 0 {
		s.Unseen = tree.Unseen
	}
	out.Records, out.NextRef = projected.Records, projected.NextRef
}
