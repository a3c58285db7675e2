package browser

import (
	"slices"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/messages"
)

// newTabURL is what a person's new tab shows until an address is typed into it.
const newTabURL = "chrome://newtab/"

// schemeBytesMax bounds the scheme of a closed page in a receipt; a longer one is told as
// schemeOdd, as is one that is no scheme.
const (
	schemeBytesMax = 32
	schemeOdd      = "other"
)

// foreign returns the scheme of an address that no page of ours may be at, and "" for one
// that it may: http, https, a blob of theirs, about:blank, the browser's error page, and no
// address yet. What is at any other is the browser's own, a file of this machine, or
// content that no site answers for.
func foreign(url string) string {
	scheme, rest, found := strings.Cut(url, ":")
	scheme = strings.ToLower(scheme)
	switch {
	case url == "", scheme == "http", scheme == "https", scheme == "chrome-error":
		return ""
	case scheme == "blob" && (strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://")):
		return ""
	case scheme == "about":
		if path, _, _ := strings.Cut(rest, "#"); path == "blank" || strings.HasPrefix(path, "blank?") {
			return ""
		}
	}
	odd := strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != ""
	if !found || odd || scheme == "" || len(scheme) > schemeBytesMax {
		return schemeOdd
	}
	return scheme
}

// spared reports that a foreign page stays, out of reach: a person's new tab in a browser
// that a person sees. It becomes a page when it shows a site.
func (m *Machine) spared(url string, p *pageEntry) bool {
	return m.visible && url == newTabURL && p.opener == "" && p.creator == nil
}

// seen reports whether a person sees a browser: one of somebody else's, or as configured.
func seen(mode messages.LaunchMode, config kernel.Config) bool {
	switch mode {
	case messages.LaunchEndpoint:
		return true
	case messages.LaunchManaged:
		return !config.Hidden
	}
	return config.Visible
}

// used counts the pages that are in reach.
func (m *Machine) used() int {
	count := 0
	for _, p := range m.Pages {
		if !p.foreign {
			count++
		}
	}
	return count
}

// refuse closes a target that must not become a page, and remembers it for the receipt of
// the effect that opened it.
func (m *Machine) refuse(p *pageEntry, scheme string, at time.Time) []Effect {
	m.noteOpening(opening{opener: p.opener, scheme: scheme, at: at})
	return []Effect{&CloseUnwanted{p.target.Target}}
}

// moved takes in where a page is now, and ends one that has gone to a foreign address.
func (m *Machine) moved(p *pageEntry, url, title string) []Effect {
	scheme := foreign(url)
	p.foreign = scheme != ""
	if !p.foreign || m.spared(url, p) {
		return []Effect{&tellPage{p.ID, &page.InfoChanged{URL: url, Title: title}}}
	}
	for i := range m.openings {
		if m.openings[i].page == p.ID {
			m.openings[i].page, m.openings[i].scheme = "", scheme
		}
	}
	cause := m.NoSuchPage()
	cause.Detail = "The page went to an address of the scheme " + scheme + " and was closed. Pages are at http and https addresses."
	effects := append(m.remove(p), &EndPage{p.ID, cause}, &CloseUnwanted{p.target.Target})
	if p.creator != nil {
		effects = append(effects, &FailCall{p.creator, cause})
	}
	return effects
}

// noteOpening remembers that something opened, for receipts; the oldest is forgotten at
// kernel.OpeningsMax.
func (m *Machine) noteOpening(o opening) {
	m.openings = append(m.openings, o)
	if len(m.openings) > kernel.OpeningsMax {
		m.openings = slices.Delete(m.openings, 0, 1)
	}
}

// witness tells a runner what opened from its page and what was downloaded since. What was
// closed at once and has no known opener is told to every effect that it happened during.
func (m *Machine) witness(id messages.PageID, since time.Time) page.Witnessed {
	var out page.Witnessed
	for _, o := range m.openings {
		told := o.opener == id || o.opener == "" && o.scheme != ""
		if !told || o.at.Before(since) || len(out.Opened) == messages.ReceiptPagesMax {
			continue
		}
		opened := messages.OpenedPage{PageID: o.page, OpenerPageID: o.opener, Closed: o.scheme != "", Scheme: o.scheme}
		if p := m.page(o.page); p != nil {
			opened.URL = p.summary.URL
		}
		out.Opened = append(out.Opened, opened)
	}
	out.Downloads = m.downloadsSince(id, since)
	return out
}
