package tools

import (
	"net/url"
	"slices"

	"github.com/troupe-browser/troupe/messages"
)

// withLists returns the reply with every list that is part of the contract there, also when it is empty, so that the
// structure always fits its schema. The reply may be shared with others, so it is copied where it has to change.
func withLists(reply messages.Reply) messages.Reply {
	switch r := reply.(type) {
	case *messages.BrowserList:
		return whole(r, r.Browsers == nil, func(c *messages.BrowserList) { c.Browsers = []messages.BrowserSummary{} })
	case *messages.PageList:
		return whole(r, r.Pages == nil, func(c *messages.PageList) { c.Pages = []messages.PageSummary{} })
	case *messages.Offers:
		return whole(r, r.Offers == nil, func(c *messages.Offers) { c.Offers = []messages.Offer{} })
	case *messages.Snapshot:
		return whole(r, r.Unseen == nil, func(c *messages.Snapshot) { c.Unseen = []messages.Unseen{} })
	case *messages.ConsoleEntries:
		return whole(r, r.Entries == nil, func(c *messages.ConsoleEntries) { c.Entries = []messages.ConsoleEntry{} })
	case *messages.NetworkEntries:
		return whole(r, r.Entries == nil, func(c *messages.NetworkEntries) { c.Entries = []messages.NetworkEntry{} })
	case *messages.Diagnostics:
		return whole(r, r.Entries == nil, func(c *messages.Diagnostics) { c.Entries = []messages.DiagnosticsEntry{} })
	case *messages.DownloadList:
		return whole(r, r.Downloads == nil, func(c *messages.DownloadList) { c.Downloads = []messages.Download{} })
	case *messages.CookieList:
		return whole(r, r.Cookies == nil, func(c *messages.CookieList) { c.Cookies = []messages.Cookie{} })
	case *messages.StorageEntries:
		return whole(r, r.Entries == nil, func(c *messages.StorageEntries) { c.Entries = []messages.StorageEntry{} })
	}
	return reply
}

func whole[T any](r *T, lacking bool, fill func(*T)) *T {
	if !lacking {
		return r
	}
	c := *r
	fill(&c)
	return &c
}

// project returns the reply as a caller of the plane may see it (R4, C4). The operator sees it as it is. For everybody
// else the few fields that are the operator's are taken out of a copy, since the reply may be shared with others.
// Operator texts of errors and receipts, and the pictures, are in no JSON form at all.
func project(plane messages.Plane, reply messages.Reply) messages.Reply {
	if plane == messages.PlaneOperator {
		return reply
	}
	switch r := reply.(type) {
	case *messages.Receipt:
		if r == nil || len(r.Downloads) == 0 {
			return reply
		}
		c := *r
		c.Downloads = withoutPaths(r.Downloads)
		return &c
	case *messages.DownloadList:
		c := *r
		c.Downloads = withoutPaths(r.Downloads)
		return &c
	case *messages.NetworkEntries:
		c := *r
		c.Entries = slices.Clone(r.Entries)
		for i := range c.Entries {
			c.Entries[i].URL = withoutQuery(c.Entries[i].URL)
		}
		return &c
	case *messages.Diagnostics:
		c := *r
		c.Entries = slices.Clone(r.Entries)
		for i, e := range c.Entries {
			if e.Request != nil {
				cut := *e.Request
				cut.URL = withoutQuery(cut.URL)
				c.Entries[i].Request = &cut
			}
		}
		return &c
	case *messages.NetworkDetail:
		c := *r
		c.URL = withoutQuery(c.URL)
		return &c
	case *messages.Screenshot:
		c := *r
		c.Full = nil
		return &c
	case *messages.Engine:
		return nil
	}
	return reply
}

func withoutPaths(downloads []messages.Download) []messages.Download {
	out := slices.Clone(downloads)
	for i := range out {
		out[i].Path = ""
	}
	return out
}

// withoutQuery cuts query and fragment. A text that is no URL is cut as if it were one.
func withoutQuery(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		for i, r := range raw {
			if r == '?' || r == '#' {
				return raw[:i]
			}
		}
		return raw
	}
	u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment, u.User = "", false, "", "", nil
	return u.String()
}
