package daemon

import (
	"encoding/json"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/messages/codec"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// What the command line and its daemon say to each other on the private socket: one JSON object per line, each way. A
// connection carries one request at a time; closing it cancels the request. The form is private to one build: both ends
// are the same program, and the first line says which.

// protocolName opens the first line of a command line's connection. An MCP client's first line has none of it, so one
// socket serves both.
const protocolName = "troupe-cli/1"

// wireLineBytesMax bounds one line: a full-page picture in base64 with its envelope.
const wireLineBytesMax = 2 * (messages.ImageBytesMax + 1<<20)

// wireHello is the first line of a connection.
type wireHello struct {
	Protocol string `json:"protocol"`
	Version  string `json:"version"`
	// Owner is the agent for whom the command runs; each owner is a caller of its own.
	Owner messages.OwnerID `json:"owner,omitempty"`
	// Settings are those that flags of this command name. A daemon that runs with others refuses.
	Settings map[string]string `json:"settings,omitempty"`
	program.WireSession
}

// WireRequest is one command, or one of the daemon's own requests when Daemon is set.
type WireRequest struct {
	Daemon string `json:"daemon,omitempty"` // status, metrics or stop
	codec.Command
}

// wireAnswer answers a request; Daemon is the answer to one of the daemon's own.
type wireAnswer struct {
	codec.Answer
	Daemon json.RawMessage `json:"daemon,omitempty"`
}

func refusedAnswer(err *messages.Error) wireAnswer {
	return wireAnswer{Answer: codec.EncodeAnswer(nil, err)}
}
