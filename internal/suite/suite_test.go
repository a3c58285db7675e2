package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	const pkg = `"Package":"github.com/troupe-browser/troupe/a"`
	stream := strings.Join([]string{
		`{"Action":"start",` + pkg + `}`,
		`{"Action":"run",` + pkg + `,"Test":"TestGood"}`,
		`{"Action":"output",` + pkg + `,"Test":"TestGood","Output":"=== RUN   TestGood\n"}`,
		`{"Action":"output",` + pkg + `,"Test":"TestGood","Output":"    a_test.go:1: repeated: 3 of 300\n"}`,
		`{"Action":"pass",` + pkg + `,"Test":"TestGood","Elapsed":1.5}`,
		`{"Action":"output",` + pkg + `,"Test":"TestBad","Output":"=== RUN   TestBad\n"}`,
		`{"Action":"output",` + pkg + `,"Test":"TestBad/part","Output":"    a_test.go:2: it is 4\n"}`,
		`{"Action":"fail",` + pkg + `,"Test":"TestBad/part","Elapsed":2.5}`,
		`{"Action":"output",` + pkg + `,"Test":"TestBad","Output":"--- FAIL: TestBad (0.00s)\n"}`,
		`{"Action":"fail",` + pkg + `,"Test":"TestBad","Elapsed":0}`,
		`{"Action":"output",` + pkg + `,"Test":"TestOpen","Output":"panic: test timed out\n"}`,
		`{"Action":"output",` + pkg + `,"Output":"FAIL\ta\t4.0s\n"}`,
		`{"Action":"fail",` + pkg + `,"Elapsed":4}`,
		`{"ImportPath":"b","Action":"build-output","Output":"b.go:1: undefined: x\n"}`,
		`{"Action":"output","Package":"c","Output":"PASS\n"}`,
		`{"Action":"output","Package":"c","Output":"ok  \tc\t1.0s\n"}`,
		`{"Action":"pass","Package":"c","Elapsed":1}`,
		`not an event`,
	}, "\n")
	var out strings.Builder
	r := newReport(&out)
	r.read(strings.NewReader(stream))
	r.end()
	const want = "    a_test.go:2: it is 4\n--- FAIL: TestBad (0.00s)\npanic: test timed out\nFAIL\ta\t4.0s\nb.go:1: undefined: x\nok  \tc\t1.0s\nnot an event\n" +
		"\nrepetitions, of those in `make soak`:\n  3 of 300  a TestGood\n\nthe slowest tests:\n     2.5 s  a TestBad\n     1.5 s  a TestGood\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// The status of go test is the status of the run, a failed test is shown, and what a test leaves is told.
func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		body, want string
		status     int
		left       bool
	}{
		"it passes":      {``, "ok  ", 0, false},
		"it fails":       {`t.Error("it is 4")`, "it is 4", 1, false},
		"it leaves much": {`os.MkdirTemp("", "left")`, "ok  ", 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			write := func(name, text string) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("go.mod", "module example.com/m\n\ngo 1.24\n")
			write("a_test.go", "package m\nimport (\"os\";\"testing\")\nvar _ = os.Args\nfunc TestX(t *testing.T) {"+c.body+"}\n")
			var out strings.Builder
			status, err := run(t.Context(), options{parallel: 1, pass: []string{"-count=1", "-vet=off"}}, &out)
			if status != c.status || !strings.Contains(out.String(), c.want) {
				t.Errorf("status %d, said %s", status, out.String())
			}
			if (err != nil) != c.left || c.left && !strings.Contains(err.Error(), "left") {
				t.Errorf("err is %v", err)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	all := []string{"./actors", "./actors/diagnostics", "./actors/effect", "./cdp", "./fixtures", "./internal/lint", "./messages"}
	meet, alone := split(all, true)
	if !slices.Equal(meet, []string{"./actors/effect", "./actors", "./cdp"}) {
		t.Errorf("with the race detector: %v", meet)
	}
	if !slices.Equal(alone, []string{"./fixtures", "./actors/diagnostics", "./internal/lint", "./messages"}) {
		t.Errorf("without: %v", alone)
	}
	if meet, alone = split(all, false); len(meet) != len(all) || len(alone) != 0 {
		t.Errorf("all together: %v, %v", meet, alone)
	}
}
