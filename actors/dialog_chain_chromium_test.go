package actors

import (
	"fmt"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// The answer to a dialog waits for what its script does next, and names the dialog that
// is open then (R121).
func TestChromium_AnswersNameTheNextDialog(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	r := newRig(t, chromiumConfig(t))
	page := r.open(r.launch().BrowserID, site.URL("/dialog-chain-apart"))
	said := func(d *messages.Dialog) string {
		if d == nil {
			return "none"
		}
		return fmt.Sprint(d.Kind, " ", d.Open, d.Answered)
	}
	for _, c := range []struct {
		button              string
		first, second, last string
		posts               int
	}{
		{"At once", "prompt true", "confirm true", "confirm falseaccepted", 0},
		{"Later", "confirm true", "alert true", "alert falseaccepted", 0},
		{"Saves", "confirm true", "alert true", "alert falseaccepted", 1},
	} {
		clicked := r.effect(&messages.Click{OnElement: on(page, r.element(r.snapshot(page), "button", c.button))})
		second := r.effect(&messages.HandleDialog{PageAddress: page, Accept: true, PromptText: text(c.first)})
		posts := 0
		if second.Requests != nil {
			for _, one := range second.Requests.List {
				if one.Method == "POST" && one.Path == "/json" {
					posts++
				}
			}
		}
		last := r.effect(&messages.HandleDialog{PageAddress: page, Accept: true})
		if said(clicked.Dialog) != c.first || said(second.Dialog) != c.second || said(last.Dialog) != c.last || posts != c.posts {
			t.Errorf("%s: %s, then %s, then %s; %d posts", c.button, said(clicked.Dialog), said(second.Dialog), said(last.Dialog), posts)
		}
		if last.Stability == nil || !last.Stability.Stable {
			t.Errorf("%s: the last answer says %+v", c.button, last.Stability)
		}
	}
	_, err := r.caller.Effect(r.ctx, &messages.HandleDialog{PageAddress: page, Accept: true})
	if err == nil || messages.AsError(err).Code != messages.CodeDialogMissing {
		t.Errorf("with no dialog: %v", err)
	}
}

// text answers a prompt and nothing else, which takes none.
func text(first string) string {
	if first == "prompt true" {
		return "Ada"
	}
	return ""
}

// A page that asks whether it may be left is left by every action that leaves it, and no
// question stays open.
func TestChromium_LeavingAnswersTheQuestion(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	r := newRig(t, chromiumConfig(t))
	page := r.open(r.launch().BrowserID, site.URL("/demo"))
	for _, leave := range []messages.Effect{
		&messages.Reload{PageAddress: page}, &messages.Back{PageAddress: page}, &messages.Forward{PageAddress: page},
	} {
		if _, forward := leave.(*messages.Forward); !forward {
			r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/dialog-beforeunload")})
		} else {
			r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/dialog-beforeunload")})
			r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
			r.effect(&messages.Back{PageAddress: page})
		}
		field := r.element(r.snapshot(page), "textbox", "Draft")
		r.effect(&messages.InputText{OnElement: on(page, field), Text: "x"})
		began := time.Now()
		receipt := r.effect(leave)
		if receipt.Document != messages.DocumentNavigated || receipt.LoadState != messages.LoadComplete || time.Since(began) > 10*time.Second {
			t.Errorf("%s: %+v after %v", leave.Action(), receipt, time.Since(began))
		}
		if d := r.summary(page).Dialog; d != nil {
			t.Errorf("%s leaves a dialog: %+v", leave.Action(), d)
		}
	}
}
