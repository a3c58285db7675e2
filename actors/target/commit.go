package target

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

// Between the renderer's word that a document has come and the moment at which the
// browser process takes it in, the browser's own answers about the page are not to be
// had: the history refuses, and the target has no URL. That lasts milliseconds.
const (
	// commitWait bounds how long a question is asked again; then its answer stands.
	commitWait = 500 * time.Millisecond
	// commitGap is the time between two questions.
	commitGap = 10 * time.Millisecond
	// uncommitted is what the browser says meanwhile.
	uncommitted = "Not attached to an active page"
)

// errUncommitted says that a question has no answer yet.
var errUncommitted = errors.New("the document is not committed yet")

// AwaitCommit asks the browser a question about a page, and again while a document of
// it is just being committed, for at most 500 ms. ask returns the error of the call,
// and Uncommitted for an answer that only that moment explains.
func AwaitCommit(ctx context.Context, ask func() error) error {
	bound := time.NewTimer(commitWait)
	defer bound.Stop()
	for {
		err := ask()
		if !pending(err) {
			return err
		}
		gap := time.NewTimer(commitGap)
		select {
		case <-gap.C:
		case <-bound.C:
			gap.Stop()
			return settled(err)
		case <-ctx.Done():
			gap.Stop()
			return ctx.Err()
		}
	}
}

// Uncommitted is the answer of a question of AwaitCommit that is to be asked again;
// at the bound it is no error.
func Uncommitted() error { return errUncommitted }

func settled(err error) error {
	if errors.Is(err, errUncommitted) {
		return nil
	}
	return err
}

func pending(err error) bool {
	var call *cdp.CallError
	return errors.Is(err, errUncommitted) ||
		errors.As(err, &call) && call.Kind == cdp.KindRefused && strings.Contains(call.Message, uncommitted)
}
