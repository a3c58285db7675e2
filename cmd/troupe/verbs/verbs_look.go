package verbs

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/internal/quote"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// LookCommands are the verbs that observe a page.
func LookCommands(a *program.App) []*cobra.Command {
	return []*cobra.Command{snapshotCommand(a), getCommand(a), waitCommand(a), screenshotCommand(a), consoleCommand(a), networkCommand(a)}
}

func snapshotCommand(a *program.App) *cobra.Command {
	c := &messages.TakeSnapshot{}
	var interactive, full, tree, flat bool
	return command(a, verb{
		use:   "snapshot BROWSER",
		short: "List what is on the page, with a ref for everything that can be acted on",
		long: "List what is on the page. Each line that begins with a ref, such as e12, can be acted on; the brackets say how.\n" +
			"Refs are good until the next snapshot or navigation.",
		example: "  troupe snapshot browser:1\n  troupe snapshot browser:1 --interactive\n  troupe snapshot browser:1 --text \"sign in\" --role button\n  troupe snapshot browser:1 --tree --selector main",
		least:   1, most: 1, onPage: true,
		flags: func(cmd *cobra.Command) {
			f := cmd.Flags()
			f.BoolVar(&interactive, "interactive", false, "only what can be acted on")
			f.BoolVar(&full, "full", false, "never leave text out for size")
			f.BoolVar(&tree, "tree", false, "as an indented tree")
			f.BoolVar(&flat, "flat", false, "as a flat list of elements")
			f.StringVar(&c.Query.Text, "text", "", "only nodes with this text in name, label, description or placeholder")
			f.StringVar(&c.Query.Role, "role", "", "only nodes of this role")
			f.StringVar(&c.Query.Group, "group", "", "only nodes in a group of this name")
			f.StringVar(&c.Query.Section, "section", "", "only nodes in a section of this name")
			f.BoolVar(&c.Query.FieldsOnly, "fields", false, "only form fields")
			f.StringVar(&c.Selector, "selector", "", "only below the element of this CSS selector; with --tree")
			f.IntVar(&c.NodeOffset, "offset", 0, "go on at this node")
			f.IntVar(&c.MaxNodes, "max", 0, "number of nodes")
			f.IntVar(&c.MaxDepth, "depth", 0, "depth of the tree")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			if interactive && full || tree && flat {
				return program.Usagef("--interactive and --full, and --tree and --flat, exclude each other")
			}
			c.Mode, c.Projection = messages.ModeAuto, messages.ProjectionSemantic
			switch {
			case interactive:
				c.Mode = messages.ModeInteractive
			case full:
				c.Mode = messages.ModeFull
			}
			switch {
			case tree:
				c.Projection = messages.ProjectionTree
			case flat:
				c.Projection = messages.ProjectionFlat
			}
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c.PageAddress = page
			return s.observe(ctx, c, nil)
		},
	})
}

func getCommand(a *program.App) *cobra.Command {
	var raw bool
	return command(a, verb{
		use:     "get BROWSER url|title|text|html [SELECTOR]",
		short:   "Read one field of the page",
		long:    "Read one field of the page. Characters that nobody sees are shown as escapes, as \\x1b; --json and --raw have them as they are.",
		example: "  troupe get browser:1 title\n  troupe get browser:1 text main\n  troupe get browser:1 html \"#result\"",
		least:   2, most: 3, onPage: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().BoolVar(&raw, "raw", false, "without escapes; into a file or a pipe only")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c := &messages.ReadField{PageAddress: page, Field: args[1]}
			if len(args) == 3 {
				c.Selector = args[2]
			}
			return s.observe(ctx, c, func(reply messages.Reply) error {
				value, ok := reply.(*messages.FieldValue)
				if !ok {
					return wrongReply(ok, nil)
				}
				if value.Truncated {
					fmt.Fprintln(s.app.Err, "troupe: the value was cut")
				}
				shown := quote.Lines(value.Value)
				if raw && !program.IsTerminal(s.app.Out) {
					shown = value.Value
				}
				_, err := fmt.Fprintln(s.app.Out, shown)
				return err
			})
		},
	})
}

func waitCommand(a *program.App) *cobra.Command {
	c := &messages.WaitFor{}
	return command(a, verb{
		use:     "wait BROWSER",
		short:   "Wait until one condition holds",
		example: "  troupe wait browser:1 --load complete\n  troupe wait browser:1 --text \"Saved\" --timeout 30s\n  troupe wait browser:1 --url /done",
		least:   1, most: 1, onPage: true,
		flags: func(cmd *cobra.Command) {
			f := cmd.Flags()
			f.StringVar((*string)(&c.LoadState), "load", "", "the page's load state: loading or complete")
			f.StringVar(&c.Text, "text", "", "this text is on the page")
			f.StringVar(&c.TextGone, "text-gone", "", "this text is no longer on the page")
			f.StringVar(&c.URLContains, "url", "", "the address holds this")
			f.StringVar(&c.Selector, "selector", "", "a CSS selector matches")
			f.StringVar(&c.Function, "function", "", "an expression is true; needs browser:script")
			f.DurationVar(&c.Timeout, "timeout", messages.WaitDefault, "give up after so long")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c.PageAddress = page
			return s.observe(ctx, c, nil)
		},
	})
}

