package operate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

const (
	// auditTailBytesMax is how much of the end of a file is looked at.
	auditTailBytesMax = 1 << 20
	// auditPoll is how often --follow looks for new lines.
	auditPoll = 250 * time.Millisecond
)

// AuditCommand is `troupe audit`, which prints the events that an entry recorded.
func AuditCommand(a *program.App) *cobra.Command {
	audit := &cobra.Command{
		Use: "audit tail", Short: "The log of calls, which holds no content of pages or arguments",
		Example: "  troupe audit tail\n  troupe audit tail -n 50 --follow",
		Args:    program.UnknownVerb("read it, as in: troupe audit tail"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var count int
	var follow, asJSON, all bool
	var entry string
	tail := &cobra.Command{
		Use: "tail", Short: "Print the newest effects, and what became of browsers and pages",
		Example: "  troupe audit tail\n  troupe audit tail --entry mcp --json\n  troupe audit tail --follow",
		Args:    program.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return tailAudit(cmd.Context(), a, entry, count, follow, auditForm{asJSON, all})
		},
	}
	tail.Flags().IntVarP(&count, "count", "n", 20, "number of events")
	tail.Flags().BoolVarP(&follow, "follow", "f", false, "go on with new events until interrupted")
	tail.Flags().BoolVar(&asJSON, "json", false, "print the lines as they are")
	tail.Flags().BoolVar(&all, "all", false, "observations too")
	tail.Flags().StringVar(&entry, "entry", "serve", "whose log: serve, mcp, run or demo")
	audit.AddCommand(tail)
	return audit
}

func tailAudit(ctx context.Context, a *program.App, entry string, count int, follow bool, form auditForm) error {
	if entry != "serve" && entry != "mcp" && entry != "run" && entry != "demo" {
		return program.Usagef("--entry is serve, mcp, run or demo")
	}
	path := a.AuditFile(entry)
	text, at, err := tailOf(path, 0)
	if errors.Is(err, os.ErrNotExist) && !follow {
		fmt.Fprintln(a.Out, "There is no log yet.")
		return nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	lines, left := form.choose(bytes.SplitAfter(text, []byte("\n")))
	if err := printEvents(a, lines[max(0, len(lines)-count):], form.json); err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintf(a.Out, "%d observations are left out; --all shows them.\n", left)
	}
	if !follow {
		return nil
	}
	ticker := time.NewTicker(auditPoll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		text, next, err := tailOf(path, at)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		// Only whole lines are printed; the rest is read again.
		end := bytes.LastIndexByte(text, '\n') + 1
		if at = next - int64(len(text)-end); end == 0 {
			continue
		}
		lines, _ := form.choose(bytes.SplitAfter(text[:end], []byte("\n")))
		if err := printEvents(a, lines, form.json); err != nil {
			return err
		}
	}
}

// auditForm says which events are printed, and how.
type auditForm struct{ json, all bool }

// choose leaves out empty lines, and the observations unless all is asked for or the lines are printed as they are. It
// returns how many observations it left out.
func (f auditForm) choose(lines [][]byte) (chosen [][]byte, left int) {
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e messages.Event
		if !f.json && !f.all && json.Unmarshal(line, &e) == nil && observes(e.Action) {
			left++
			continue
		}
		chosen = append(chosen, line)
	}
	return chosen, left
}

// observes reports whether an action changes nothing. An event without one is about a browser or a page.
func observes(action messages.Action) bool {
	d := messages.DescribeAction(action)
	if d == nil {
		return false
	}
	_, observation := d.New().(messages.Observation)
	return observation
}

// tailOf reads a file from an offset, at most auditTailBytesMax of its end. A file that is shorter than the offset is a
// new one and is read from its start. Of a first read that begins in the middle, the cut line is left out.
func tailOf(path string, from int64) (text []byte, at int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	if info.Size() < from {
		from = 0
	}
	cut := info.Size()-from > auditTailBytesMax
	if cut {
		from = info.Size() - auditTailBytesMax
	}
	text = make([]byte, info.Size()-from)
	n, err := file.ReadAt(text, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	text = text[:n]
	if at = from + int64(n); cut {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return text, at, nil
}

func printEvents(a *program.App, lines [][]byte, asJSON bool) error {
	var rows [][]string
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if asJSON {
			if _, err := a.Out.Write(line); err != nil {
				return err
			}
			continue
		}
		var e messages.Event
		if err := json.Unmarshal(line, &e); err != nil {
			continue // a line that a killed run left half written
		}
		rows = append(rows, []string{
			e.At.Local().Format(time.TimeOnly), string(e.CallerID), cmp.Or(string(e.Action), string(e.Kind)), string(e.State), string(e.Code), string(e.BrowserID), string(e.PageID), e.Took.Round(time.Millisecond).String(),
		})
	}
	return program.Table(a.Out, []string{"AT", "CALLER", "WHAT", "STATE", "CODE", "BROWSER", "PAGE", "TOOK"}, rows)
}
