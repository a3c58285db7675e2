package program

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/text/width"

	"github.com/troupe-browser/troupe/internal/quote"
	"github.com/troupe-browser/troupe/messages"
)

// colours of a receipt's state, used on a terminal only and not where NO_COLOR is set.
var colours = map[messages.ExecutionState]string{
	messages.Completed: "\x1b[32m", messages.NotStarted: "\x1b[33m", messages.OutcomeUnknown: "\x1b[31m",
}

// Paint colours the first line of a text by the state that it tells.
func Paint(w io.Writer, state messages.ExecutionState, text string) string {
	if !IsTerminal(w) || os.Getenv("NO_COLOR") != "" {
		return text
	}
	first, rest, more := strings.Cut(text, "\n")
	text = colours[state] + first + "\x1b[0m"
	if more {
		text += "\n" + rest
	}
	return text
}

// Table prints rows with aligned columns. What a page chose goes through Said or Cell first.
func Table(w io.Writer, header []string, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(header, "\t"))
	for _, row := range rows {
		for i := range row {
			row[i] = quote.Line(row[i])
		}
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

// cellColumnsMax bounds the width of one cell of a table; the rest is cut, and --json has it whole.
const cellColumnsMax = 100

// Said shows a text of a page in one cell: in quotation marks, and no wider than cellColumnsMax.
func Said(s string) string {
	short := cutColumns(s)
	if short == s {
		return quote.Text(s)
	}
	return quote.Text(short) + "..."
}

// Cell makes a text fit for one cell: on one line, with what nobody sees or what could write on the terminal as escapes,
// and no wider than cellColumnsMax.
func Cell(s string) string {
	s = quote.Line(s)
	short := cutColumns(s)
	if short == s {
		return s
	}
	return short + "..."
}

// cutColumns keeps the longest beginning of a text that takes at most cellColumnsMax columns.
func cutColumns(s string) string {
	columns := 0
	for at, r := range s {
		step := 1
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			step = 2
		}
		if columns += step; columns > cellColumnsMax {
			return s[:at]
		}
	}
	return s
}

// Yes writes a flag as a word, or nothing.
func Yes(on bool, word string) string {
	if on {
		return word
	}
	return ""
}

// BytesText says a size in bytes with its unit.
func BytesText(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
