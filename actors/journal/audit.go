package journal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// AuditWriter appends events as JSON lines to a private file (R206). One goroutine
// writes; the journal never waits for the disk. A file that reaches
// kernel.AuditFileBytesMax is renamed to "<path>.1", older ones move up, and the one
// beyond kernel.AuditFilesMax is removed.
type AuditWriter struct {
	path  string
	lines chan auditLine
	ended chan struct{}

	// missed counts the events that found no place since the last that did. It is the
	// journal's.
	missed int

	// The rest is the writing goroutine's. lost counts what could not be written since
	// the last line.
	lost  int
	file  *os.File
	out   *bufio.Writer
	bytes int64
}

// auditLine is an event with the number of those that were missed before it.
type auditLine struct {
	event  messages.Event
	missed int
}

// NewAuditWriter opens the file for appending and starts to write. The error names
// no path, since it can reach a log.
func NewAuditWriter(path string) (*AuditWriter, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("the audit directory cannot be made: %w", withoutPath(err))
	}
	w := &AuditWriter{path: path, lines: make(chan auditLine, kernel.AuditBacklogMax), ended: make(chan struct{})}
	if err := w.open(); err != nil {
		return nil, fmt.Errorf("the audit file cannot be opened: %w", withoutPath(err))
	}
	go w.run()
	return w, nil
}

// withoutPath returns the cause of a file error without the file's name.
func withoutPath(err error) error {
	if pathError, ok := err.(*os.PathError); ok {
		return pathError.Err
	}
	return err
}

func (w *AuditWriter) open() error {
	file, err := os.OpenFile(w.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close() // the error of Stat is the one to report
		return err
	}
	w.file, w.out, w.bytes = file, bufio.NewWriter(file), info.Size()
	return nil
}

// write hands an event to the writer, or counts it when too many wait.
func (w *AuditWriter) write(e messages.Event) {
	select {
	case w.lines <- auditLine{e, w.missed}:
		w.missed = 0
	default:
		w.missed++
	}
}

// close writes what waits and closes the file. Nothing may be written afterwards.
func (w *AuditWriter) close() {
	close(w.lines)
	<-w.ended
}

func (w *AuditWriter) run() {
	defer close(w.ended)
	for next := range w.lines {
		w.lost += next.missed
		if w.lost == 0 || w.line(gapMark(w.lost, next.event.Sequence-1)) {
			w.lost = 0
		}
		if !w.line(next.event) {
			w.lost++
		}
		if len(w.lines) == 0 && w.out != nil {
			_ = w.out.Flush() // an unwritable audit must not stop the browser; the next write tries again
		}
	}
	if w.file != nil {
		_ = w.out.Flush()
		_ = w.file.Close()
	}
}

// line appends an event, and reports whether it could.
func (w *AuditWriter) line(e messages.Event) bool {
	data, err := json.Marshal(e)
	if err != nil || w.out == nil && w.open() != nil {
		return false
	}
	n, _ := w.out.Write(append(data, '\n')) // reported by Flush
	w.bytes += int64(n)
	if w.bytes >= kernel.AuditFileBytesMax {
		w.rotate()
	}
	return true
}

func (w *AuditWriter) rotate() {
	_ = w.out.Flush()
	_ = w.file.Close()
	w.file, w.out = nil, nil
	_ = os.Remove(w.numbered(kernel.AuditFilesMax))
	for i := kernel.AuditFilesMax - 1; i >= 1; i-- {
		_ = os.Rename(w.numbered(i), w.numbered(i+1)) // missing ones are no loss
	}
	_ = os.Rename(w.path, w.numbered(1))
	if err := w.open(); err != nil {
		w.file, w.out = nil, nil // the next line tries again
	}
}

func (w *AuditWriter) numbered(i int) string { return fmt.Sprintf("%s.%d", w.path, i) }
