package snapshot

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

// pageFiles are the page-side functions. Their numbers give the order in which
// they are joined; declarations of one file are visible in all of them.
//
//go:embed page/*.js
var pageFiles embed.FS

// The frame around the joined files. A world that is asked to boot twice for
// the same document keeps what it has. The browser uses the window of a frame's
// first, empty document again for the document that replaces it, when both are of
// one origin: it neither makes a new world then nor runs this script again. So the
// source is a function that the world itself runs once more as soon as a call or
// an event finds the document changed; everything begins anew, because elements
// and listeners went with the old document.
const (
	bootOpen  = "(function boot() {\n\"use strict\";\nif (globalThis.troupe && globalThis.troupe.home === globalThis.document) return;\n"
	bootClose = "})();\n"
)

var bootSource = sync.OnceValue(func() string {
	names, err := fs.Glob(pageFiles, "page/*.js")
	if err != nil || len(names) == 0 {
		return "" // Cannot happen: the pattern is constant and the files are embedded.
	}
	var source strings.Builder
	source.WriteString(bootOpen)
	for _, name := range names {
		text, err := pageFiles.ReadFile(name)
		if err != nil {
			return ""
		}
		for line := range strings.Lines(string(text)) {
			// Every document compiles the source: it goes without comments.
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				source.WriteString(line)
				source.WriteByte('\n')
			}
		}
	}
	source.WriteString(bootClose)
	return source.String()
})

// BootSource returns the script that the runtime installs in an isolated world
// of every document (Page.addScriptToEvaluateOnNewDocument with worldName and
// runImmediately), before the page's first script. Its one global there is
// `troupe`; page/00_api.js describes it (R33, R35, R41, R158).
func BootSource() string {
	return bootSource()
}
