package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/daemon"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// schemaName names the form of what --json prints. A change of the form that a program could trip over gets a new one.
const schemaName = "troupe/1"

// envelope is what --json prints of every verb: one object on the standard output, also when the verb failed.
type envelope struct {
	Schema string `json:"schema"`
	Verb   string `json:"verb"`
	OK     bool   `json:"ok"`
	// Result is the reply or receipt in the form of the tools.
	Result any            `json:"result,omitempty"`
	Error  *envelopeError `json:"error,omitempty"`
	// Snapshot is there with --snapshot-after. It is best effort: a snapshot that fails leaves the effect as it is (R81).
	Snapshot *messages.Snapshot `json:"snapshot,omitempty"`
}

type envelopeError struct {
	Code     messages.Code           `json:"code"`
	Class    messages.Class          `json:"class"`
	State    messages.ExecutionState `json:"execution_state"`
	Message  string                  `json:"message"`
	Recovery *messages.Recovery      `json:"recovery,omitempty"`
}

// session is one run of a verb: its connection and how it prints.
type session struct {
	app           *program.App
	client        *daemon.Client
	verb          string
	json          bool
	page          string
	snapshotAfter bool
	// short is the short reference of the browser that was named last.
	short string
	// opened are the pages of the browser, once an effect has opened one.
	opened []messages.PageSummary
}

func (s *session) wording() wording { return wording{browser: s.short, page: s.page} }

// verb describes one verb.
type verb struct {
	use, short, long, example string
	// least and most bound the arguments; most below 0 leaves them open.
	least, most int
	// onPage adds --page, acts adds --snapshot-after.
	onPage, acts bool
	flags        func(*cobra.Command)
	run          func(context.Context, *session, []string) error
}

// command makes the cobra command of a verb.
func command(a *program.App, v verb) *cobra.Command {
	s := &session{app: a}
	cmd := &cobra.Command{
		Use: v.use, Short: v.short, Long: v.long, Example: v.example,
		Args: v.arguments,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return completeTarget(a, cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s.verb = strings.TrimPrefix(cmd.CommandPath(), "troupe ")
			return s.around(cmd.Context(), func(ctx context.Context) error { return v.run(ctx, s, args) })
		},
	}
	cmd.Flags().BoolVar(&s.json, "json", false, "print one JSON object")
	if v.onPage {
		cmd.Flags().StringVar(&s.page, "page", "", "page by id, prefix or place in the list; the one that is presented by default")
	}
	if v.acts {
		cmd.Flags().BoolVar(&s.snapshotAfter, "snapshot-after", false, "take a snapshot of the page afterwards")
	}
	if v.flags != nil {
		v.flags(cmd)
	}
	return cmd
}

// arguments refuses a wrong number of them with an example (R214).
func (v verb) arguments(cmd *cobra.Command, args []string) error {
	if len(args) >= v.least && (v.most < 0 || len(args) <= v.most) {
		return nil
	}
	example, what := v.example, "something is missing"
	if len(args) > v.least {
		what = "there is too much"
	}
	// A verb that stands behind its browser is told where it belongs.
	for _, arg := range args {
		if i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == arg }); i >= 0 {
			cmd, example, what = cmd.Commands()[i], cmd.Commands()[i].Example, "it comes before the browser"
		}
	}
	return program.Misused(cmd, what, example)
}

// around connects, runs the verb, and prints a failure in the form that was asked for.
func (s *session) around(ctx context.Context, run func(context.Context) error) error {
	err := func() error {
		c, err := daemon.Connect(ctx, s.app)
		if err != nil {
			return err
		}
		defer c.Close()
		s.client = c
		return run(ctx)
	}()
	var known *messages.Error
	var silent program.SilentError
	switch {
	case err == nil || errors.As(err, &silent):
		return err
	case !s.json:
		if errors.As(err, &known) && (known.Code == messages.CodeDialogOpen || known.Code == messages.CodeWaitTimeout) {
			said := *known
			said.Detail = s.wording().dialogFirst(said.Detail)
			return &said
		}
		if known != nil && s.verb != "batch" { // the file of a batch is in words of the tools
			said := *known
			said.Detail = inVerbs(said.Detail)
			return &said
		}
		return err
	case !errors.As(err, &known):
		known = messages.NewError(messages.CodeIOError, "%s", err.Error())
	}
	if failed := s.print(envelope{Error: toEnvelope(known)}); failed != nil {
		return failed
	}
	return program.SilentError{Status: program.ExitStatus(err)}
}

