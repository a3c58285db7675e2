package actors

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
		"first":                    {pageBudget, nil, at(0), false, restart, 1},
		"third in the window":      {pageBudget, []time.Time{at(0), at(1)}, at(2), false, restart, 3},
		"fourth in the window":     {pageBudget, []time.Time{at(0), at(1), at(2)}, at(9), false, stop, 3},
		"fourth, the first is old": {pageBudget, []time.Time{at(0), at(1), at(2)}, at(10), false, restart, 3},
		"browser's third":          {browserBudget, []time.Time{at(0), at(30)}, at(59), false, stop, 2},
		"browser's third, later":   {browserBudget, []time.Time{at(0), at(30)}, at(60), false, restart, 2},
		"ending already":           {pageBudget, nil, at(0), true, stop, 0},
	} {
		got, recent := c.budget.decide(c.earlier, c.at, c.ending)
		if got != c.want || len(recent) != c.keep {
			t.Errorf("%s: directive %d with %d to remember, want %d with %d", name, got, len(recent), c.want, c.keep)
		}
	}
}
