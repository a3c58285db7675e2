package actors

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
)

// besideID is the first id of the calls that a test makes beside the runtime, which counts
// from 1. The browser reads 32 bits.
const besideID = 1 << 30

// beside starts real browsers and lets a test make calls of its own on their connections,
// where the runtime sees only the events. It serves one launch.
type beside struct {
	t     *testing.T
	inner kernel.Connector
	ready chan struct{} // closed when there is a connection

	transport cdp.Transport
	writing   sync.Mutex

	mu       sync.Mutex
	next     int64
	answers  map[int64]chan json.RawMessage
	sessions map[cdp.TargetID]cdp.SessionID // of the runtime
}

// newBeside puts one into a configuration.
func newBeside(t *testing.T, config *Config) *beside {
	b := &beside{t: t, inner: engine.NewConnector(config.WithDefaults()), ready: make(chan struct{}), next: besideID,
		answers: make(map[int64]chan json.RawMessage), sessions: make(map[cdp.TargetID]cdp.SessionID)}
	config.Connector = b
	return b
}

// Connect implements Connector.
func (b *beside) Connect(ctx context.Context, plan ConnectPlan) (Connection, error) {
	connection, err := b.inner.Connect(ctx, plan)
	if err != nil {
		return nil, err
	}
	b.transport = connection.Transport()
	close(b.ready)
	return &besideConnection{connection, b}, nil
}

type besideConnection struct {
	Connection
	b *beside
}

// Transport implements Connection.
func (c *besideConnection) Transport() cdp.Transport { return c.b }

// Write implements Transport.
func (b *beside) Write(message []byte) error {
	b.writing.Lock()
	defer b.writing.Unlock()
	return b.transport.Write(message)
}

// Read implements Transport. It keeps the answers that are for the test.
func (b *beside) Read() ([]byte, error) {
	for {
		message, err := b.transport.Read()
		if err != nil {
			return nil, err
		}
		var seen struct {
			ID     int64           `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Params struct {
				Session cdp.SessionID     `json:"sessionId"`
				Info    engine.TargetInfo `json:"targetInfo"`
			} `json:"params"`
		}
		// What does not decode here is the runtime's to judge.
		_ = json.Unmarshal(message, &seen)
		b.mu.Lock()
		if seen.Method == "Target.attachedToTarget" {
			b.sessions[seen.Params.Info.TargetID] = seen.Params.Session
		}
		answer := b.answers[seen.ID]
		b.mu.Unlock()
		if answer == nil {
			return message, nil
		}
		answer <- seen.Result
	}
}

// Close implements Transport.
func (b *beside) Close() error { return b.transport.Close() }

// call makes one call and returns its result, none when it is refused.
func (b *beside) call(session cdp.SessionID, method string, params any) json.RawMessage {
	b.t.Helper()
	<-b.ready
	answer := make(chan json.RawMessage, 1)
	b.mu.Lock()
	b.next++
	id := b.next
	b.answers[id] = answer
	b.mu.Unlock()
	request := map[string]any{"id": id, "method": method, "params": params}
	if session != "" {
		request["sessionId"] = session
	}
	line, err := json.Marshal(request)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.Write(line); err != nil {
		b.t.Fatal(err)
	}
	select {
	case result := <-answer:
		return result
	case <-b.t.Context().Done():
		return nil
	}
}

// targets are the page targets of the browser.
func (b *beside) targets() []engine.TargetInfo {
	b.t.Helper()
	var list struct {
		Infos []engine.TargetInfo `json:"targetInfos"`
	}
	if err := json.Unmarshal(b.call("", "Target.getTargets", map[string]any{"filter": engine.PageFilter}), &list); err != nil {
		b.t.Fatal(err)
	}
	return list.Infos
}

// session is the runtime's own session of a target.
func (b *beside) session(target cdp.TargetID) cdp.SessionID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sessions[target]
}
