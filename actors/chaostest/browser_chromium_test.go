package chaostest

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// widthBase added to a slot's number is the width of its browsers' windows, by which
// the connector knows for whom it starts one.
const widthBase = 1280

// connector starts the browsers of this machine as the runtime does, and keeps a hand
// on each.
type connector struct {
	engine cdp.Engine
	dir    string
	slots  []*slot
}

// Connect implements actors.Connector.
func (c *connector) Connect(ctx context.Context, plan actors.ConnectPlan) (actors.Connection, error) {
	process, err := cdp.Launch(ctx, cdp.LaunchConfig{
		Engine: c.engine, ThrowawayParent: c.dir, Headless: true, NoSandbox: os.Geteuid() == 0,
		WindowWidth: plan.Width, WindowHeight: plan.Height,
	})
	if err != nil {
		return nil, err
	}
	d := &driven{Process: process, wire: &wire{Transport: process.Transport(), closed: make(chan struct{})}}
	c.slots[plan.Width-widthBase].live.Store(d)
	return d, nil
}

// driven is a browser process whose connection can be cut and stalled.
type driven struct {
	*cdp.Process
	wire *wire
}

// Transport implements actors.Connection.
func (d *driven) Transport() cdp.Transport { return d.wire }

// Ownership implements actors.Connection.
func (d *driven) Ownership() messages.Ownership { return messages.OwnedEphemeral }

// wire is a transport that can be stalled, as a connection is whose other side is
// there and does nothing.
type wire struct {
	cdp.Transport
	stalled atomic.Pointer[chan struct{}]
	closing sync.Once
	closed  chan struct{}
}

// Write implements cdp.Transport.
func (w *wire) Write(message []byte) error {
	w.pass()
	return w.Transport.Write(message)
}

// Read implements cdp.Transport.
func (w *wire) Read() ([]byte, error) {
	message, err := w.Transport.Read()
	w.pass()
	return message, err
}

// Close implements cdp.Transport.
func (w *wire) Close() error {
	w.closing.Do(func() { close(w.closed) })
	return w.Transport.Close()
}

func (w *wire) pass() {
	if stalled := w.stalled.Load(); stalled != nil {
		select {
		case <-*stalled:
		case <-w.closed:
		}
	}
}

// stall holds everything back until the returned function is called.
func (w *wire) stall() (release func()) {
	stalled := make(chan struct{})
	w.stalled.Store(&stalled)
	return func() {
		w.stalled.Store(nil)
		close(stalled)
	}
}

// cut ends the connection below the runtime's own end of it.
func (w *wire) cut() { _ = w.Transport.Close() }

// below returns the processes below one, itself excluded, whose command line has the
// text. Those that have ended and were not waited for do not count.
func below(parent int, text string) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if ppid, err := strconv.Atoi(fields[1]); err == nil && fields[0] != "Z" {
			children[ppid] = append(children[ppid], pid)
		}
	}
	var out []int
	var walk func(int)
	walk = func(parent int) {
		for _, pid := range children[parent] {
			if strings.Contains(commandLine(pid), text) {
				out = append(out, pid)
			}
			walk(pid)
		}
	}
	walk(parent)
	return out
}

func commandLine(pid int) string {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return strings.ReplaceAll(string(data), "\x00", " ")
}

// naming returns every process, of whatever parent, whose command line has the text.
func naming(text string) []int {
	var out []int
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range entries {
		pid, _ := strconv.Atoi(filepath.Base(path))
		if pid != os.Getpid() && strings.Contains(commandLine(pid), text) {
			out = append(out, pid)
		}
	}
	return out
}

// settled waits until a condition holds that the system takes time to make true.
func settled(limit time.Duration, holds func() bool) bool {
	for deadline := time.Now().Add(limit); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
