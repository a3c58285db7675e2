package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// What appears in a browser at an address of the browser's own, or at one of this machine's
// files, is closed and never listed, and the effect that it happens during tells it. So is
// a page that goes to such an address.
func TestChromium_ForeignTargetsAreNoPages(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	config := chromiumConfig(t)
	b := newBeside(t, &config)
	r := newRig(t, config)
	page := r.launch()
	r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
	for url, scheme := range map[string]string{
		"chrome://version/": "chrome", "chrome://newtab/": "chrome", "file:///etc/hostname": "file", "view-source:" + site.URL("/demo"): "view-source",
		"data:text/html,<p>x": "data", "chrome-untrusted://new-tab-page/": "chrome-untrusted",
	} {
		// One that opens between two effects is told to none.
		var told []messages.OpenedPage
		r.eventually(url+" is told", func() bool {
			opened := make(chan struct{})
			go func() { defer close(opened); b.call("", "Target.createTarget", map[string]any{"url": url}) }()
			for range 3 {
				told = append(told, r.effect(&messages.Reload{PageAddress: page}).OpenedPages...)
			}
			<-opened
			return len(told) > 0
		})
		if told[0] != (messages.OpenedPage{Closed: true, Scheme: scheme}) {
			t.Errorf("%s is told as %+v", url, told[0])
		}
		if pages := r.pages(page.BrowserID); len(pages) != 1 {
			t.Errorf("%s: pages are %+v", url, pages)
		}
		r.eventually(url+" is closed", func() bool { return len(b.targets()) == 1 })
	}

	for _, url := range []string{"chrome://version/", "view-source:" + site.URL("/demo"), "data:text/html,<p>x"} {
		second := r.open(page.BrowserID, site.URL("/form-twenty"))
		for _, target := range b.targets() {
			if target.URL == site.URL("/form-twenty") {
				b.call(b.session(target.TargetID), "Page.navigate", map[string]any{"url": url})
			}
		}
		r.eventually(url+" is closed", func() bool { return len(b.targets()) == 1 })
		_, err := r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: second})
		wantCode(t, err, messages.CodeStalePage)
		if pages := r.pages(page.BrowserID); len(pages) != 1 {
			t.Errorf("%s: pages are %+v", url, pages)
		}
	}
}
