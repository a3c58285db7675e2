package verbs

import (
	"fmt"
	"strings"

	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// findBrowser resolves the address of a browser: its short reference browser:N, its id, or a prefix of its id that fits
// no other (R22).
func findBrowser(browsers []messages.BrowserSummary, address string) (messages.BrowserSummary, *messages.Error) {
	var fitting []messages.BrowserSummary
	for _, b := range browsers {
		if b.Short == address || string(b.BrowserID) == address {
			return b, nil
		}
		if address != "" && strings.HasPrefix(string(b.BrowserID), address) {
			fitting = append(fitting, b)
		}
	}
	switch len(fitting) {
	case 1:
		return fitting[0], nil
	case 0:
		return messages.BrowserSummary{}, messages.NewError(messages.CodeBrowserNotFound, "No browser %q. %s", program.ClampWord(address), known(browsers))
	}
	return messages.BrowserSummary{}, messages.NewError(messages.CodeBrowserAmbiguous, "%q fits %d browsers. Give more of the id, or one of: %s.", program.ClampWord(address), len(fitting), shorts(fitting))
}

func known(browsers []messages.BrowserSummary) string {
	if len(browsers) == 0 {
		return "There is none; open one with: troupe open"
	}
	return "There is " + shorts(browsers) + "."
}

func shorts(browsers []messages.BrowserSummary) string {
	names := make([]string, len(browsers))
	for i, b := range browsers {
		names[i] = b.Short
	}
	return strings.Join(names, ", ")
}

// findPage resolves the page of a browser: a page id or an unambiguous prefix, its place in the list from 1, or, when
// nothing is given, the page that is presented, else the only one.
func findPage(pages []messages.PageSummary, address string) (messages.PageSummary, *messages.Error) {
	if address == "" {
		for _, p := range pages {
			if p.Presented {
				return p, nil
			}
		}
		if len(pages) == 1 {
			return pages[0], nil
		}
		return messages.PageSummary{}, messages.NewError(messages.CodeInvalidRequest, "The browser has %d pages and presents none. Name one with --page.", len(pages))
	}
	var fitting []messages.PageSummary
	for i, p := range pages {
		if string(p.PageID) == address || fmt.Sprint(i+1) == address {
			return p, nil
		}
		if strings.HasPrefix(string(p.PageID), address) {
			fitting = append(fitting, p)
		}
	}
	if len(fitting) == 1 {
		return fitting[0], nil
	}
	return messages.PageSummary{}, messages.NewError(messages.CodeStalePage, "%d pages fit %q. The list command shows them.", len(fitting), program.ClampWord(address))
}