func screenshotCommand(a *program.App) *cobra.Command {
	c := &messages.TakeScreenshot{}
	return command(a, verb{
		use:     "screenshot BROWSER PATH",
		short:   "Write a picture of the page to a PNG file",
		example: "  troupe screenshot browser:1 page.png\n  troupe screenshot browser:1 all.png --full-page\n  troupe screenshot browser:1 button.png --element e3",
		least:   2, most: 2, onPage: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().BoolVar(&c.FullPage, "full-page", false, "the whole page and not only the viewport")
			cmd.Flags().StringVar((*string)(&c.ElementID), "element", "", "only this element, by its ref")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c.PageAddress = page
			reply, err := s.do(ctx, c)
			shot, ok := reply.(*messages.Screenshot)
			if err != nil || !ok {
				return firstError(err, wrongReply(ok, err))
			}
			if err := os.WriteFile(args[1], shot.Image, 0o600); err != nil {
				return messages.NewError(messages.CodeIOError, "The picture could not be written: %s.", program.Cause(err))
			}
			if s.json {
				return s.print(envelope{Result: shot})
			}
			_, err = fmt.Fprintf(s.app.Out, "%s  %dx%d  %s\n", args[1], shot.Width, shot.Height, program.BytesText(int64(len(shot.Image))))
			return err
		},
	})
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// ledgerFlags are those that console and network share. A filter beside --clear is refused: it would look as if only
// what fits were cleared (R214).
func ledgerFlags(cmd *cobra.Command, f *messages.DiagnosticsFilter, clearAll *bool) {
	cmd.Flags().StringVar(&f.Text, "text", "", "only entries with this text")
	cmd.Flags().IntVar(&f.Limit, "limit", 0, "only the newest so many")
	cmd.Flags().Uint64Var(&f.SinceCursor, "since", 0, "only entries after this cursor")
	cmd.Flags().BoolVar(clearAll, "clear", false, "forget console and network of the page")
}

func (s *session) clearLedgers(ctx context.Context, page messages.PageAddress, f messages.DiagnosticsFilter) error {
	if f.Text != "" || f.Limit != 0 || f.SinceCursor != 0 || f.Level != "" || f.Status != "" || f.Method != "" || f.Failed || len(f.Types) > 0 {
		return program.Usagef("--clear takes no filter: it forgets everything, as in: troupe %s browser:1 --clear", s.verb)
	}
	return s.act(ctx, &messages.ClearDiagnostics{PageAddress: page})
}

func consoleCommand(a *program.App) *cobra.Command {
	c := &messages.GetConsole{}
	var clearAll bool
	return command(a, verb{
		use:     "console BROWSER",
		short:   "Show the page's console",
		example: "  troupe console browser:1\n  troupe console browser:1 --level error --limit 20\n  troupe console browser:1 --clear",
		least:   1, most: 1, onPage: true,
		flags: func(cmd *cobra.Command) {
			ledgerFlags(cmd, &c.DiagnosticsFilter, &clearAll)
			cmd.Flags().StringVar(&c.Level, "level", "", "error, warning or info")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			if clearAll {
				return s.clearLedgers(ctx, page, c.DiagnosticsFilter)
			}
			c.PageAddress = page
			return s.observe(ctx, c, func(reply messages.Reply) error {
				entries, ok := reply.(*messages.ConsoleEntries)
				if !ok {
					return wrongReply(ok, nil)
				}
				var rows [][]string
				for _, e := range entries.Entries {
					rows = append(rows, []string{strconv.FormatUint(e.Cursor, 10), e.At.Local().Format(time.TimeOnly), e.Level, e.Kind, program.Said(e.Text), placeOf(e)})
				}
				if err := program.Table(s.app.Out, []string{"CURSOR", "AT", "LEVEL", "KIND", "TEXT", ""}, rows); err != nil {
					return err
				}
				return s.ledgerEnd(len(rows), entries.Gap, entries.Truncated)
			})
		},
	})
}

// placeOf says where an entry comes from, "" where that is not known.
func placeOf(e messages.ConsoleEntry) string {
	if len(e.Stack) == 0 {
		return ""
	}
	return "at " + program.Cell(quote.Address(tools.Place(e.Stack[0])))
}

