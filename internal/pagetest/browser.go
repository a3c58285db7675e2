package pagetest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

// The size of a page's viewport, in CSS pixels.
const (
	Width  = 1000
	Height = 800
)

// launchWait bounds the start of a browser. It is long, since a loaded machine takes
// seconds for one.
const launchWait = time.Minute

// Browser is the one Chromium of a test package. It is started by the first test that
// needs it and ended by Main. Its fields are set before that.
type Browser struct {
	// Args are put behind the arguments that every test needs.
	Args []string
	// Wrap may put something between the connection and the browser's pipe.
	Wrap func(cdp.Transport) cdp.Transport

	once    sync.Once
	process *cdp.Process
	conn    *cdp.Conn
	dir     string
	err     error

	mu   sync.Mutex
	free []tab // tidy, in no order
}

// Main runs the tests and ends the browser. It is what TestMain does last: the program
// then exits with the code of the run.
func (b *Browser) Main(m *testing.M) {
	m.Run()
	b.end()
}

// Conn returns the connection to the browser. Without a Chromium the test fails and
// names the fix.
func (b *Browser) Conn(t testing.TB) *cdp.Conn {
	t.Helper()
	b.once.Do(b.start)
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.conn
}

func (b *Browser) start() {
	engine, err := cdp.Discover(cdp.DiscoverOptions{})
	if err != nil {
		b.err = fmt.Errorf("no Chromium: %w. Install it (apt-get install chromium) or name it in %s", err, cdp.EnvBrowser)
		return
	}
	if b.dir, b.err = os.MkdirTemp("", "troupe-test-"); b.err != nil {
		return
	}
	b.process, b.err = cdp.Launch(context.Background(), cdp.LaunchConfig{
		Engine: engine, ThrowawayParent: b.dir, Headless: true, NoSandbox: os.Geteuid() == 0, Timeout: launchWait,
		Args: append([]string{"--disable-gpu", "--disable-quic"}, b.Args...), WindowWidth: Width, WindowHeight: Height,
	})
	if b.err != nil {
		return
	}
	transport := b.process.Transport()
	if b.Wrap != nil {
		transport = b.Wrap(transport)
	}
	b.conn = cdp.NewConn(transport, cdp.Options{})
}

func (b *Browser) end() {
	if b.process != nil {
		_ = b.conn.Close()
		_ = b.process.Close(context.Background(), false)
	}
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}