func toEnvelope(err *messages.Error) *envelopeError {
	return &envelopeError{err.Code, err.Code.Info().Class, err.State, err.Detail, err.Recovery}
}

func (s *session) print(e envelope) error {
	e.Schema, e.Verb, e.OK = schemaName, s.verb, e.Error == nil
	encoder := json.NewEncoder(s.app.Out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(e)
}

// progressAfter is how long a verb is silent before it says on a terminal that it still waits.
const progressAfter = 2 * time.Second

// do sends a command. On a terminal a long wait is shown.
func (s *session) do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	if err := messages.Validate(command); err != nil {
		return nil, err
	}
	if program.IsTerminal(s.app.Err) {
		done := make(chan struct{})
		shown := make(chan struct{})
		go func() { defer close(shown); showProgress(s.app.Err, done) }()
		defer func() { close(done); <-shown }()
	}
	return s.client.Do(ctx, command)
}

func showProgress(w io.Writer, done <-chan struct{}) {
	started := time.Now()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			if time.Since(started) > progressAfter {
				fmt.Fprint(w, "\r\x1b[K")
			}
			return
		case <-ticker.C:
			if waited := time.Since(started); waited > progressAfter {
				fmt.Fprintf(w, "\r... %d s", int(waited.Seconds()))
			}
		}
	}
}

// observe sends an observation and prints its reply: with --json in the envelope, else with the verb's own form for
// people, or as lines.
func (s *session) observe(ctx context.Context, command messages.Observation, people func(messages.Reply) error) error {
	reply, err := s.do(ctx, command)
	if err != nil {
		return err
	}
	switch {
	case s.json:
		return s.print(envelope{Result: reply})
	case people != nil:
		return people(reply)
	}
	_, err = fmt.Fprintln(s.app.Out, s.wording().describe(nil, reply))
	return err
}

// act sends an effect and prints its receipt. A receipt that says not_started or outcome_unknown, or that a batch stopped,
// is printed as well, and the status follows its code.
func (s *session) act(ctx context.Context, command messages.Effect) error {
	reply, err := s.do(ctx, command)
	receipt, ok := reply.(*messages.Receipt)
	if !ok {
		return errors.Join(err, missing(err))
	}
	var after *messages.Snapshot
	if page, onPage := command.(messages.PageCommand); onPage && s.snapshotAfter && receipt.ExecutionState == messages.Completed {
		after = s.lookAgain(ctx, page.Page())
	}
	if page, onPage := command.(messages.PageCommand); onPage && len(receipt.OpenedPages) > 0 && !s.json {
		s.opened = s.pagesWith(ctx, page.Page().BrowserID, receipt.OpenedPages[0].PageID)
	}
	stopped := messages.AsError(err)
	if stopped == nil {
		stopped = shortfall(receipt)
	}
	if err := s.printReceipt(command, receipt, stopped, after); err != nil {
		return err
	}
	if stopped != nil {
		return program.SilentError{Status: program.ExitStatus(stopped)}
	}
	return nil
}

// openedWait is how long a page that an effect opened may load until it is told without its title.
const openedWait = 2 * time.Second

// pagesWith lists the pages of a browser once one of them, which has just been opened, has loaded and so has its title.
// Without an answer the opened page is told by its id.
func (s *session) pagesWith(ctx context.Context, browser messages.BrowserID, opened messages.PageID) []messages.PageSummary {
	at := messages.PageAddress{BrowserID: browser, PageID: opened}
	_, _ = s.do(ctx, &messages.WaitFor{PageAddress: at, LoadState: messages.LoadComplete, Timeout: openedWait}) // a page that loads on is listed as it is
	reply, _ := s.do(ctx, &messages.ListPages{BrowserID: browser})
	if list, ok := reply.(*messages.PageList); ok {
		return list.Pages
	}
	return nil
}

// shortfall returns what a completed effect did not reach: the operation that stopped a batch, or a document that could
// not be loaded or has not come in time. It is nil for everything else.
func shortfall(r *messages.Receipt) *messages.Error {
	stopped := &messages.Error{Code: r.Code, State: messages.Completed, Detail: r.Message, Recovery: r.Recovery}
	switch {
	case r.Batch != nil && r.Batch.StoppedAtIndex != nil:
		stopped.State = r.Batch.StoppedExecutionState
	case r.Code == "":
		return nil
	}
	return stopped
}