func (s *session) ledgerEnd(entries int, gap, truncated bool) error {
	if entries == 0 {
		fmt.Fprintln(s.app.Out, "Nothing.")
	}
	if gap {
		fmt.Fprintln(s.app.Out, "Entries were lost since the last --clear.")
	}
	if truncated {
		fmt.Fprintln(s.app.Out, "Only the newest are shown.")
	}
	return nil
}

func networkCommand(a *program.App) *cobra.Command {
	c := &messages.GetNetwork{}
	detail := &messages.GetNetworkRequest{}
	var clearAll bool
	return command(a, verb{
		use:     "network BROWSER",
		short:   "Show the page's requests, or one of them with its headers and body",
		example: "  troupe network browser:1\n  troupe network browser:1 --failed\n  troupe network browser:1 --status 4xx --method POST\n  troupe --grant browser:inspect network browser:1 --id r12 --body",
		least:   1, most: 1, onPage: true,
		flags: func(cmd *cobra.Command) {
			ledgerFlags(cmd, &c.DiagnosticsFilter, &clearAll)
			f := cmd.Flags()
			f.StringVar(&c.Status, "status", "", "a status or a class, as 404 or 4xx")
			f.StringVar(&c.Method, "method", "", "a method, as POST")
			f.StringSliceVar(&c.Types, "type", nil, "a resource type, as fetch or document (repeatable)")
			f.BoolVar(&c.Failed, "failed", false, "only failed requests")
			f.StringVar((*string)(&detail.RequestID), "id", "", "one request with its headers; needs browser:inspect")
			f.BoolVar(&detail.Body, "body", false, "its body too; with --id")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			if detail.Body && detail.RequestID == "" {
				return program.Usagef("--body needs the request, as in: troupe network browser:1 --id r12 --body")
			}
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			switch {
			case clearAll:
				return s.clearLedgers(ctx, page, c.DiagnosticsFilter)
			case detail.RequestID != "":
				detail.PageAddress = page
				return s.observe(ctx, detail, func(reply messages.Reply) error { return printRequest(s.app.Out, reply) })
			}
			c.PageAddress = page
			return s.observe(ctx, c, s.printNetwork)
		},
	})
}

func (s *session) printNetwork(reply messages.Reply) error {
	entries, ok := reply.(*messages.NetworkEntries)
	if !ok {
		return wrongReply(ok, nil)
	}
	var rows [][]string
	for _, e := range entries.Entries {
		rows = append(rows, []string{string(e.RequestID), quote.Word(e.Method), requestStatus(e), e.Type, program.BytesText(e.Bytes), fmt.Sprintf("%d ms", e.MS), program.Cell(quote.Address(e.URL))})
	}
	if err := program.Table(s.app.Out, []string{"ID", "METHOD", "STATUS", "TYPE", "SIZE", "TIME", "URL"}, rows); err != nil {
		return err
	}
	return s.ledgerEnd(len(rows), entries.Gap, entries.Truncated)
}

// requestStatus is how a request ended: its status when it got one, and what failed besides.
func requestStatus(e messages.NetworkEntry) string {
	switch {
	case e.Status != 0:
		return strings.TrimSpace(strconv.Itoa(e.Status) + " " + e.Failure + program.Yes(e.Pending, "pending"))
	case e.Failed:
		return strings.TrimSpace("failed " + e.Failure)
	case e.Pending:
		return "pending"
	}
	return "-"
}

// indented sets every line of a body off from the lines that are ours.
func indented(body string) string {
	return "  " + strings.ReplaceAll(quote.Lines(body), "\n", "\n  ")
}

func printRequest(w io.Writer, reply messages.Reply) error {
	r, ok := reply.(*messages.NetworkDetail)
	if !ok {
		return wrongReply(ok, nil)
	}
	fmt.Fprintf(w, "%s %s\n%d %s\n", quote.Word(r.Method), program.Cell(quote.Address(r.URL)), r.Status, r.Type)
	for _, part := range []struct {
		name    string
		headers map[string]string
	}{{"request", r.RequestHeaders}, {"response", r.ResponseHeaders}} {
		fmt.Fprintf(w, "\n%s headers\n", part.name)
		for _, name := range slices.Sorted(maps.Keys(part.headers)) {
			fmt.Fprintf(w, "  %s: %s\n", program.Cell(name), program.Cell(part.headers[name]))
		}
	}
	switch {
	case !r.HeadersStored:
		fmt.Fprintln(w, "\nHeader values were not stored: the page was opened without browser:inspect.")
	case r.BodyError != "":
		fmt.Fprintf(w, "\nbody: %s\n", r.BodyError)
	case r.Body != "":
		fmt.Fprintf(w, "\nbody%s%s\n%s\n", program.Yes(r.BodyBase64, " (base64)"), program.Yes(r.BodyTruncated, " (cut)"), indented(r.Body))
	}
	return nil
}
