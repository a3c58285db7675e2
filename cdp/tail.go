package cdp

import (
	"bytes"
	"strings"
	"sync"

	"github.com/troupe-browser/troupe/internal/cut"
)

// stderrKept is how many of the last bytes of a browser's stderr are kept, and
// stderrLineMax how many of its last line are shown to the operator. Older bytes
// are forgotten.
const (
	stderrKept    = 8 << 10
	stderrLineMax = 400
)

// tail is a writer that remembers the end of what was written.
type tail struct {
	mu   sync.Mutex
	data []byte
}

// Write implements io.Writer and never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p[max(0, len(p)-stderrKept):]...)
	if over := len(t.data) - stderrKept; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

// text returns what is remembered.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}

// lastLine returns the last line that is not empty, shortened.
func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.data), []byte("\n"))
	line, _ := cut.Ellipsis(strings.ToValidUTF8(strings.TrimSpace(string(lines[len(lines)-1])), "?"), stderrLineMax)
	return line
}
