package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// An endpoint elsewhere is refused before anything is sent to it (R12, C7).
func TestEndpointElsewhereIsRefused(t *testing.T) {
	r := newRig(t, Config{StateDir: t.TempDir(), Endpoint: "http://192.0.2.1:9222"})
	receipt, err := r.caller.Effect(r.ctx, &messages.Launch{})
	wantCode(t, err, messages.CodeCDPEndpointInvalid)
	if receipt.ExecutionState != messages.NotStarted {
		t.Errorf("receipt: %+v", receipt)
	}
}
