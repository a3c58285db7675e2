package page

import (
	"slices"
	"testing"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// An effect is refused unless the element's actions name it, whatever the element
// is; an observation of it needs none (R67).
func TestFenceR67OnlyTheActionsThatAreNamed(t *testing.T) {
	named := []messages.Action{"click", "set_value"}
	record := &snapshot.Record{ElementID: "el_n_1_0", Ref: "e1", Actions: named}
	f := &fence{nonce: "n", generation: 1, firstRef: 1, nextRef: 2,
		byID: map[messages.ElementID]*snapshot.Record{record.ElementID: record}, byRef: map[messages.Ref]*snapshot.Record{record.Ref: record}}
	for _, action := range []messages.Action{"", "click", "set_value", "input_text", "select_option", "select_choice", "set_date", "upload_file", "hover", "scroll", "drag"} {
		for _, handle := range []messages.ElementHandle{"e1", "el_n_1_0"} {
			_, err := f.resolve(handle, action)
			if action == "" || slices.Contains(named, action) {
				if err != nil {
					t.Errorf("%q on %s: %v", action, handle, err)
				}
			} else if err == nil || err.Code != messages.CodeElementActionUnsupported {
				t.Errorf("%q on %s: %v", action, handle, err)
			}
		}
	}
}
