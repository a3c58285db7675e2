package diagnostics

import (
	"strings"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// The kinds of console entries.
const (
	kindMessage    = "message"
	kindException  = "exception"
	kindNavigation = "navigation"
)

// sameDocument ends the mark of a navigation that kept the document.
const sameDocument = " (same document)"

// The levels to which the engine's collapse (FACTS 2.6).
const (
	levelError   = "error"
	levelWarning = "warning"
	levelInfo    = "info"
)

// line is one entry with its place in the stream of the connection.
type line struct {
	messages.ConsoleEntry
	// seq is cdp.Event.Seq of what made the entry. It orders messages against
	// navigations, which come by another lane.
	seq uint64
}

// ConsoleRing is one page's console, exceptions and navigation marks (R137, R144,
// C20).
//
// It keeps at most ConsoleEntriesMax entries of at most DiagnosticTextBytesMax
// bytes of text; the oldest go first and leave the gap marked. The zero value is
// ready. It has one owner and is not safe for concurrent use.
type ConsoleRing struct {
	stream *changeCount
	lines  []line

	// navigated is the place in the stream of the last main-frame navigation.
	navigated uint64

	errors  int    // since the last Clear
	lost    uint64 // events that never came, since the last Clear
	evicted uint64 // entries that went at the bound, since the last Clear
}

// Fold takes in one event of the lossy lane, which came at the given time. An
// event that is not about the console, or that cannot be read, changes nothing.
// It reports whether the error count changed (R143).
func (c *ConsoleRing) Fold(e cdp.Event, at time.Time) bool {
	before := c.errors
	switch e.Method {
	case "Runtime.consoleAPICalled":
		c.called(e, at)
	case "Runtime.exceptionThrown":
		c.thrown(e, at)
	case "Log.entryAdded":
		c.logged(e, at)
	}
	return c.errors != before
}

// Lost marks that the lane dropped n events before the next one (R145).
func (c *ConsoleRing) Lost(n uint64) { c.lost += n }

// gap reports whether anything was lost since the last Clear.
func (c *ConsoleRing) gap() bool { return c.lost > 0 || c.evicted > 0 }

// Navigated marks that the main frame shows another document, at the place seq in
// the stream of the connection. The URL is kept without its query.
func (c *ConsoleRing) Navigated(seq uint64, url string, at time.Time) {
	c.navigated = max(c.navigated, seq)
	text, _ := cut.Bytes(VisibleURL(url), messages.DiagnosticTextBytesMax)
	c.add(line{seq: seq, ConsoleEntry: messages.ConsoleEntry{At: at, Kind: kindNavigation, Level: levelInfo, Text: text}})
}

// NavigatedWithin marks that the main frame changed its address without loading a
// document, at the place seq. What was said before belongs to the same document
// and stays (C20). The URL is kept without its query.
func (c *ConsoleRing) NavigatedWithin(seq uint64, url string, at time.Time) {
	text, _ := cut.Bytes(VisibleURL(url), messages.DiagnosticTextBytesMax-len(sameDocument))
	c.add(line{seq: seq, ConsoleEntry: messages.ConsoleEntry{At: at, Kind: kindNavigation, Level: levelInfo, Text: text + sameDocument}})
}

// Clear empties the ring, its counts and its gap mark. The cursor goes on.
func (c *ConsoleRing) Clear() {
	c.lines = nil
	c.errors, c.lost, c.evicted = 0, 0, 0
}

// changes is the ring's own count of changes, unless its page gave it another.
func (c *ConsoleRing) changes() *changeCount {
	if c.stream == nil {
		c.stream = &changeCount{}
	}
	return c.stream
}

func (c *ConsoleRing) add(l line) {
	l.Cursor = c.changes().next()
	if l.Level == levelError {
		c.errors++
	}
	if len(c.lines) == messages.ConsoleEntriesMax {
		c.lines[0] = line{}
		c.lines = c.lines[1:]
		c.evicted++
	}
	c.lines = append(c.lines, l)
}

func (c *ConsoleRing) called(e cdp.Event, at time.Time) {
	var got consoleAPICalled
	if e.Decode(&got) != nil {
		return
	}
	switch got.Type {
	case "", "clear", "endGroup", "profile", "profileEnd":
		return // nothing was said; only clear_diagnostics clears
	}
	entry := messages.ConsoleEntry{At: clock(got.Timestamp/1000, at), Kind: kindMessage, Level: levelOf(got.Type), Text: textOf(got.Args)}
	if entry.Level != levelInfo || got.Type == "trace" {
		entry.Stack = framesOf(got.Stack)
	}
	c.add(line{seq: e.Seq, ConsoleEntry: entry})
}

func (c *ConsoleRing) thrown(e cdp.Event, at time.Time) {
	var got exceptionThrown
	if e.Decode(&got) != nil {
		return
	}
	d := got.Details
	text := d.Text
	if d.Exception != nil {
		// The engine's text is "Uncaught" or "Uncaught (in promise)", and for an
		// error of the parser the whole sentence.
		text = strings.TrimSpace(text + " " + d.Exception.text())
	}
	stack := framesOf(d.Stack)
	if stack == nil && d.URL != "" {
		stack = []messages.StackFrame{frame(callFrame{URL: d.URL, Line: d.Line, Column: d.Column})}
	}
	text, _ = cut.Bytes(text, messages.DiagnosticTextBytesMax)
	c.add(line{seq: e.Seq, ConsoleEntry: messages.ConsoleEntry{
		At: clock(got.Timestamp/1000, at), Kind: kindException, Level: levelError, Text: text, Stack: stack,
	}})
}

func (c *ConsoleRing) logged(e cdp.Event, at time.Time) {
	var got entryAdded
	if e.Decode(&got) != nil || got.Entry.Level == "" {
		return
	}
	stack := framesOf(got.Entry.Stack)
	if stack == nil && got.Entry.URL != "" {
		stack = []messages.StackFrame{frame(callFrame{URL: got.Entry.URL, Line: got.Entry.Line})}
	}
	text, _ := cut.Bytes(got.Entry.Text, messages.DiagnosticTextBytesMax)
	c.add(line{seq: e.Seq, ConsoleEntry: messages.ConsoleEntry{
		At: clock(got.Entry.Timestamp/1000, at), Kind: kindMessage, Level: levelOf(got.Entry.Level), Text: text, Stack: stack,
	}})
}

// levelOf collapses the engine's types and levels.
func levelOf(kind string) string {
	switch kind {
	case "error", "assert", "severe":
		return levelError
	case "warning", "warn":
		return levelWarning
	}
	return levelInfo
}

// framesOf returns the first frames of a trace.
func framesOf(s *stackTrace) []messages.StackFrame {
	if s == nil {
		return nil
	}
	var out []messages.StackFrame
	for _, f := range s.Frames[:min(len(s.Frames), messages.StackFramesMax)] {
		out = append(out, frame(f))
	}
	return out
}

// frame returns a frame with its place counted from 1, as people and editors
// count, and its URL without the query.
func frame(f callFrame) messages.StackFrame {
	function, _ := cut.Chars(f.Function, functionCharsMax)
	url, _ := cut.Chars(VisibleURL(f.URL), stackURLCharsMax)
	return messages.StackFrame{Function: function, URL: url, Line: f.Line + 1, Column: f.Column + 1}
}
