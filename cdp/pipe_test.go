package cdp

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// closingReader makes a reader a ReadCloser.
func closingReader(r io.Reader) io.ReadCloser { return io.NopCloser(r) }

// buffer is a WriteCloser.
type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

// FuzzPipe writes messages to one end of the framing, cuts the bytes in pieces and
// reads them back: every message that was ended comes out whole, in order, and
// what was not ended is the end of the stream.
func FuzzPipe(f *testing.F) {
	f.Add([]byte(`{"id":1}`), []byte(`{"method":"A.b"}`), []byte(`{"id`), uint16(1), false)
	f.Add([]byte(""), []byte("xyz"), []byte(""), uint16(pipeReadBuffer-1), false)
	f.Add([]byte(""), []byte("x"), []byte(""), uint16(9), true)
	f.Fuzz(func(t *testing.T, first, second, rest []byte, times uint16, slow bool) {
		second = bytes.Repeat(second, int(times))
		for _, part := range [][]byte{first, second, rest} {
			if bytes.IndexByte(part, 0) >= 0 {
				return // a message holds no NUL: JSON escapes it
			}
		}
		var out buffer
		writer := newPipe(closingReader(strings.NewReader("")), &out)
		for _, message := range [][]byte{first, second} {
			if err := writer.Write(message); err != nil {
				t.Fatal(err)
			}
		}
		out.Write(rest)
		var in io.Reader = &out.Buffer
		if slow {
			in = iotest.OneByteReader(in)
		}
		reader := newPipe(closingReader(in), &buffer{})
		for _, want := range [][]byte{first, second} {
			got, err := reader.Read()
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("got %q, %v, want %q", got, err, want)
			}
		}
		if got, err := reader.Read(); !errors.Is(err, io.EOF) {
			t.Fatalf("got %q, %v behind the last message", got, err)
		}
	})
}

// endless is a message that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestPipeMessageTooLarge(t *testing.T) {
	pipe := newPipe(closingReader(endless{}), &buffer{})
	pipe.max = 1 << 20
	c := NewConn(pipe, Options{})
	<-c.Done()
	var closed *CloseError
	if !errors.As(c.Err(), &closed) || closed.Reason != ReasonMessageTooLarge {
		t.Errorf("closed by %v", c.Err())
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// The connection over real pipes ends when either side closes, in any state.
func TestPipeEnds(t *testing.T) {
	for _, side := range []string{"near", "far"} {
		t.Run(side, func(t *testing.T) {
			files, err := newPipes()
			if err != nil {
				t.Fatal(err)
			}
			defer closeAll(files.childRead, files.childWrite, files.stderr, files.childStderr)
			c := NewConn(NewPipe(files.read, files.write), Options{})
			want := ReasonClosed
			if side == "far" {
				want = ReasonDisconnected
				closeAll(files.childWrite)
				<-c.Done()
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			var closed *CloseError
			if !errors.As(c.Err(), &closed) || closed.Reason != want {
				t.Errorf("closed by %v", c.Err())
			}
			if err := files.write.Close(); !errors.Is(err, os.ErrClosed) {
				t.Errorf("our end was left open: %v", err)
			}
		})
	}
}

// A browser that reads no more closes the connection in the end: the message that
// was begun can be neither finished nor taken back.
func TestPipeWriteStalls(t *testing.T) {
	files, err := newPipes()
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(files.childRead, files.childWrite, files.stderr, files.childStderr)
	pipe := newPipe(files.read, files.write)
	pipe.stall = 50 * time.Millisecond
	c := NewConn(pipe, Options{})
	defer c.Close()
	err = c.Root().Execute(t.Context(), "A.b", map[string]any{"x": strings.Repeat("x", 1<<20)}, nil)
	var call *CallError
	var closed *CloseError
	if !errors.As(err, &call) || call.Kind != KindLost || !errors.As(err, &closed) || closed.Reason != ReasonWriteStalled {
		t.Errorf("got %v", err)
	}
}
