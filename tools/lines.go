package tools

import (
	"bufio"
	"bytes"
	"encoding/json"
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
			err = errors.Join(f.refuse(jsonrpc.CodeParseError, fmt.Sprintf("Parse error: a line has at most %d bytes.", lineBytesMax)), err)
		case len(trimmed) == 0:
		default:
			if code, text := judge(trimmed); code != 0 {
				err = errors.Join(f.refuse(code, text), err)
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

// judge says why a text is no message, with the code of JSON-RPC; 0 when it is one. A list of
// messages is none: the protocol has had no lists since its version of 2025-06-18.
func judge(message []byte) (code int64, text string) {
	if !json.Valid(message) {
		return jsonrpc.CodeParseError, "Parse error: it is not JSON."
	}
	if _, err := jsonrpc.DecodeMessage(message); err != nil {
		return jsonrpc.CodeInvalidRequest, "Invalid request: it is not a JSON-RPC 2.0 message."
	}
	return 0, ""
}

func (f *lineFilter) refuse(code int64, text string) error {
	_, err := io.WriteString(f.errors, refusalLine(code, text))
	return err
}

func refusalLine(code int64, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, text)
}

// judged lets requests through whose body is a message, and answers the others without repeating anything of them.
func judged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		refuse := func(status int, code int64, text string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, refusalLine(code, text)) // fails only when the client has gone
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, lineBytesMax))
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			refuse(http.StatusRequestEntityTooLarge, jsonrpc.CodeParseError, fmt.Sprintf("Parse error: a message has at most %d bytes.", lineBytesMax))
			return
		case err != nil:
			refuse(http.StatusBadRequest, jsonrpc.CodeParseError, "Parse error: the message did not come whole.")
			return
		}
		if code, text := judge(bytes.TrimSpace(body)); code != 0 {
			refuse(http.StatusBadRequest, code, text)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// Close closes the stream.
func (f *lineFilter) Close() error { return f.stream.Close() }
