package tools

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// idMax bounds a number that is an id: above it not every integer is a number of its own.
const idMax = 1 << 53

// idless is the id of an answer to a message whose own could not be read.
var idless = json.RawMessage("null")

// verdict says what becomes of a text that came in as a message.
type verdict struct {
	// code is the JSON-RPC code of the refusal, 0 when there is none; text says why.
	code int64
	text string
	// id is that of the message, idless where it has none that can be read.
	id json.RawMessage
	// silent says that the text is dropped without an answer, as what is no call gets none.
	silent bool
	// call says that an answer is due.
	call bool
	// data is what a refusal tells beside its text.
	data json.RawMessage
}

// judge says what becomes of a text. A call has a text or an integer as its id, and an object as its params. A list of
// messages is none: the protocol has had no lists since its version of 2025-06-18. Nothing of the text is repeated.
func judge(message []byte) verdict {
	if !json.Valid(message) {
		return verdict{code: jsonrpc.CodeParseError, text: "Parse error: it is not JSON.", id: idless}
	}
	invalid := func(text string, id json.RawMessage) verdict {
		return verdict{code: jsonrpc.CodeInvalidRequest, text: "Invalid request: " + text, id: id}
	}
	// A map compares the names of members exactly, unlike a struct.
	var m map[string]json.RawMessage
	if json.Unmarshal(message, &m) != nil || m == nil {
		return invalid("it is not a JSON-RPC 2.0 message.", idless)
	}
	id, named := m["id"]
	if !validID(id) {
		id = idless
	}
	method, asks := m["method"]
	_, result := m["result"]
	_, failure := m["error"]
	switch {
	case string(m["jsonrpc"]) != `"2.0"` || !asks && !result && !failure:
		return invalid("it is not a JSON-RPC 2.0 message.", id)
	case !asks: // an answer
		return verdict{silent: !validID(m["id"]), id: id}
	case method[0] != '"':
		return invalid("its method is not a text.", id)
	case named && !validID(m["id"]):
		return invalid("its id is neither a text nor an integer.", idless)
	case named && strings.HasPrefix(string(method), `"notifications/`):
		// The SDK would carry it out and answer as well: a cancelled with its own id would end itself.
		return invalid("a notification has no id.", id)
	}
	if _, err := jsonrpc.DecodeMessage(message); err != nil {
		return invalid("it is not a JSON-RPC 2.0 message.", id)
	}
	out := verdict{id: id, call: named}
	if params := m["params"]; params != nil && params[0] != '{' && string(params) != "null" {
		if !named {
			return verdict{silent: true}
		}
		return verdict{code: jsonrpc.CodeInvalidParams, text: "Invalid params: they are not an object.", id: id}
	}
	if !named && string(method) == `"notifications/cancelled"` {
		var params struct {
			ID json.RawMessage `json:"requestId"`
		}
		// A number that is no id would be taken for the integer below it, which may be another call's.
		out.silent = json.Unmarshal(m["params"], &params) != nil || !validID(params.ID)
	}
	return out
}

// validID reports whether a value is a text or an integer.
func validID(id json.RawMessage) bool {
	if len(id) == 0 {
		return false
	}
	if id[0] == '"' {
		return true
	}
	var n float64
	return id[0] != 'n' && json.Unmarshal(id, &n) == nil && n == math.Trunc(n) && math.Abs(n) <= idMax
}

// refusalLine is the answer to a message that is refused.
func refusalLine(v verdict) string {
	line, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wireError       `json:"error"`
	}{"2.0", v.id, wireError{Code: v.code, Message: v.text, Data: v.data}})
	if err != nil {
		panic(err) // an id that was read can be written
	}
	return string(bytes.TrimSpace(line)) + "\n"
}
