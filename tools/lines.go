package tools

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lineBytesMax bounds one line of a stream in bytes. A longer one is skipped to its end and
// answered as unreadable; nothing of it is kept.
const lineBytesMax = 4 << 20

// lineReadBytes is how much of a stream is read at a time.
const lineReadBytes = 64 << 10

// lockedWriter lets the session and the line filter write to one stream. Both write a whole
// line in one call, so that lines never mix.
type lockedWriter struct {
	mu     sync.Mutex
	stream io.WriteCloser
}

// Write writes one whole line.
func (w *lockedWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stream.Write(line)
}

// Close closes the stream without waiting for a write, which it is what unblocks.
func (w *lockedWriter) Close() error { return w.stream.Close() }

// lineFilter passes on the lines of a stream that are JSON-RPC messages. What is none would
// end the session, and with it the browsers that the session owns; it is answered with an
// error whose id is null and dropped instead. Empty lines are dropped silently.
type lineFilter struct {
	stream io.ReadCloser
	lines  *bufio.Reader
	errors io.Writer
	// rest is what the reader has not taken yet of the line that passed last.
	rest []byte
}

func newLineFilter(stream io.ReadCloser, errors io.Writer) *lineFilter {
	return &lineFilter{stream: stream, lines: bufio.NewReaderSize(stream, lineReadBytes), errors: errors}
}

// Read reads the next part of the lines that pass. Its error is that of the stream, or of
// the answer to a line that does not pass.
func (f *lineFilter) Read(p []byte) (int, error) {
	for len(f.rest) == 0 {
		line, long, err := f.line()
		switch trimmed := bytes.TrimSpace(line); {
		case long:
			err = errors.Join(f.refuse(tooLong()), err)
		case len(trimmed) == 0:
		default:
			v := judge(trimmed)
			if v.code != 0 {
				err = errors.Join(f.refuse(v), err)
			}
			if v.code != 0 || v.silent {
				break
			}
			// The end of the stream is found again by the next read.
			f.rest, err = append(trimmed, '\n'), nil
		}
		if err != nil {
			return 0, streamError(err)
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// streamError gives the plain end of the stream as such, since readers compare it.
func streamError(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return err
}

// line reads one line. Of one that is too long nothing is kept.
func (f *lineFilter) line() (line []byte, long bool, err error) {
	for {
		part, err := f.lines.ReadSlice('\n')
		if long = long || len(line)+len(part) > lineBytesMax; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

func (f *lineFilter) refuse(v verdict) error {
	_, err := io.WriteString(f.errors, refusalLine(v))
	return err
}

// tooLong is the verdict on a message that passes lineBytesMax.
func tooLong() verdict {
	return verdict{code: jsonrpc.CodeParseError, text: fmt.Sprintf("Parse error: a message has at most %d bytes.", lineBytesMax), id: idless}
}

// judged lets requests through whose body is a message, and answers the others without repeating anything of them. A call
// whose id another call of its session still has is refused.
func judged(next http.Handler, running *idsInUse) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		refuse := func(status int, v verdict) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, refusalLine(v)) // fails only when the client has gone
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, lineBytesMax))
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			refuse(http.StatusRequestEntityTooLarge, tooLong())
			return
		case err != nil:
			refuse(http.StatusBadRequest, verdict{code: jsonrpc.CodeParseError, text: "Parse error: the message did not come whole.", id: idless})
			return
		}
		v := judge(bytes.TrimSpace(body))
		if v.code != 0 {
			refuse(http.StatusBadRequest, v)
			return
		}
		if v.silent {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if session := r.Header.Get("Mcp-Session-Id"); v.call && session != "" {
			key := session + " " + canonicalID(v.id)
			if !running.take(key) {
				refuse(http.StatusBadRequest, repeatedID())
				return
			}
			defer running.give(key)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		plain := &plainWriter{ResponseWriter: w}
		next.ServeHTTP(plain, r)
		plain.finish(v.id)
	})
}

// Close closes the stream.
func (f *lineFilter) Close() error { return f.stream.Close() }
