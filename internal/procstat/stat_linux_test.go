package procstat

import "testing"

func TestParse(t *testing.T) {
	line := "12 (a) R (b) Z 1 34 34 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 0 0"
	got, err := parse([]byte(line))
	if err != nil || got != (Stat{State: 'Z', Group: 34, Start: 987654}) || !got.Ended() {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range []string{"", "12 a R", "12 (a)", "12 (a) R 1 x", "12 (a) R 1 2 3"} {
		if _, err := parse([]byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
