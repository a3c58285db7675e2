package cdp

import (
	"context"
	"os"
	"testing"
	"time"
)

// testLaunch starts a headless browser for a test, which must close it.
func testLaunch(t *testing.T, change func(*LaunchConfig)) (*Process, error) {
	t.Helper()
	engine, err := Discover(DiscoverOptions{})
	if err != nil {
		t.Fatalf("%v: install Chromium, or set %s to its executable", err, EnvBrowser)
	}
	config := LaunchConfig{
		Engine: engine, ThrowawayParent: t.TempDir(), Headless: true, NoSandbox: os.Geteuid() == 0,
		Timeout: time.Minute, // a loaded machine
	}
	if change != nil {
		change(&config)
	}
	return Launch(context.Background(), config)
}

func TestChromiumLaunchAndClose(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	begin := time.Now()
	p, err := testLaunch(t, nil)
	if err != nil {
		t.Fatal(err, err.(*LaunchError).Report.Operator)
	}
	t.Logf("ready after %v: %s", time.Since(begin), p.Version().Product)
	c := NewConn(p.Transport(), Options{})
	var targets struct {
		TargetInfos []struct {
			TargetID TargetID `json:"targetId"`
			Type     string   `json:"type"`
			URL      string   `json:"url"`
		} `json:"targetInfos"`
	}
	if err := c.Root().Execute(context.Background(), "Target.getTargets", nil, &targets); err != nil {
		t.Error(err)
	}
	t.Logf("%+v", targets)
	begin = time.Now()
	if err := p.Close(context.Background(), false); err != nil {
		t.Error(err, err.(*LaunchError).Report.Operator)
	}
	t.Logf("closed after %v", time.Since(begin))
	c.Close()
	entries, _ := os.ReadDir(p.dir.path + "/..")
	if len(entries) > 0 {
		t.Errorf("left: %v", entries)
	}
}
