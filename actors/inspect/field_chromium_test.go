package inspect

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/troupe-browser/troupe/messages"
)

// One field of the page, whole or below a selector (R58, C2).
func TestField(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": `<title>A title</title><p id=p>Some <b>text</b></p><p hidden>hidden</p>
		<input id=i value=typed><input id=w type=password value=hunter2><form><input id=v type=password value=hunter3></form>
		<div id=long></div><script>long.textContent="€".repeat(200000)</script>`})
	cases := []struct{ field, selector, want string }{
		{"url", "", r.origin + "/"},
		{"title", "", "A title"},
		{"text", "#p", "Some text"},
		{"html", "#p", `<p id="p">Some <b>text</b></p>`},
		{"text", "#i", "typed"},
		{"text", "#w", ""},
		{"html", "#w", `<input id="w" type="password">`},
		{"html", "form", `<form><input id="v" type="password"></form>`},
	}
	for _, c := range cases {
		got, err := Field(r.ctx, r.page(), &messages.ReadField{Field: c.field, Selector: c.selector})
		if err != nil || got.Value != c.want || got.Field != c.field || got.Truncated {
			t.Errorf("%s %s: %+v, %v, want %q", c.field, c.selector, got, err, c.want)
		}
	}
	for _, field := range []string{"text", "html"} {
		got, err := Field(r.ctx, r.page(), &messages.ReadField{Field: field})
		if err != nil || !got.Truncated || len(got.Value) > fieldBytesMax || len(got.Value) < fieldBytesMax-4 || !utf8.ValidString(got.Value) {
			t.Fatalf("%s: %d bytes, truncated %v, %v", field, len(got.Value), got.Truncated, err)
		}
		if strings.Contains(got.Value, "hunter") || field == "text" && strings.Contains(got.Value, "hidden") {
			t.Errorf("%s gives away %q", field, got.Value[:200])
		}
	}
	// What was a password stays withheld, and reading changes nothing in the page (R57).
	r.js(`w.type="text"`)
	got, err := Field(r.ctx, r.page(), &messages.ReadField{Field: "text", Selector: "#w"})
	if err != nil || got.Value != "" {
		t.Errorf("a field that was a password gives %+v, %v", got, err)
	}
	if v := r.js(`v.getAttribute("value")`); v != `"hunter3"` {
		t.Errorf("reading changed the page: %s", v)
	}
	for _, selector := range []string{"#none", "p["} {
		if _, err := Field(r.ctx, r.page(), &messages.ReadField{Field: "text", Selector: selector}); code(err) != messages.CodeInvalidRequest {
			t.Errorf("%s gives %v", selector, err)
		}
	}
}

// URL and title need no answer of the page.
func TestField_OfAPageThatHangs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": `<title>Busy</title>`})
	opened := r.session.Tap(1, func(method string) bool { return method == "Page.javascriptDialogOpening" })
	defer opened.Close()
	r.js(`setTimeout(()=>alert(1),0)`)
	select {
	case <-opened.C():
	case <-r.ctx.Done():
		t.Fatal("the dialog did not open")
	}
	got, err := Field(r.ctx, r.page(), &messages.ReadField{Field: "title"})
	if err != nil || got.Value != "Busy" {
		t.Errorf("got %+v, %v", got, err)
	}
	r.call(r.session, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
}
