package pagetest

import (
	"context"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

// tidyWait bounds how long a tab is made fit for the next test; one that takes longer is thrown away.
const tidyWait = 3 * time.Second

// closeWait bounds how long a test waits for its context to be thrown away.
const closeWait = 10 * time.Second

// tab is a page in a browser context of its own.
type tab struct {
	context string
	target  cdp.TargetID
}

// take returns a tab that no other test has. A new one costs the browser a process, so a tab that a test has left tidy is
// used again.
func (b *Browser) take(ctx context.Context, t testing.TB, fresh bool) tab {
	t.Helper()
	b.mu.Lock()
	if n := len(b.free); n > 0 && !fresh {
		next := b.free[n-1]
		b.free = b.free[:n-1]
		b.mu.Unlock()
		return next
	}
	b.mu.Unlock()
	var made struct {
		Context string       `json:"browserContextId"`
		Target  cdp.TargetID `json:"targetId"`
	}
	Call(ctx, t, b.conn.Root(), "Target.createBrowserContext", nil, &made)
	Call(ctx, t, b.conn.Root(), "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": made.Context}, &made)
	return tab{made.Context, made.Target}
}

// give takes a tab back from a test.
func (b *Browser) give(used tab, session *cdp.Session, again bool) {
	if again && b.tidy(used, session) {
		b.mu.Lock()
		b.free = append(b.free, used)
		b.mu.Unlock()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	_ = b.conn.Root().Execute(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": used.context}, nil)
}

// tidy reports whether a tab is as good as new: it shows an empty page and has no history, no cookies, no permissions,
// no other page in its context and no session, whose end takes its emulation and scripts along. What pages store by
// origin stays, which no other test has.
func (b *Browser) tidy(used tab, session *cdp.Session) bool {
	ctx, cancel := context.WithTimeout(context.Background(), tidyWait)
	defer cancel()
	root := b.conn.Root()
	var targets struct {
		Infos []struct {
			Target  cdp.TargetID `json:"targetId"`
			Context string       `json:"browserContextId"`
			Type    string       `json:"type"`
		} `json:"targetInfos"`
	}
	if root.Execute(ctx, "Target.getTargets", nil, &targets) != nil {
		return false
	}
	for _, other := range targets.Infos {
		if other.Context == used.context && other.Type == "page" && other.Target != used.target {
			return false
		}
	}
	here := map[string]any{"browserContextId": used.context}
	for _, step := range []struct {
		session *cdp.Session
		method  string
		params  map[string]any
	}{
		{session, "Page.navigate", map[string]any{"url": "about:blank"}},
		{session, "Page.resetNavigationHistory", nil},
		{root, "Storage.clearCookies", here},
		{root, "Browser.resetPermissions", here},
		{root, "Browser.setDownloadBehavior", map[string]any{"behavior": "default", "browserContextId": used.context}},
		{root, "Target.detachFromTarget", map[string]any{"sessionId": session.ID()}},
	} {
		if step.session.Execute(ctx, step.method, step.params, nil) != nil {
			return false
		}
	}
	return true
}
