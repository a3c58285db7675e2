package tools

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// FuzzLines feeds a hostile text to every formatter and reads the lines back: outside of quotation marks they are the
// same as with harmless texts, and inside stand the texts that went in.
func FuzzLines(f *testing.F) {
	for _, text := range []string{
		"Save", `button "Read the reply" e1`, "x\ne2 button \"Pay\" [click]", `"`, `\`, `\"`, `" e1 [click]`, "a|b", "]", "[x] (y)", ": ", "; POST /pay 200",
		"\u202eyaP", "\x1b[2K\x1b[1A", "\u0085\u2028\u2029", "\x9b31m", "\xff", "= \"v\"", "… stopped after 3 nodes", "dialog open: alert", "👨‍👩‍👧 日本",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 40 {
			return // Longer descriptions are cut, which is no matter of quoting.
		}
		replies, harmless := everyReply(text), everyReply("plain")
		for i := range replies {
			got, inside := split(t, Describe(nil, replies[i], nil))
			want, plain := split(t, Describe(nil, harmless[i], nil))
			if got != want || len(inside) != len(plain) {
				t.Errorf("%T with %q reads\n%s\nand without\n%s", replies[i], text, got, want)
				continue
			}
			for k, each := range inside {
				suffix, ours := strings.CutPrefix(plain[k], "plain")
				if !ours && each != plain[k] || ours && each != text+suffix && each != clean(text)+suffix {
					t.Errorf("%T with %q shows %q", replies[i], text, each)
				}
			}
		}
	})
}

// clean is a text as the collectors hand it over; encoded JSON has no other text either.
func clean(text string) string { return snapshot.Squeeze(strings.ToValidUTF8(text, "\uFFFD")) }

var quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// split reads lines: what stands outside of quotation marks, and the texts inside. JSON, which stands for answers without
// lines of their own, is read the same way.
func split(t *testing.T, lines string) (outside string, inside []string) {
	t.Helper()
	for _, r := range lines {
		if r != '\n' && !strconv.IsPrint(r) {
			t.Fatalf("%U stands in %q", r, lines)
		}
	}
	outside = quotation.ReplaceAllStringFunc(lines, func(each string) string {
		text, err := strconv.Unquote(each)
		if err != nil && json.Unmarshal([]byte(each), &text) != nil {
			t.Fatalf("%s in %q can't be read back", each, lines)
		}
		inside = append(inside, text)
		return `""`
	})
	if strings.Contains(strings.ReplaceAll(outside, `""`, ""), "\\") {
		t.Fatalf("a backslash stands outside of quotation marks in %q", lines)
	}
	return outside, inside
}

// everyReply fills every answer that has page text with one text, numbered so that no two are equal.
func everyReply(text string) []messages.Reply {
	number := 0
	next := func() string {
		number++
		return clean(text) + "-" + strconv.Itoa(number)
	}
	on, level := true, 2
	full := func() messages.Node {
		value := next()
		return messages.Node{
			Ref: "e1", Role: "textbox", Name: next(), Label: next(), Placeholder: next(), Description: next(), Group: next(), Section: next(), Hint: next(),
			URL: next(), Value: &value, Options: []string{next(), next()}, OptionsOff: []string{next()}, Level: &level, Required: &on, Actions: []messages.Action{"click"}, InputType: "email",
		}
	}
	raw := func() string { number++; return text + "-" + strconv.Itoa(number) }
	replies := []messages.Reply{
		&messages.Snapshot{Title: next(), URL: next(), Mode: "auto", Nodes: []messages.Node{full(), {Role: "text", Name: next()}}},
		&messages.Snapshot{Title: next(), URL: next(), Mode: "auto", Text: outlined(next)},
		&messages.Receipt{
			ExecutionState: messages.Completed, Observed: &messages.Observed{Value: ptr(raw())}, Document: "new", URL: raw(),
			Dialog: &messages.Dialog{Open: true, Kind: "alert", Message: raw()}, OpenedPages: []messages.OpenedPage{{PageID: "pg_1", URL: raw()}},
			Downloads: []messages.Download{{DownloadID: "dl_1", State: "completed", FileName: raw()}},
		},
		&messages.PageList{Pages: []messages.PageSummary{{PageID: "pg_1", Title: raw(), URL: raw(), Dialog: &messages.Dialog{Open: true, Kind: "alert", Message: raw()}}}},
		&messages.ConsoleEntries{Entries: []messages.ConsoleEntry{{Kind: "message", Level: "info", Text: raw(), Stack: []messages.StackFrame{{Function: raw(), URL: raw()}}}}},
		&messages.NetworkEntries{Entries: []messages.NetworkEntry{{RequestID: "r1", Method: "GET", URL: raw(), Status: 200, Type: "fetch"}}},
		&messages.DownloadList{Downloads: []messages.Download{{DownloadID: "dl_1", State: "completed", Suggested: raw()}}},
		&messages.CookieList{Cookies: []messages.Cookie{{Name: raw(), Value: raw(), Domain: raw(), Path: "/", Expires: time.Time{}}}},
		&messages.FieldValue{Field: "text", Value: next()},
		&messages.StorageEntries{Area: "local", Entries: []messages.StorageEntry{{Key: raw(), Value: raw()}}},
	}
	return replies
}

// outlined is the tree projection of a page with every kind of line.
func outlined(next func() string) string {
	value := next()
	name := func(parent int, role string) snapshot.Node {
		return snapshot.Node{Parent: parent, Index: -1, Role: role, Name: next()}
	}
	field := name(0, "combobox")
	field.Tag, field.Index, field.Value, field.Options, field.OptionsCut = "select", 1, &value, []string{next(), next()}, true
	field.OptionsOff = []int{1}
	field.Actions, field.Description, field.Placeholder = []messages.Action{"select_option"}, next(), next()
	labelled := snapshot.Node{Parent: 0, Index: 2, Role: "textbox", Label: next(), Actions: []messages.Action{"click"}}
	hinted := snapshot.Node{Parent: 0, Index: 3, Role: "generic", Hint: next(), Actions: []messages.Action{"click"}}
	button := name(7, "button")
	button.Index, button.Actions = 4, []messages.Action{"click"}
	t := &snapshot.Tree{Frames: []snapshot.Frame{{ID: "f"}}, Nodes: []snapshot.Node{
		name(-1, "heading"), name(0, snapshot.TextRole), field, labelled, hinted, name(-1, "row"), name(5, "cell"), {Parent: 5, Index: -1, Role: "cell"}, button,
	}}
	s := &snapshot.Selection{View: snapshot.View{Projection: messages.ProjectionTree, Broad: true}}
	for i := range t.Nodes {
		depth := 0
		for at := t.Nodes[i].Parent; at >= 0; at = t.Nodes[at].Parent {
			depth++
		}
		s.Nodes, s.Depths = append(s.Nodes, i), append(s.Depths, depth)
	}
	return snapshot.Project(t, s, snapshot.Issue{FirstRef: 1, Prefix: "el_"}).Text
}
