package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// plain are the packages in which no goroutine of ours meets another: pure code, or pages that a browser runs. They are
// tested without the race detector, which finds nothing there and makes them several times slower.
var plain = []string{"messages", "snapshot", "fixtures", "fixtures/widgetdriver", "actors/target", "actors/diagnostics", "internal/"}

// first are the packages that take longest, so that none of them begins when the others have ended.
var first = []string{"actors/effect", "actors", "cmd/troupe", "actors/collect", "actors/chaostest", "snapshot", "fixtures"}

// raceExit shortens the pause of a second that a program under the race detector makes before it ends, in which late
// reports may still come. The scripts of cmd/troupe start hundreds of such programs, which then are done.
const raceExit = "atexit_sleep_ms=20"

type options struct {
	race     string // what the packages that are not plain get: "-race", or what stands in for it
	parallel int
	pass     []string // the rest, for go test
}

func main() {
	var o options
	flag.StringVar(&o.race, "race", "", "argument for the packages where goroutines meet")
	flag.IntVar(&o.parallel, "p", 2, "packages at the same time")
	flag.Parse()
	o.pass = flag.Args()
	// An interrupt goes to go test as well, which then ends; what it said is still printed.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	signal.Ignore(syscall.SIGINT)
	status, err := run(ctx, o, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		status = max(status, 1)
	}
	os.Exit(status)
}

// run tests all packages and prints the report. It returns the first status of go test that is not 0.
func run(ctx context.Context, o options, out io.Writer) (status int, err error) {
	packages, err := list(ctx)
	if err != nil {
		return 1, err
	}
	// Unix sockets in it have short paths only, so its own name is short.
	dir, err := os.MkdirTemp("", "t")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	report := newReport(out)
	meet, alone := split(packages, o.race != "")
	for _, group := range []struct {
		packages []string
		race     string
	}{{alone, ""}, {meet, o.race}} {
		if len(group.packages) == 0 {
			continue
		}
		args := []string{"test", "-json", "-p", fmt.Sprint(o.parallel)}
		if group.race != "" {
			args = append(args, group.race)
		}
		code, err := test(ctx, slices.Concat(args, o.pass, group.packages), dir, report)
		if err != nil {
			return 1, err
		}
		if status == 0 {
			status = code
		}
	}
	report.end()
	if left := leftIn(dir); len(left) > 0 && status == 0 {
		return 1, fmt.Errorf("the tests left this in the temporary directory: %s", strings.Join(left, ", "))
	}
	return status, nil
}

// list returns the module's packages as "./path".
func list(ctx context.Context) ([]string, error) {
	command := exec.CommandContext(ctx, "go", "list", "-f", "{{.ImportPath}} {{.Module.Path}}", "./...")
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []string
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 2 {
			packages = append(packages, "."+strings.TrimPrefix(fields[0], fields[1]))
		}
	}
	return packages, nil
}

// split puts the slow packages first, and sorts out those that need no race detector. Without one all run together.
func split(packages []string, race bool) (meet, alone []string) {
	packages = slices.Clone(packages)
	rank := func(name string) int {
		if i := slices.Index(first, strings.TrimPrefix(name, "./")); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(packages, func(a, b string) int { return rank(a) - rank(b) })
	for _, name := range packages {
		if race && isPlain(strings.TrimPrefix(name, "./")) {
			alone = append(alone, name)
		} else {
			meet = append(meet, name)
		}
	}
	return meet, alone
}

func isPlain(name string) bool {
	return slices.ContainsFunc(plain, func(p string) bool { return name == p || strings.HasSuffix(p, "/") && strings.HasPrefix(name, p) })
}

// test runs go test once, with the tests' temporary files in dir, and returns its exit status.
func test(ctx context.Context, args []string, dir string, report *report) (int, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.Env = append(os.Environ(), "TMPDIR="+dir, "GORACE="+strings.TrimSpace(os.Getenv("GORACE")+" "+raceExit))
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := command.Start(); err != nil {
		return 1, err
	}
	report.read(output)
	if err := command.Wait(); err != nil && command.ProcessState == nil {
		return 1, err
	}
	if code := command.ProcessState.ExitCode(); code >= 0 {
		return code, nil
	}
	return 1, fmt.Errorf("go test was ended: %v", command.ProcessState)
}

// leftIn returns the names of what is in the directory.
func leftIn(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{err.Error()}
	}
	var names []string
	for _, entry := range entries {
		names = append(names, filepath.Base(entry.Name()))
	}
	return names
}
