package lint

import "testing"

func TestCallRule(t *testing.T) {
	checkRule(t, callRule, []expect{
		{"a lock in an actor", "actors/a.go", "package actors\nimport \"sync\"\nvar m sync.Mutex", 1},
		{"an atomic in an actor", "actors/a.go", "package actors\nimport \"sync/atomic\"\nvar n atomic.Int64", 0},
		{"a lock in a transport", "cdp/a.go", "package cdp\nimport \"sync\"\nvar m sync.Mutex", 0},
		{"a future", "actors/a.go", "package actors\nfunc f(c interface{ RequestFuture() }) { c.RequestFuture() }", 1},
		{"a restarting strategy under its other name", "cmd/troupe/a.go", "package main\nimport act \"github.com/asynkron/protoactor-go/actor\"\nvar s = act.NewAllForOneStrategy", 1},
		{"the old random numbers", "actors/a_test.go", "package actors\nimport \"math/rand\"\nvar n = rand.Int()", 1},
		{"the new random numbers", "actors/a_test.go", "package actors\nimport \"math/rand/v2\"\nvar n = rand.Int()", 0},
		{"a sleep in production", "cdp/a.go", "package cdp\nimport \"time\"\nfunc f() { time.Sleep(1) }", 1},
		{"printing below a command", "tools/a.go", "package tools\nimport \"fmt\"\nfunc f() { fmt.Println() }", 1},
		{"a command prints", "cmd/troupe/a.go", "package main\nimport \"fmt\"\nfunc f() { fmt.Println() }", 0},
		{"a variable of the same name", "tools/a.go", "package tools\nvar fmt struct{ Println func() }\nfunc f() { fmt.Println() }", 0},
		{"ending the process below a command", "tools/a.go", "package tools\nimport \"os\"\nfunc f() { os.Exit(1) }", 1},
		{"the standard logger", "cmd/troupe/a.go", "package main\nimport \"log\"\nfunc f() { log.Print() }", 1},
	})
}

func TestSleepRule(t *testing.T) {
	const sleep = "import \"time\"\nfunc f() { time.Sleep(1) }"
	checkRule(t, sleepRule, []expect{
		{"a test that sleeps", "cdp/a_test.go", "package cdp\n" + sleep, 1},
		{"a browser test that waits", "cdp/a_chromium_test.go", "package cdp\n" + sleep, 0},
		{"virtual time", "cdp/a_test.go", "package cdp\nimport _ \"testing/synctest\"\n" + sleep, 0},
	})
}

func TestAnyRule(t *testing.T) {
	checkRule(t, anyRule, []expect{
		{"the old spelling", "cdp/a.go", "package cdp\nvar v interface{}", 1},
		{"the new spelling", "cdp/a.go", "package cdp\nvar v any", 0},
		{"an interface with methods", "cdp/a.go", "package cdp\nvar v interface{ M() }", 0},
		{"a constraint", "cdp/a.go", "package cdp\nfunc f[T interface{ ~int }]() {}", 0},
	})
}

func TestSkipRule(t *testing.T) {
	const allowed = "package cdp\nimport \"testing\"\nfunc TestX(t *testing.T) { if testing.Short() { t.Skip(" + skipText + ") } }"
	checkRule(t, skipRule, []expect{
		{"the one skip", "cdp/a_chromium_test.go", allowed, 0},
		{"the same outside a browser file", "cdp/a_test.go", allowed, 1},
		{"another text", "cdp/a_chromium_test.go", "package cdp\nimport \"testing\"\nfunc TestX(t *testing.T) { if testing.Short() { t.Skip(\"flaky\") } }", 1},
		{"another condition", "cdp/a_chromium_test.go", "package cdp\nimport \"testing\"\nfunc TestX(t *testing.T) { if true { t.Skip(" + skipText + ") } }", 1},
		{"a silent skip", "cdp/a_chromium_test.go", "package cdp\nimport \"testing\"\nfunc TestX(t *testing.T) { t.SkipNow() }", 1},
	})
	checkRule(t, browserTestRule, []expect{
		{"a browser test with its skip", "cdp/a_chromium_test.go", allowed, 0},
		{"a browser test without", "cdp/a_chromium_test.go", "package cdp\nimport \"testing\"\nfunc TestX(t *testing.T) { t.Log() }", 1},
		{"a helper needs none", "cdp/a_chromium_test.go", "package cdp\nfunc start() {}", 0},
	})
}
