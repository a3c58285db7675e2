package collect_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// lines gives a snapshot as one line a node, without ids.
func lines(s *messages.Snapshot) []string {
	out := make([]string, 0, len(s.Nodes))
	for _, n := range s.Nodes {
		n.ElementID, n.Ref = "", ""
		data, err := json.Marshal(n)
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		out = append(out, string(data))
	}
	return out
}

// compare takes a snapshot with each collector and returns the differences.
func (r *rig) compare(command messages.TakeSnapshot) []string {
	r.t.Helper()
	r.computed = true
	walker := r.snap(command)
	r.computed = false
	ax := r.snap(command)
	r.computed = true
	if walker.Snapshot.Collector != "walker" {
		return nil
	}
	return diff(lines(ax.Snapshot), lines(walker.Snapshot))
}

// diff is the shortest edit between two lists of lines, as - and + lines.
func diff(a, b []string) []string {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	var out []string
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && table[i+1][j] >= table[i][j+1]:
			out = append(out, "ax     "+a[i])
			i++
		default:
			out = append(out, "walker "+b[j])
			j++
		}
	}
	return out
}

func TestDifferentialForm(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.show(formPage)
	if d := r.compare(messages.TakeSnapshot{Mode: messages.ModeFull, MaxNodes: messages.SnapshotNodesMax}); len(d) > 0 {
		t.Errorf("%d differences:\n%s", len(d), strings.Join(d, "\n"))
	}
}
