package tools

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/troupe-browser/troupe/internal/quote"
	"github.com/troupe-browser/troupe/messages"
)

// writeObservation writes the other observations, one line per entry.
func writeObservation(b *strings.Builder, reply messages.Reply, result Result) {
	switch r := reply.(type) {
	case *messages.BrowserList:
		writeBrowsers(b, r)
	case *messages.PageList:
		writePages(b, r)
	case *messages.Screenshot:
		fmt.Fprintf(b, "%s %dx%d, %d bytes", r.MIME, r.Width, r.Height, r.Bytes)
		if r.Scaled {
			fmt.Fprintf(b, ", scaled down from %dx%d", r.OriginalWidth, r.OriginalHeight)
		}
	case *messages.ConsoleEntries:
		writeConsole(b, r)
	case *messages.NetworkEntries:
		writeNetwork(b, r)
	case *messages.Diagnostics:
		writeDiagnostics(b, r)
	case *messages.DownloadList:
		for _, d := range r.Downloads {
			fmt.Fprintf(b, "%s %s %d/%d bytes %s\n", d.DownloadID, d.State, d.Received, d.Total, quote.Text(named(d)))
		}
		fmt.Fprintf(b, "%d downloads, %d running", len(r.Downloads), r.Running)
	case *messages.WaitMet:
		fmt.Fprintf(b, "met after %d ms: %s", r.Waited, r.Matched)
	case *messages.CookieList:
		for _, c := range r.Cookies {
			fmt.Fprintf(b, "%s = %s %s\n", quote.Text(c.Name), quote.Text(c.Value), quote.Text(c.Domain+c.Path))
		}
		fmt.Fprintf(b, "%d cookies", len(r.Cookies))
	case *messages.StorageEntries:
		for _, e := range r.Entries {
			fmt.Fprintf(b, "%s = %s\n", quote.Text(e.Key), quote.Text(e.Value))
		}
		fmt.Fprintf(b, "%d keys in %s storage", len(r.Entries), r.Area)
	default:
		// What is left is a handful of fields, shortest as they are.
		b.WriteString(quote.JSON(string(result.Structured)))
	}
}

// named is the name that a download has, or that it will have: files are named when the downloads are listed.
func named(d messages.Download) string {
	if d.FileName == "" {
		return d.Suggested
	}
	return d.FileName
}

func writeBrowsers(b *strings.Builder, r *messages.BrowserList) {
	for _, browser := range r.Browsers {
		fmt.Fprintf(b, "%s browser_id %s %s %s, %d pages\n", browser.Short, browser.BrowserID, browser.Ownership, browser.State, browser.Pages)
	}
	if len(r.Browsers) == 0 {
		b.WriteString("No browser. Start one with control_browser launch.")
	}
}

func writePages(b *strings.Builder, r *messages.PageList) {
	for _, p := range r.Pages {
		fmt.Fprintf(b, "page_id %s %s %s %s", p.PageID, p.LoadState, quote.Text(p.Title), quote.Text(p.URL))
		if p.OpenerPageID != "" {
			fmt.Fprintf(b, " opened by %s", p.OpenerPageID)
		}
		if p.Presented {
			b.WriteString(" presented")
		}
		if p.Crashed {
			b.WriteString(" crashed")
		}
		if p.Busy {
			b.WriteString(" busy")
		}
		if p.ConsoleErrors > 0 || p.FailedRequests > 0 {
			fmt.Fprintf(b, " console errors %d, failed requests %d", p.ConsoleErrors, p.FailedRequests)
		}
		writeDialog(b, p.Dialog)
		b.WriteByte('\n')
	}
	if r.Truncated {
		fmt.Fprintf(b, "only the first %d pages are listed", len(r.Pages))
	}
}

func writeConsole(b *strings.Builder, r *messages.ConsoleEntries) {
	for i := range r.Entries {
		writeLine(b, &r.Entries[i])
	}
	writeLedgerEnd(b, r.Cursor, r.Gap, r.Truncated)
}

func writeLine(b *strings.Builder, e *messages.ConsoleEntry) {
	fmt.Fprintf(b, "%d %s %s %s", e.Cursor, quote.Word(e.Kind), quote.Word(e.Level), quote.Text(e.Text))
	if len(e.Stack) > 0 {
		fmt.Fprintf(b, "  at %s", quote.Text(Place(e.Stack[0])))
		if name := e.Stack[0].Function; name != "" {
			fmt.Fprintf(b, " in %s", quote.Text(name))
		}
	}
	b.WriteByte('\n')
	for _, f := range e.Stack[min(1, len(e.Stack)):] {
		fmt.Fprintf(b, "  at %s in %s\n", quote.Text(Place(f)), quote.Text(f.Function))
	}
}

// Place says where a frame of a stack is, as path:line:column. The origin is left out: it is in the page's address, and
// the whole URL is in the structure. The text is the page's own and not quoted.
func Place(f messages.StackFrame) string {
	where := f.URL
	if address, err := url.Parse(f.URL); err == nil && address.Host != "" {
		where = address.EscapedPath()
		if where == "" {
			where = "/"
		}
	}
	return fmt.Sprintf("%s:%d:%d", where, f.Line, f.Column)
}

// writeDiagnostics lists both ledgers, and what the listed entries are part of.
func writeDiagnostics(b *strings.Builder, r *messages.Diagnostics) {
	for _, e := range r.Entries {
		if e.Console != nil {
			writeLine(b, e.Console)
		}
		if e.Request != nil {
			writeRequest(b, e.Request)
		}
	}
	fmt.Fprintf(b, "%d console entries, %d errors; %d requests, %d failed, %d pending\n",
		r.ConsoleEntries, r.ConsoleErrors, r.Requests, r.FailedRequests, r.Pending)
	writeLedgerEnd(b, r.Cursor, r.Gap, r.Truncated)
}

func writeNetwork(b *strings.Builder, r *messages.NetworkEntries) {
	for i := range r.Entries {
		writeRequest(b, &r.Entries[i])
	}
	writeLedgerEnd(b, r.Cursor, r.Gap, r.Truncated)
}

func writeRequest(b *strings.Builder, e *messages.NetworkEntry) {
	fmt.Fprintf(b, "%s %s %s", e.RequestID, quote.Word(e.Method), quote.Text(e.URL))
	switch {
	case e.Status != 0:
		fmt.Fprintf(b, " %d", e.Status)
		if e.Failure != "" {
			fmt.Fprintf(b, " %s", quote.Text(e.Failure))
		}
		fmt.Fprintf(b, " %s %d bytes %d ms", quote.Word(e.Type), e.Bytes, e.MS)
	case e.Failed:
		fmt.Fprintf(b, " failed %s", quote.Text(e.Failure))
	case e.Pending:
		b.WriteString(" pending")
	default:
		fmt.Fprintf(b, " %s %d bytes %d ms", quote.Word(e.Type), e.Bytes, e.MS)
	}
	b.WriteByte('\n')
}

func writeLedgerEnd(b *strings.Builder, cursor uint64, gap, truncated bool) {
	fmt.Fprintf(b, "cursor %d", cursor)
	if gap {
		b.WriteString("; entries were lost since the last clear_diagnostics")
	}
	if truncated {
		b.WriteString("; only the newest are listed")
	}
}
