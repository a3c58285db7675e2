package call

import (
	"crypto/sha256"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// spentID is the digest of an operation id. Sixteen bytes keep a full ledger small
// and make a collision as unlikely as a guessed identity.
type spentID [16]byte

// LedgerMachine holds the operation ids that callers have spent. It forgets none
// (R153, R157): an id is good once in the life of the runtime, whatever became of its
// first use and of the browser that it was used on.
type LedgerMachine struct {
	spent      map[spentID]struct{}
	perBrowser map[messages.BrowserID]int
	required   bool
	// perBrowserMax and totalMax are messages.OperationIDsMax and kernel.LedgerIDsMax; a
	// test takes smaller ones.
	perBrowserMax, totalMax int
}

// NewLedgerMachine returns a ledger that has spent nothing. required refuses effects whose caller gave no id (R157).
func NewLedgerMachine(required bool) *LedgerMachine {
	return &LedgerMachine{
		spent:         make(map[spentID]struct{}),
		perBrowser:    make(map[messages.BrowserID]int),
		required:      required,
		perBrowserMax: messages.OperationIDsMax,
		totalMax:      kernel.LedgerIDsMax,
	}
}

// Spend uses up an id. mintedNow says that the runtime made it for this call,
// mintedEver that it has the form of one that the runtime makes. It returns the
// refusal, or nil when the effect may go ahead.
func (m *LedgerMachine) Spend(browser messages.BrowserID, id messages.OperationID, mintedNow, mintedEver bool) *messages.Error {
	switch {
	case mintedNow && m.required:
		return messages.NewError(messages.CodeOperationIDRequired, "")
	case m.perBrowser[browser] >= m.perBrowserMax || len(m.spent) >= m.totalMax:
		return messages.NewError(messages.CodeOperationLedgerFull, "")
	case mintedNow:
		m.perBrowser[browser]++
		return nil
	case mintedEver:
		return messages.NewError(messages.CodeOperationIDSpent, "")
	}
	key := digest(id)
	if _, ok := m.spent[key]; ok {
		return messages.NewError(messages.CodeOperationIDSpent, "")
	}
	m.spent[key] = struct{}{}
	m.perBrowser[browser]++
	return nil
}

func digest(id messages.OperationID) spentID {
	sum := sha256.Sum256([]byte(id))
	return spentID(sum[:16])
}
