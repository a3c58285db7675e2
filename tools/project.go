package tools

import (
	"net/url"
	"slices"

	"github.com/troupe-browser/troupe/messages"
)

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
