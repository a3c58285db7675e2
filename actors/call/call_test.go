package call

import (
	"context"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// An outcome that is not known always names the call that looks first, also when a
// runner said how it ended; a known one names none that it did not bring (R73).
func TestFinishNamesTheRecovery(t *testing.T) {
	address := messages.PageAddress{BrowserID: "br_1", PageID: "pg_1"}
	finish := func(state messages.ExecutionState) *messages.Receipt {
		c := New(context.Background(), messages.Caller{}, &messages.Click{OnElement: messages.OnElement{PageAddress: address}}, kernel.NewMint(), time.Time{})
		c.Finish(&messages.Receipt{ExecutionState: state, Code: messages.CodePageUnresponsive}, nil)
		receipt, _ := c.Answered().(*messages.Receipt)
		return receipt
	}
	unknown := finish(messages.OutcomeUnknown).Recovery
	if unknown == nil || unknown.Tool != "observe_browser" || unknown.Arguments["action"] != "snapshot" || unknown.Arguments["page_id"] != "pg_1" {
		t.Errorf("an unknown outcome recovers by %+v", unknown)
	}
	if known := finish(messages.NotStarted).Recovery; known != nil {
		t.Errorf("a refusal recovers by %+v", known)
	}
}
