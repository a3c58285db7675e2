package call

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// An id is good once for ever, whatever becomes of it and wherever it comes again
// (R153, R154, R157).
func TestLedger_SpendsOnce(t *testing.T) {
	m := NewLedgerMachine(false)
	m.perBrowserMax, m.totalMax = 3, 5
	code := func(e *messages.Error) messages.Code {
		if e == nil {
			return ""
		}
		return e.Code
	}
	for i, c := range []struct {
		browser         messages.BrowserID
		id              messages.OperationID
		minted, looksIt bool
		want            messages.Code
	}{
		{"a", "one", false, false, ""},
		{"a", "one", false, false, messages.CodeOperationIDSpent},
		{"b", "one", false, false, messages.CodeOperationIDSpent},
		{"a", "op_x_1", true, true, ""},
		{"b", "op_x_1", false, true, messages.CodeOperationIDSpent},
		{"a", "two", false, false, ""},
		{"a", "three", false, false, messages.CodeOperationLedgerFull},
		{"a", "op_x_2", true, true, messages.CodeOperationLedgerFull},
		{"b", "three", false, false, ""},
		{"b", "four", false, false, ""},
		{"c", "five", false, false, ""},
		{"c", "six", false, false, messages.CodeOperationLedgerFull},
	} {
		if got := code(m.Spend(c.browser, c.id, c.minted, c.looksIt)); got != c.want {
			t.Errorf("step %d: %q, want %q", i, got, c.want)
		}
	}
	strict := NewLedgerMachine(true)
	if got := code(strict.Spend("a", "op_x_1", true, true)); got != messages.CodeOperationIDRequired {
		t.Errorf("without an id of the caller's: %q", got)
	}
}
