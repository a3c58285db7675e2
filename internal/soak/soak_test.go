package soak

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// log keeps what a test would log.
type log struct {
	testing.TB
	lines []string
}

func (l *log) Helper() {}

func (l *log) Logf(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		variable string
		rounds   int
		lasts    time.Duration
		lines    string
	}{
		{"", 3, time.Second, "repeated: 3 of 300\nrepeated: 1s of 1m0s"},
		{"1", 300, time.Minute, "repeated: 300 of 300\nrepeated: 1m0s of 1m0s"},
	} {
		t.Setenv(Variable, c.variable)
		l := &log{TB: t}
		rounds, lasts := Rounds(l, 3, 300), Duration(l, time.Second, time.Minute)
		if lines := strings.Join(l.lines, "\n"); rounds != c.rounds || lasts != c.lasts || lines != c.lines {
			t.Errorf("with %q: %d, %v, %q", c.variable, rounds, lasts, lines)
		}
	}
}