func missing(err error) error {
	if err != nil {
		return nil
	}
	return errors.New("the daemon answered an effect without a receipt")
}

// lookAgain takes the snapshot of --snapshot-after; nil when there is none to be had.
func (s *session) lookAgain(ctx context.Context, page messages.PageAddress) *messages.Snapshot {
	reply, err := s.do(ctx, &messages.TakeSnapshot{PageAddress: page, Mode: messages.ModeInteractive})
	snapshot, ok := reply.(*messages.Snapshot)
	if err != nil || !ok {
		return nil
	}
	return snapshot
}

func (s *session) printReceipt(command messages.Command, receipt *messages.Receipt, stopped *messages.Error, after *messages.Snapshot) error {
	if s.json {
		e := envelope{Result: receipt, Snapshot: after}
		if stopped != nil {
			e.Error = toEnvelope(stopped)
		}
		return s.print(e)
	}
	said := *receipt
	if after != nil {
		said.NeedsSnapshot = false // it follows
	}
	w := s.wording()
	w.opened = s.opened
	text := w.describe(command, &said)
	if hint := program.GrantHint(receipt.Code, receipt.Message); hint != "" {
		text += "\n" + hint
	}
	if receipt.Operator != "" {
		text += "\n" + receipt.Operator
	}
	fmt.Fprintln(s.app.Out, program.Paint(s.app.Out, receipt.ExecutionState, text))
	if after != nil {
		fmt.Fprintf(s.app.Out, "\n%s\n", s.wording().describe(nil, after))
		if len(after.Nodes) == 0 {
			fmt.Fprintf(s.app.Out, "Nothing here can be acted on. The text: troupe snapshot %s\n", s.wording().target())
		}
	}
	return nil
}

// browser resolves the address of a browser.
func (s *session) browser(ctx context.Context, address string) (messages.BrowserSummary, error) {
	reply, err := s.do(ctx, &messages.ListBrowsers{})
	list, ok := reply.(*messages.BrowserList)
	if err != nil || !ok {
		return messages.BrowserSummary{}, errors.Join(err, wrongReply(ok, err))
	}
	found, refused := findBrowser(list.Browsers, address)
	if refused != nil {
		return found, refused
	}
	s.short = found.Short
	return found, nil
}

func wrongReply(ok bool, err error) error {
	if ok || err != nil {
		return nil
	}
	return errors.New("the daemon's answer is of another kind than expected")
}

// pageOf resolves the address of a browser and --page to one page.
func (s *session) pageOf(ctx context.Context, address string) (messages.PageAddress, error) {
	browser, err := s.browser(ctx, address)
	if err != nil {
		return messages.PageAddress{}, err
	}
	reply, err := s.do(ctx, &messages.ListPages{BrowserID: browser.BrowserID})
	list, ok := reply.(*messages.PageList)
	if err != nil || !ok {
		return messages.PageAddress{}, errors.Join(err, wrongReply(ok, err))
	}
	found, refused := findPage(list.Pages, s.page)
	if refused != nil {
		return messages.PageAddress{}, refused
	}
	return messages.PageAddress{BrowserID: browser.BrowserID, PageID: found.PageID}, nil
}

// element resolves a page and names one of its elements.
func (s *session) element(ctx context.Context, address, ref string) (messages.OnElement, error) {
	page, err := s.pageOf(ctx, address)
	return messages.OnElement{PageAddress: page, ElementID: messages.ElementHandle(ref)}, err
}

// completionTimeout bounds what the shell waits for when it completes a target.
const completionTimeout = time.Second

// completeTarget offers the short references of the browsers. It starts no daemon.
func completeTarget(a *program.App, cmd *cobra.Command, args []string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || a.Prepare(cmd, nil) != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTimeout)
	defer cancel()
	c, err := daemon.DialRaw(ctx, a)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer c.Close()
	reply, err := c.Do(ctx, &messages.ListBrowsers{})
	list, ok := reply.(*messages.BrowserList)
	if err != nil || !ok {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, b := range list.Browsers {
		names = append(names, b.Short)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
