package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/internal/soak"
)

// slowestMax is how many of the slowest tests are listed.
const slowestMax = 10

// event is one line of `go test -json`, as `go doc test2json` describes it.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// key names a test, or with no test a package.
type key struct{ pkg, test string }

// timed is a test with how long it took.
type timed struct {
	key
	took time.Duration
}

// report turns events into text.
type report struct {
	out      io.Writer
	said     map[key][]string // output of what has not ended yet
	took     map[key]time.Duration
	repeated []string
}

func newReport(out io.Writer) *report {
	return &report{out: out, said: map[key][]string{}, took: map[key]time.Duration{}}
}

// read takes events up to the end of the stream. A line that is no event is printed as it is.
func (r *report) read(stream io.Reader) {
	lines := bufio.NewReader(stream)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				r.take(e)
			} else {
				fmt.Fprintf(r.out, "%s\n", strings.TrimSuffix(string(line), "\n"))
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *report) take(e event) {
	at := key{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "output":
		r.said[at] = append(r.said[at], e.Output)
		if _, count, found := strings.Cut(e.Output, soak.Prefix); found {
			r.repeated = append(r.repeated, strings.TrimSpace(count)+"  "+name(at))
		}
	case "pass", "skip", "fail":
		r.took[at] = time.Duration(e.Elapsed * float64(time.Second))
		if e.Test == "" {
			r.endPackage(at, e.Action)
			return
		}
		if e.Action == "fail" {
			r.print(at)
		}
		delete(r.said, at)
	}
}

// endPackage prints the closing line of a package, and of one that failed everything that it said beside its tests, and
// what tests said that did not come to their end.
func (r *report) endPackage(at key, action string) {
	if action == "fail" {
		for _, open := range r.unended(at.pkg) {
			r.print(open)
			delete(r.said, open)
		}
		r.print(at)
	} else {
		for _, line := range r.said[at] {
			if strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "?") {
				fmt.Fprint(r.out, line)
			}
		}
	}
	delete(r.said, at)
}

func (r *report) unended(pkg string) []key {
	var open []key
	for at := range r.said {
		if at.pkg == pkg && at.test != "" {
			open = append(open, at)
		}
	}
	slices.SortFunc(open, func(a, b key) int { return strings.Compare(a.test, b.test) })
	return open
}

func (r *report) print(at key) {
	for _, line := range r.said[at] {
		if !strings.HasPrefix(line, "=== ") {
			fmt.Fprint(r.out, line)
		}
	}
}

// slowest returns the whole tests that took longest. One whose parts ran in parallel took, for its parts, what these
// took together; what go test says of it is only the time until they began.
func (r *report) slowest() []timed {
	whole := map[key]time.Duration{}
	parts := map[key]time.Duration{}
	for at, took := range r.took {
		top, part, isPart := strings.Cut(at.test, "/")
		switch {
		case at.test == "":
		case !isPart:
			whole[at] = took
		case !strings.Contains(part, "/"):
			parts[key{at.pkg, top}] += took
		}
	}
	var tests []timed
	for at, took := range whole {
		tests = append(tests, timed{at, max(took, parts[at])})
	}
	slices.SortFunc(tests, func(a, b timed) int {
		if a.took != b.took {
			return int(b.took - a.took)
		}
		return strings.Compare(name(a.key), name(b.key))
	})
	return tests[:min(len(tests), slowestMax)]
}

// end prints the lists.
func (r *report) end() {
	if len(r.repeated) > 0 {
		slices.Sort(r.repeated)
		fmt.Fprintln(r.out, "\nrepetitions, of those in `make soak`:")
		for _, line := range r.repeated {
			fmt.Fprintln(r.out, "  "+line)
		}
	}
	fmt.Fprintln(r.out, "\nthe slowest tests:")
	for _, test := range r.slowest() {
		fmt.Fprintf(r.out, "  %6.1f s  %s\n", test.took.Seconds(), name(test.key))
	}
}

// name is a test as a person types it, after the module's own path.
func name(at key) string {
	const module = "github.com/troupe-browser/troupe"
	return strings.TrimPrefix(strings.TrimPrefix(at.pkg, module), "/") + " " + at.test
}
