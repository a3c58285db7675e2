package cdp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// pipeReadBuffer is the read buffer of a pipe in bytes: the kernel's pipe size,
// so that one read can empty it.
const pipeReadBuffer = 64 << 10

// pipeTransport carries NUL-terminated JSON messages over a pair of pipes, the
// form of --remote-debugging-pipe. The browser ends by itself when it is closed.
type pipeTransport struct {
	in     io.ReadCloser
	out    io.WriteCloser
	reader *bufio.Reader
	max    int           // bytes of a message
	stall  time.Duration // of a write

	writing sync.Mutex // Process.Close may write while a Conn does
	buffer  []byte
	closing sync.Once
}

// NewPipe returns a transport that reads messages from in and writes them to
// out, each ended by a NUL byte. Both are closed by Close. A file that supports
// deadlines has its writes bounded by WriteStallTimeout.
func NewPipe(in io.ReadCloser, out io.WriteCloser) Transport {
	return newPipe(in, out)
}

func newPipe(in io.ReadCloser, out io.WriteCloser) *pipeTransport {
	return &pipeTransport{in: in, out: out, reader: bufio.NewReaderSize(in, pipeReadBuffer), max: MessageBytesMax, stall: WriteStallTimeout}
}

// Write sends the message and its terminator in one write call.
func (p *pipeTransport) Write(message []byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	p.buffer = append(append(p.buffer[:0], message...), 0)
	if file, ok := p.out.(*os.File); ok {
		// A file without deadline support is written without a bound.
		_ = file.SetWriteDeadline(time.Now().Add(p.stall))
	}
	_, err := p.out.Write(p.buffer)
	if cap(p.buffer) > writeBufferKeep {
		p.buffer = nil
	}
	return err
}

// Read returns the next message without its terminator.
func (p *pipeTransport) Read() ([]byte, error) {
	var message []byte
	for {
		part, err := p.reader.ReadSlice(0)
		if len(message)+len(part) > p.max {
			return nil, ErrMessageTooLarge
		}
		if err == nil {
			part = part[:len(part)-1]
			if message == nil {
				return bytes.Clone(part), nil
			}
			return append(message, part...), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, os.ErrClosed) {
				err = io.EOF
			}
			return nil, err
		}
		if cap(message)-len(message) < len(part) {
			message = slices.Grow(message, len(message)+len(part))
		}
		message = append(message, part...)
	}
}

// Close closes both ends. For a browser this is the request to end.
func (p *pipeTransport) Close() error {
	var err error
	p.closing.Do(func() { err = errors.Join(p.out.Close(), p.in.Close()) })
	return err
}
