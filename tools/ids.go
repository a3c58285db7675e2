package tools

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// idsInUse are the ids of the calls that have no answer yet. The SDK answers no second call of an id at all.
type idsInUse struct {
	mu  sync.Mutex
	ids map[string]struct{}
}

// take puts an id in use, and reports whether it was free.
func (u *idsInUse) take(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, used := u.ids[id]; used {
		return false
	}
	if u.ids == nil {
		u.ids = make(map[string]struct{})
	}
	u.ids[id] = struct{}{}
	return true
}

// has reports whether an id is in use.
func (u *idsInUse) has(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, used := u.ids[id]
	return used
}

// cancelled returns the id of the call that a message ends, and whether it is such a message.
func cancelled(request *jsonrpc.Request) (id string, is bool) {
	if request.IsCall() || request.Method != "notifications/cancelled" {
		return "", false
	}
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(request.Params, &params) != nil {
		return "", true
	}
	return canonicalID(params.ID), true
}

// give frees an id.
func (u *idsInUse) give(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.ids, id)
}

// repeatedID is the verdict on a call whose id is in use. The answer has no id, since that one's answer is still to come.
func repeatedID() verdict {
	return verdict{code: jsonrpc.CodeInvalidRequest, text: "Invalid request: a call with the same id is still running.", id: idless}
}

// canonicalID is an id in the one form that equal ids have.
func canonicalID(id json.RawMessage) string {
	var value any
	if json.Unmarshal(id, &value) != nil {
		return ""
	}
	made, err := jsonrpc.MakeID(value)
	if err != nil {
		return ""
	}
	return idKey(made)
}

// idKey tells a text from a number.
func idKey(id jsonrpc.ID) string { return fmt.Sprintf("%T %v", id.Raw(), id.Raw()) }
