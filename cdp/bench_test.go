package cdp

import (
	"context"
	"io"
	"strconv"
	"testing"
)

// echo is a transport that answers every call at once.
type echo struct{ replies chan []byte }

func (e echo) Write(message []byte) error {
	env, err := decodeEnvelope(message)
	if err != nil {
		return err
	}
	e.replies <- []byte(`{"id":` + strconv.FormatInt(env.id, 10) + `,"result":{"ok":true},"sessionId":"S"}`)
	return nil
}

func (e echo) Read() ([]byte, error) {
	reply, open := <-e.replies
	if !open {
		return nil, io.EOF
	}
	return reply, nil
}

func (e echo) Close() error {
	close(e.replies)
	return nil
}

// BenchmarkCall measures what the connection adds to a call, without a browser.
func BenchmarkCall(b *testing.B) {
	c := NewConn(echo{make(chan []byte, 16)}, Options{})
	defer c.Close()
	s := c.Session("S", "T")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	params := struct {
		Expression string `json:"expression"`
	}{"snap(1)"}
	b.Run("one at a time", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var result struct {
				OK bool `json:"ok"`
			}
			if err := s.Execute(ctx, "Runtime.evaluate", params, &result); err != nil || !result.OK {
				b.Fatal(err)
			}
		}
	})
	b.Run("three in flight", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var calls [3]*Pending
			for i := range calls {
				calls[i] = s.Send(ctx, "Runtime.evaluate", params)
			}
			for _, p := range calls {
				if err := p.Wait(nil); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
