package snapshot_test

import "testing"

// R227: a hidden file input without a name is told apart by what is drawn around it.
func TestR227LabelsOfHiddenFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]string{"/zones": `
		<div><div>Contract</div><div><input type=file hidden><p>Drop it here</p></div></div>
		<div><div>Photos</div><span><input type=file multiple style="display:none"><button>Add</button></span></div>
		<div><div>Scan</div><input aria-label=Title><input type=file hidden></div>
		<div><div>Named</div><input type=file hidden aria-label="Own name"></div>`})
	r.open("/zones")
	out := r.snap("generation:1,mode:'full'")
	var labels []string
	for _, n := range out.Nodes {
		if n.Type == "file" {
			labels = append(labels, n.Name+"/"+n.Label)
		}
	}
	want := []string{"Choose File/Contract Drop it here", "Choose File/Photos Add", "Choose File/", "Own name/"}
	if len(labels) != len(want) {
		t.Fatalf("%q", labels)
	}
	for i := range want {
		if labels[i] != want[i] {
			t.Errorf("%q, want %q", labels[i], want[i])
		}
	}
}
