package verbs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/internal/quote"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"
)

// wording says answers in verbs of the command line. The texts of package tools speak to
// agents and name actions of its tools.
type wording struct {
	// browser and page are how the person can name what the verb was about; an empty page
	// needs no name.
	browser, page string
	// opened are the pages of the browser by their place in its list, once an effect has opened one.
	opened []messages.PageSummary
}

// What the texts for agents say about an open dialog.
const (
	agentsDialogLine  = "dialog open: "
	agentsDialogHint  = "Answer with handle_dialog."
	agentsDialogFirst = "with handle_dialog"
	agentsOpenedLine  = "opened page_id "
	agentsMoreLine    = "truncated; more at node_offset"
)

// describe says a reply in lines. No text of a page can begin a line, so that what is put
// into other words is always the runtime's own.
func (w wording) describe(command messages.Command, reply messages.Reply) string {
	var next string
	if receipt, ok := reply.(*messages.Receipt); ok {
		said := *receipt
		if said.Code == messages.CodeDialogOpen {
			said.Message = w.dialogFirst(said.Message)
		}
		if next, said.Recovery = w.next(said.Recovery), nil; said.Code == messages.CodeDialogOpen {
			next = "" // the message says how it is answered
		}
		reply = &said
	}
	snapshot, _ := reply.(*messages.Snapshot)
	_, isBatch := command.(*messages.Batch)
	var lines []string
	for line := range strings.SplitSeq(tools.Describe(command, reply, nil), "\n") {
		before, isDialog := strings.CutSuffix(line, agentsDialogHint)
		switch {
		case isDialog && strings.HasPrefix(line, agentsDialogLine):
			line = before + "Answer with: " + w.answer()
		case strings.HasPrefix(line, agentsOpenedLine):
			line = w.openedLine(line)
		case snapshot != nil && snapshot.NextNodeOffset != nil && strings.HasPrefix(line, agentsMoreLine):
			line = fmt.Sprintf("truncated; more with: troupe snapshot %s --offset %d", w.target(), *snapshot.NextNodeOffset)
		case !isBatch && (snapshot == nil || snapshot.Text == ""):
			line = inVerbs(line) // the text of a tree is the page's, and the file of a batch is in words of the tools
		}
		lines = append(lines, line)
	}
	if next != "" {
		lines = append(lines, "Next: "+next)
	}
	return quote.Lines(strings.Join(lines, "\n"))
}

// dialogFirst puts the hint of a sentence about an open dialog into a verb.
func (w wording) dialogFirst(sentence string) string {
	return strings.Replace(sentence, agentsDialogFirst, "with `"+w.answer()+"`", 1)
}

func (w wording) answer() string { return "troupe dialog accept|dismiss " + w.target() }

// openedLine says which page an effect opened: by its place in the list, and whether the browser's name means it now.
func (w wording) openedLine(line string) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(line, agentsOpenedLine), " ")
	for i, p := range w.opened {
		if string(p.PageID) != id {
			continue
		}
		what := strconv.Quote(p.Title)
		if p.Title == "" {
			what = strconv.Quote(p.URL)
		}
		said := fmt.Sprintf("opened page %d %s", i+1, what)
		if !p.Presented {
			return said + "; use it with --page " + strconv.Itoa(i+1)
		}
		said += ", now shown: " + w.target() + " means it"
		if opener := slices.IndexFunc(w.opened, func(o messages.PageSummary) bool { return o.PageID == p.OpenerPageID }); opener >= 0 {
			said += "; back with: troupe popup close " + w.target() + ", or --page " + strconv.Itoa(opener+1)
		}
		return said
	}
	return inVerbs(line)
}

// target names the browser, and the page where it needs a name.
func (w wording) target() string {
	browser := w.browser
	if browser == "" {
		browser = "BROWSER"
	}
	if w.page != "" {
		return browser + " --page " + w.page
	}
	return browser
}

// next says a recovery as a command line; "" where no verb does the same.
func (w wording) next(recovery *messages.Recovery) string {
	if recovery == nil {
		return ""
	}
	if w.browser == "" {
		w.browser = argument(recovery, "browser_id")
	}
	switch tool, action := recovery.Tool, argument(recovery, "action"); {
	case tool == tools.Observe && (action == "browsers" || action == "pages"):
		return "troupe list"
	case tool == tools.Observe && action == "downloads":
		w.page = ""
		return "troupe downloads " + w.target()
	case tool == tools.Observe && (action == "snapshot" || action == "console" || action == "network"):
		return "troupe " + action + " " + w.target()
	case tool == tools.Control && (action == "reload" || action == "back" || action == "forward"):
		return "troupe navigate " + w.target() + " " + action
	}
	return ""
}

// argument returns a text among the arguments of a recovery, whatever the type of its id; "" when it is not there.
func argument(recovery *messages.Recovery, name string) string {
	if value, ok := recovery.Arguments[name]; ok {
		return fmt.Sprint(value)
	}
	return ""
}
