package effect

import (
	"context"

	"github.com/troupe-browser/troupe/messages"
)

// Follow lets do carry out the answer to a dialog and, once it is completed, follows
// what the script that the dialog held does next: until it has come to rest, until a
// new dialog opens, or until messages.SettleBudget is over. The receipt then names the
// dialog that is open, the requests and the rest, as that of any effect (R76, R121).
//
// unload is the answer to the question whether the page may be left: true says that a
// navigation goes on now.
func Follow(ctx context.Context, env Env, unload bool, do func() *messages.Receipt) *messages.Receipt {
	j := &job{env: env, caller: ctx, ctx: ctx}
	j.watch = newWatch(&j.env.Page, env.AutoDialogs)
	defer j.watch.stop()
	receipt := do()
	if receipt.ExecutionState != messages.Completed {
		return receipt
	}
	w := j.watch
	w.leaving = w.leaving || unload
	settling, cancel := j.afterwards()
	defer cancel()
	s, mutations := j.settleFor(settling, true, answeredQuiet)
	receipt.Stability = &s
	answered := receipt.Dialog
	j.complete(settling, receipt, mutations)
	if !w.dialogOpen() && answered != nil {
		receipt.Dialog = answered
	}
	receipt.NeedsSnapshot = true
	return receipt
}
