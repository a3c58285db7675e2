package kernel

import (
	"testing"
	"time"
)

func TestSupervision_Budgets(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	for name, c := range map[string]struct {
		budget  budget
		earlier []time.Time
		at      time.Time
		ending  bool
		want    directive
		keep    int
	}{
		"first":                    {PageBudget, nil, at(0), false, Restart, 1},
		"third in the window":      {PageBudget, []time.Time{at(0), at(1)}, at(2), false, Restart, 3},
		"fourth in the window":     {PageBudget, []time.Time{at(0), at(1), at(2)}, at(9), false, Stop, 3},
		"fourth, the first is old": {PageBudget, []time.Time{at(0), at(1), at(2)}, at(10), false, Restart, 3},
		"browser's third":          {BrowserBudget, []time.Time{at(0), at(30)}, at(59), false, Stop, 2},
		"browser's third, later":   {BrowserBudget, []time.Time{at(0), at(30)}, at(60), false, Restart, 2},
		"ending already":           {PageBudget, nil, at(0), true, Stop, 0},
	} {
		got, recent := c.budget.Decide(c.earlier, c.at, c.ending)
		if got != c.want || len(recent) != c.keep {
			t.Errorf("%s: directive %d with %d to remember, want %d with %d", name, got, len(recent), c.want, c.keep)
		}
	}
}
