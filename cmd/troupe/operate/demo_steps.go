package operate

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/troupe-browser/troupe/messages"
)

// errDemo ends a demo that cannot go on; what went wrong was printed with its call.
var errDemo = errors.New("the demo cannot go on without this call")

func (s *stage) open(ctx context.Context) error {
	s.observe(ctx, "What can this runtime do?", "targets")
	launched := s.act(ctx, "Start a throwaway browser.", "launch")
	s.completed(launched)
	if s.browser = string(launched.BrowserID); s.browser == "" {
		return errDemo
	}
	pages, ok := s.observe(ctx, "Which pages has it?", "pages").Reply.(*messages.PageList)
	if !ok || len(pages.Pages) == 0 {
		return errDemo
	}
	s.page = string(pages.Pages[0].PageID)
	opened := s.act(ctx, "Open the booking form.", "navigate", "url", s.site.URL("/demo"))
	s.completed(opened)
	s.must(len(s.site.Requests("/demo")) == 1, "the site was asked %d times", len(s.site.Requests("/demo")))
	return s.look(ctx, "What is on the page?")
}

// look takes a snapshot and remembers the refs by name.
func (s *stage) look(ctx context.Context, about string) error {
	snapshot, ok := s.observe(ctx, about, "snapshot", "mode", "interactive").Reply.(*messages.Snapshot)
	if !ok {
		return errDemo
	}
	s.refs = map[string]string{}
	for i := range snapshot.Nodes {
		if n := &snapshot.Nodes[i]; n.Ref != "" {
			s.refs[n.Name] = string(n.Ref)
		}
	}
	return nil
}

// ref returns the ref of a control by its name.
func (s *stage) ref(name string) string {
	ref, ok := s.refs[name]
	s.must(ok, "the snapshot lists no %q", name)
	return ref
}

func (s *stage) fill(ctx context.Context) error {
	matches := func(r *messages.Receipt, want string) {
		s.completed(r)
		o := r.Observed
		s.must(o != nil && o.Value != nil && *o.Value == want, "the observed value is not %q", want)
		s.must(o != nil && o.ValueMatches != nil && *o.ValueMatches, "value_matches is not true")
	}
	matches(s.act(ctx, "Write the name.", "set_value", "element_id", s.ref("Name"), "value", "Ada Lovelace"), "Ada Lovelace")
	batch := s.act(ctx, "Fill three more fields in one call.", "batch", "operations", []map[string]any{
		{"action": "set_value", "element_id": s.ref("Email"), "value": "ada@example.com"},
		{"action": "set_value", "element_id": s.ref("Guests"), "value": "4"},
		{"action": "set_value", "element_id": s.ref("Day"), "value": "2027-05-14"},
	})
	s.completed(batch)
	s.must(batch.Batch != nil && batch.Batch.CompletedCount == 3, "the batch did not complete 3 operations")
	matches(s.act(ctx, "Choose a seat.", "select_option", "element_id", s.ref("Seating"), "option", "In the garden"), "In the garden")

	voucher := s.act(ctx, "The voucher field writes capitals by itself; the receipt says so.", "input_text", "element_id", s.ref("Voucher"), "text", "abc-123")
	s.completed(voucher)
	s.must(voucher.Observed != nil && voucher.Observed.Value != nil && *voucher.Observed.Value == "ABC-123", "the observed value is not what the page made of it")
	s.must(voucher.Observed != nil && voucher.Observed.ValueMatches != nil && !*voucher.Observed.ValueMatches, "value_matches is not false")

	checked := s.act(ctx, "Tick a box.", "click", "element_id", s.ref("Vegetarian menu"))
	s.completed(checked)
	s.must(checked.Observed != nil && checked.Observed.Checked == messages.CheckedTrue, "checked is not true")
	return nil
}

