package snapshot_test

import (
	"fmt"
	"testing"

	"github.com/troupe-browser/troupe/snapshot"
)

// What cannot take the focus may be declared to be nothing. Then the accessibility
// tree shows the parts of a date field and not the field: it stands before them,
// under its own label, with its own value and state (R64). The walker, which sees no
// parts, gives it the same way.
func TestR64OwnerOfShownPartsIsPromoted(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]string{
		"/parts": `<label>Born <input type=date value=2001-02-03 role=none disabled></label><label>At <input type=time value=08:30 role=presentation disabled></label>`,
		"/whole": `<label>Born <input type=date value=2001-02-03></label>`,
	})
	r.open("/parts")
	tree := r.tree()
	var order []string
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		switch {
		case n.Facts.Has(snapshot.Promoted):
			value := ""
			if n.Value != nil {
				value = *n.Value
			}
			order = append(order, fmt.Sprintf("%s %s = %s disabled %s", n.Role, n.Name, value, state4(n.Disabled)))
		case n.Shadow == snapshot.BrowserRoot:
			if len(order) == 0 {
				t.Errorf("the part %q stands before its owner", n.Name)
			}
			if len(n.Actions) > 0 {
				t.Errorf("the part %q admits %v", n.Name, n.Actions)
			}
		}
	}
	if got := fmt.Sprint(order); got != "[Date Born = 2001-02-03 disabled true InputTime At = 08:30 disabled true]" {
		t.Errorf("promoted %s", got)
	}
	out := r.snap("generation:1,mode:'full'")
	for name, role := range map[string]string{"Born": "Date", "At": "InputTime"} {
		if n := out.find(t, name); n.Role != role || n.Disabled == nil || !*n.Disabled || len(n.Actions) > 0 || n.Value == nil {
			t.Errorf("the walker gives %+v", n)
		}
	}
	r.open("/whole")
	for _, n := range r.tree().Nodes {
		if n.Facts.Has(snapshot.Promoted) || n.Shadow == snapshot.BrowserRoot {
			t.Errorf("a control that the tree shows whole is given as %+v", n)
		}
	}
}
