package inspect

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

func (r *rig) job() (Job, *ticket) {
	p := &ticket{}
	return Job{Page: r.page(), Progress: p, Operation: "op"}, p
}

// check fails unless the receipt and the ticket say the same.
func check(t *testing.T, receipt *messages.Receipt, p *ticket, state messages.ExecutionState, code messages.Code) {
	t.Helper()
	if receipt.ExecutionState != state || receipt.Code != code || receipt.OperationID != "op" {
		t.Fatalf("got %s %q %q, want %s %q", receipt.ExecutionState, receipt.Code, receipt.Message, state, code)
	}
	open := p.begun.Load() - p.changed.Load() - p.takenBack.Load()
	switch state {
	case messages.Completed:
		if p.changed.Load() != 1 || open != 0 {
			t.Fatalf("completed with %d changed and %d open", p.changed.Load(), open)
		}
	case messages.NotStarted:
		if p.changed.Load() != 0 || open != 0 {
			t.Fatalf("not started with %d changed and %d open", p.changed.Load(), open)
		}
	default:
		if open != 1 {
			t.Fatalf("unknown with %d open", open)
		}
	}
}

func (r *rig) cookies(all bool) string {
	r.t.Helper()
	list, err := Cookies(r.ctx, r.page(), &messages.GetCookies{All: all})
	if err != nil {
		r.t.Fatal(err)
	}
	var out []string
	for _, c := range list.Cookies {
		out = append(out, c.Name+"="+c.Value)
	}
	return strings.Join(out, " ")
}

func (r *rig) mutate(command messages.MutateCookies, state messages.ExecutionState, code messages.Code) {
	r.t.Helper()
	job, p := r.job()
	check(r.t.(*testing.T), MutateCookies(r.ctx, job, &command), p, state, code)
}

// Cookies are listed unredacted, set, deleted and cleared (R146, R148, C3).
func TestCookies(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": func(w http.ResponseWriter, q *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "abc", HttpOnly: true, SameSite: http.SameSiteLaxMode})
		http.SetCookie(w, &http.Cookie{Name: "until", Value: "later", MaxAge: 3600})
	}})
	list, err := Cookies(r.ctx, r.page(), &messages.GetCookies{})
	if err != nil || len(list.Cookies) != 2 {
		t.Fatalf("got %+v, %v", list, err)
	}
	sid, until := list.Cookies[0], list.Cookies[1]
	if sid.Name != "sid" || !sid.HTTPOnly || sid.SameSite != "lax" || !sid.Expires.IsZero() || sid.Size != 6 {
		t.Errorf("session cookie is %+v", sid)
	}
	if left := time.Until(until.Expires); left < 50*time.Minute || left > 70*time.Minute {
		t.Errorf("the cookie expires at %v", until.Expires)
	}
	set := func(c messages.Cookie, url string) messages.MutateCookies {
		return messages.MutateCookies{Change: messages.CookieSet, Cookie: c, URL: url}
	}
	expires := time.Now().Add(48 * time.Hour).Truncate(time.Second)
	r.mutate(set(messages.Cookie{Name: "mine", Value: "1", SameSite: "strict", Expires: expires}, ""), messages.Completed, "")
	r.mutate(set(messages.Cookie{Name: "other", Value: "2"}, "http://other.test/"), messages.Completed, "")
	r.mutate(set(messages.Cookie{Name: "below", Value: "3", Domain: "sub.other.test"}, ""), messages.Completed, "")
	if got := r.cookies(false); got != "mine=1 sid=abc until=later" {
		t.Errorf("the page's cookies are %q", got)
	}
	if got := r.cookies(true); got != "mine=1 sid=abc until=later other=2 below=3" {
		t.Errorf("all cookies are %q", got)
	}
	list, _ = Cookies(r.ctx, r.page(), &messages.GetCookies{})
	if c := list.Cookies[0]; c.SameSite != "strict" || !c.Expires.Equal(expires) {
		t.Errorf("the cookie set is %+v", c)
	}
	r.mutate(set(messages.Cookie{Name: "bad", Value: "1", SameSite: "none"}, ""), messages.NotStarted, messages.CodeInvalidValue)
	r.mutate(messages.MutateCookies{Change: messages.CookieDelete, Cookie: messages.Cookie{Name: "mine"}}, messages.Completed, "")
	r.mutate(messages.MutateCookies{Change: messages.CookieClear}, messages.Completed, "")
	if got := r.cookies(true); got != "other=2 below=3" {
		t.Errorf("after clearing the page's: %q", got)
	}
	r.mutate(messages.MutateCookies{Change: messages.CookieClear, Cookie: messages.Cookie{Domain: "other.test"}}, messages.Completed, "")
	if got := r.cookies(true); got != "" {
		t.Errorf("after clearing a domain: %q", got)
	}
	r.mutate(set(messages.Cookie{Name: "other", Value: "2"}, "http://other.test/"), messages.Completed, "")
	r.mutate(messages.MutateCookies{Change: messages.CookieClear, Cookie: messages.Cookie{Domain: AllCookies}}, messages.Completed, "")
	if got := r.cookies(true); got != "" {
		t.Errorf("after clearing all: %q", got)
	}
}

// The protocol drops a homeless cookie without a word; here it is refused with the fix (R146).
func TestCookies_AHomelessOneIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{})
	for _, url := range []string{"about:blank", "data:text/html,x"} {
		r.visit(url)
		for _, change := range []messages.CookieChange{messages.CookieSet, messages.CookieDelete, messages.CookieClear} {
			job, p := r.job()
			receipt := MutateCookies(r.ctx, job, &messages.MutateCookies{Change: change, Cookie: messages.Cookie{Name: "a", Value: "b"}})
			check(t, receipt, p, messages.NotStarted, messages.CodeStorageUnavailable)
			if !strings.Contains(receipt.Message, "Navigate") {
				t.Errorf("the refusal names no fix: %s", receipt.Message)
			}
		}
	}
	r.mutate(messages.MutateCookies{Change: messages.CookieSet, URL: "http://site.test/", Cookie: messages.Cookie{Name: "a", Value: "b"}}, messages.Completed, "")
}