func (s *stage) submit(ctx context.Context) error {
	asked := s.act(ctx, "Press the button. The page asks back, and the call does not hang.", "click", "element_id", s.ref("Book the table"))
	s.completed(asked)
	s.must(asked.Dialog != nil && asked.Dialog.Open && asked.Dialog.Kind == messages.DialogConfirm, "the receipt has no open confirm dialog")
	s.pageDoesNotSay("/demo", "accepted")
	refused := s.act(ctx, "With the dialog open nothing else may be done.", "click", "element_id", s.ref("Name"))
	s.must(refused.ExecutionState == messages.NotStarted && refused.Code == messages.CodeDialogOpen, "it is not refused with dialog_open")
	return nil
}

func (s *stage) confirm(ctx context.Context) error {
	answered := s.act(ctx, "Accept it.", "handle_dialog", "accept", true)
	s.completed(answered)
	s.pageSays(ctx, "/demo", "booked")
	met := s.observe(ctx, "Wait for the page to say so.", "wait", "text", "Booked for Ada Lovelace", "timeout_ms", 3000)
	s.must(!met.IsError, "the page never said it")
	return s.look(ctx, "Look again.")
}

func (s *stage) followPopup(ctx context.Context) error {
	followed := s.act(ctx, "Follow the link that opens a window.", "click", "element_id", s.ref("House rules"))
	s.completed(followed)
	s.must(len(followed.OpenedPages) == 1, "the receipt names %d opened pages", len(followed.OpenedPages))
	if len(followed.OpenedPages) != 1 {
		return nil
	}
	s.pageSays(ctx, "/demo-rules", "opened")
	form, popup := s.page, string(followed.OpenedPages[0].PageID)
	s.must(string(followed.OpenedPages[0].OpenerPageID) == form, "its opener is not the form")
	s.observe(ctx, "Both pages are there, and the form is still the one that its id means.", "pages", "page_id", nil)
	s.page = popup
	loaded := s.observe(ctx, "Wait until the popup has loaded.", "wait", "load_state", "complete", "timeout_ms", 5000)
	s.must(!loaded.IsError, "the popup never loaded")
	if err := s.look(ctx, "Look at it."); err != nil {
		return err
	}
	s.ref("Close this window")
	closed := s.act(ctx, "Close it.", "close_page")
	s.completed(closed)
	s.page = form
	return s.look(ctx, "Back on the form.")
}

// refusals shows what an agent gets for a call that must not be carried out.
func (s *stage) refusals(ctx context.Context) error {
	stale := s.ref("Book the table")
	if err := s.look(ctx, "A new snapshot ends the ids of the one before."); err != nil {
		return err
	}
	refused := s.act(ctx, "So the old ref is refused, and nothing is clicked.", "click", "element_id", stale)
	s.must(refused.ExecutionState == messages.NotStarted && refused.Code == messages.CodeSnapshotStale, "it is not refused with snapshot_stale")
	unknown := s.act(ctx, "An argument that does not exist is refused by name.", "click", "element_id", s.ref("Name"), "selector", "input")
	s.must(unknown.ExecutionState == messages.NotStarted && unknown.Code == messages.CodeUnknownArgument, "it is not refused with unknown_argument")
	return nil
}

func (s *stage) picture(ctx context.Context, path string) error {
	result := s.observe(ctx, "Take a picture.", "screenshot")
	shot, ok := result.Reply.(*messages.Screenshot)
	s.must(ok && len(result.Image) == shot.Bytes && shot.Bytes > 0, "there is no picture of the size that is told")
	if !ok || path == "" {
		return nil
	}
	if err := os.WriteFile(path, result.Image, 0o600); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	fmt.Fprintf(s.app.Out, "      written to %s\n", path)
	return nil
}

func (s *stage) leave(ctx context.Context) error {
	s.observe(ctx, "What did the page ask of the network?", "network")
	closed := s.act(ctx, "Close the browser.", "close_browser", "page_id", nil)
	s.completed(closed)
	browsers, ok := s.observe(ctx, "Nothing is left.", "browsers", "browser_id", nil, "page_id", nil).Reply.(*messages.BrowserList)
	s.must(ok && len(browsers.Browsers) == 0, "a browser is left")
	return nil
}
