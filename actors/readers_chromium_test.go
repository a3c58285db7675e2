package actors

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// What an operator looks at ends no id of the agent's, whichever collector answers,
// and each of the two acts by the ids that it was given (C40).
func TestChromium_C40AnOperatorLooksBesideAnAgent(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Two</title><p>Head</p><main><button onclick="this.textContent='Pressed'">Press</button>
<button onclick="this.textContent='Done'">Do</button></main>`))
	}))
	defer site.Close()
	r := newRig(t, chromiumConfig(t))
	page := r.open(r.launch().BrowserID, site.URL+"/")
	s := r.snapshot(page)
	press, do := r.element(s, "button", "Press"), r.element(s, "button", "Do")
	operator := r.runtime.As(messages.Caller{ID: "cli:operator", Plane: messages.PlaneOperator, Grants: messages.DefaultGrants()})
	for _, selector := range []string{"", "main", ""} {
		looked, err := operator.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page, Selector: selector})
		if err != nil || len(looked.Nodes) == 0 {
			t.Fatalf("the operator's snapshot of %q: %+v, %v", selector, looked, err)
		}
		s = looked
	}
	theirs := r.element(s, "button", "Do")
	r.effect(&messages.Click{OnElement: on(page, press)})
	if _, err := operator.Effect(r.ctx, &messages.Click{OnElement: on(page, theirs)}); err != nil {
		t.Errorf("the operator's own id: %v", err)
	}
	if receipt, err := operator.Effect(r.ctx, &messages.Click{OnElement: on(page, do)}); err == nil {
		t.Errorf("the operator acted by an id of the agent's: %+v", receipt)
	}
	s = r.snapshot(page)
	r.element(s, "button", "Pressed")
	r.element(s, "button", "Done")
}