func TestCookies_AreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": "x"})
	for i := range 6 {
		cookies := []map[string]any{}
		for n := range 60 {
			cookies = append(cookies, map[string]any{"name": fmt.Sprint("c", n), "value": strings.Repeat("v", 100), "domain": fmt.Sprintf("d%d.test", i), "path": "/"})
		}
		r.call(r.session, "Network.setCookies", map[string]any{"cookies": cookies}, nil)
	}
	list, err := Cookies(r.ctx, r.page(), &messages.GetCookies{All: true})
	if err != nil || len(list.Cookies) != messages.CookiesShownMax || !list.Truncated {
		t.Errorf("%d cookies, truncated %v, %v", len(list.Cookies), list.Truncated, err)
	}
}

// Both storages are read and changed at the page's own origin, within their bounds (R147, R148).
func TestStorage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": `<script>
		Storage.prototype.getItem = () => "forged"; JSON.stringify = () => "forged";
		localStorage.setItem("b", "2"); localStorage.setItem("a", "1"); sessionStorage.setItem("s", "x".repeat(5000));</script>`})
	read := func(area messages.StorageArea, key string) *messages.StorageEntries {
		t.Helper()
		got, err := Storage(r.ctx, r.page(), &messages.GetStorage{Area: area, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	change := func(c messages.MutateStorage, state messages.ExecutionState, code messages.Code) {
		t.Helper()
		job, p := r.job()
		check(t, MutateStorage(r.ctx, job, &c), p, state, code)
	}
	if got := read(messages.AreaLocal, ""); fmt.Sprint(got.Entries) != "[{a 1 false} {b 2 false}]" || got.Truncated {
		t.Errorf("local is %+v", got)
	}
	if got := read(messages.AreaSession, "").Entries; len(got) != 1 || len(got[0].Value) != messages.StorageValueCharsMax || !got[0].Truncated {
		t.Errorf("session has %d entries", len(got))
	}
	if got := read(messages.AreaLocal, "b").Entries; len(got) != 1 || got[0].Value != "2" {
		t.Errorf("one key is %+v", got)
	}
	if got := read(messages.AreaLocal, "none"); len(got.Entries) != 0 {
		t.Errorf("a missing key is %+v", got)
	}
	change(messages.MutateStorage{Area: messages.AreaLocal, Key: "c", Value: "</script>\u2028\"'"}, messages.Completed, "")
	change(messages.MutateStorage{Area: messages.AreaLocal, Key: "a", Remove: true}, messages.Completed, "")
	if got := r.js(`Object.keys(localStorage).sort().join()+localStorage.c`); got != `"b,c</script>\u2028\"'"` && got != "\"b,c</script>\u2028\\\"'\"" {
		t.Errorf("the page sees %s", got)
	}
	change(messages.MutateStorage{Area: messages.AreaSession, Clear: true}, messages.Completed, "")
	if got := read(messages.AreaSession, ""); len(got.Entries) != 0 {
		t.Errorf("after a clear: %+v", got)
	}
	r.js(`localStorage.clear();for(let i=0;i<64;i++)localStorage["k"+String(i).padStart(3,"0")]="y".repeat(1900)`)
	if got := read(messages.AreaLocal, ""); !got.Truncated || len(got.Entries) < 30 || len(got.Entries) > 34 {
		t.Errorf("a large listing has %d entries, truncated %v", len(got.Entries), got.Truncated)
	}
	r.js(`try{for(let i=0;;i++)localStorage["z"+i]="y".repeat(500000)}catch{}`)
	change(messages.MutateStorage{Area: messages.AreaLocal, Key: "more", Value: strings.Repeat("x", messages.StorageBytesMax)}, messages.Completed, "")
	r.js(`try{for(let i=0;;i++)localStorage["q"+i]="y".repeat(1000)}catch{}`)
	change(messages.MutateStorage{Area: messages.AreaLocal, Key: "full", Value: strings.Repeat("x", messages.StorageBytesMax)}, messages.NotStarted, messages.CodeStorageUnavailable)
}

// An origin without storage is refused with the fix (R147).
func TestStorage_OriginsWithout(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/boxed": func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Security-Policy", "sandbox allow-scripts")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "boxed")
	}})
	for _, path := range []string{"about:blank", "data:text/html,x", "/boxed"} {
		r.visit(path)
		_, err := Storage(r.ctx, r.page(), &messages.GetStorage{Area: messages.AreaLocal})
		if code(err) != messages.CodeStorageUnavailable || !strings.Contains(err.Error(), "Navigate to an http") {
			t.Errorf("%s: %v", path, err)
		}
		job, p := r.job()
		check(t, MutateStorage(r.ctx, job, &messages.MutateStorage{Area: messages.AreaSession, Key: "a", Value: "b"}), p, messages.NotStarted, messages.CodeStorageUnavailable)
	}
}

// A change is fenced by the document: one that was left before is proved untouched.
func TestStorage_FencedByTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": "x", "/two": "y"})
	job, p := r.job()
	r.visit("/two")
	check(t, MutateStorage(r.ctx, job, &messages.MutateStorage{Area: messages.AreaLocal, Key: "a", Value: "b"}), p, messages.NotStarted, messages.CodeSnapshotStale)
	if got := r.js(`localStorage.length`); got != "0" {
		t.Errorf("%s keys were written", got)
	}
}
