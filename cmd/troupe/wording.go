package main

import (
	"encoding/json"
	"strings"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"
)

// wording says answers in verbs of the command line. The texts of package tools speak to
// agents and name actions of its tools.
type wording struct {
	// browser and page are how the person can name what the verb was about; an empty page
	// needs no name.
	browser, page string
}

// What the texts for agents say about an open dialog.
const (
	agentsDialogLine  = "dialog open: "
	agentsDialogHint  = "Answer with handle_dialog."
	agentsDialogFirst = "with handle_dialog"
)

// describe says a reply in lines. No text of a page can begin a line, so that what is put
// into other words is always the runtime's own.
func (w wording) describe(command messages.Command, reply messages.Reply) string {
	if receipt, ok := reply.(*messages.Receipt); ok && receipt.Code == messages.CodeDialogOpen {
		said := *receipt
		said.Message = w.dialogFirst(said.Message)
		reply = &said
	}
	var lines []string
	for line := range strings.SplitSeq(tools.Describe(command, reply, nil), "\n") {
		rest, isNext := strings.CutPrefix(line, "Next: ")
		before, isDialog := strings.CutSuffix(line, agentsDialogHint)
		switch {
		case isNext:
			if line = w.next(rest); line == "" {
				continue
			}
		case isDialog && strings.HasPrefix(line, agentsDialogLine):
			line = before + "Answer with: " + w.answer()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// grantHint says how the person, who is the operator, gives the grant that a refusal names; "" for other refusals.
func grantHint(code messages.Code, sentence string) string {
	if code != messages.CodeNoGrant {
		return ""
	}
	for _, grant := range messages.AllGrants() {
		if strings.Contains(sentence, "grant "+string(grant)) {
			return "To give it: troupe serve --stop, which ends the browsers, then troupe --grant " + string(grant) + " open ..., or grants in the configuration."
		}
	}
	return ""
}

// dialogFirst puts the hint of a sentence about an open dialog into a verb.
func (w wording) dialogFirst(sentence string) string {
	return strings.Replace(sentence, agentsDialogFirst, "with `"+w.answer()+"`", 1)
}

func (w wording) answer() string { return "troupe dialog accept|dismiss " + w.target() }

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

// next says the tool call of a recovery as a command line; "" where no verb does the same.
func (w wording) next(call string) string {
	tool, arguments, _ := strings.Cut(call, " ")
	var given struct {
		Action    string `json:"action"`
		BrowserID string `json:"browser_id"`
	}
	if json.Unmarshal([]byte(arguments), &given) != nil {
		return ""
	}
	if w.browser == "" {
		w.browser = given.BrowserID
	}
	switch action := given.Action; {
	case tool == tools.Observe && (action == "browsers" || action == "pages"):
		return "Next: troupe list"
	case tool == tools.Observe && action == "downloads":
		w.page = ""
		return "Next: troupe downloads " + w.target()
	case tool == tools.Observe && (action == "snapshot" || action == "console" || action == "network"):
		return "Next: troupe " + action + " " + w.target()
	case tool == tools.Control && (action == "reload" || action == "back" || action == "forward"):
		return "Next: troupe navigate " + w.target() + " " + action
	}
	return ""
}
