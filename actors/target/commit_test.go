package target

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

func TestAwaitCommit(t *testing.T) {
	refused := &cdp.CallError{Kind: cdp.KindRefused, Method: "Page.getNavigationHistory", Code: -32000, Message: "Not attached to an active page"}
	other := &cdp.CallError{Kind: cdp.KindRefused, Method: "Page.getNavigationHistory", Code: -32000, Message: "Internal error"}
	for name, c := range map[string]struct {
		answers []error
		want    error
		asked   int
	}{
		"at once":       {[]error{nil}, nil, 1},
		"another error": {[]error{other}, other, 1},
		"a moment":      {[]error{refused, Uncommitted(), nil}, nil, 3},
		"then refused":  {[]error{refused, other}, other, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				err := AwaitCommit(t.Context(), func() error { asked++; return c.answers[asked-1] })
				if !errors.Is(err, c.want) || asked != c.asked {
					t.Errorf("%v after %d questions, want %v after %d", err, asked, c.want, c.asked)
				}
			})
		})
	}
}

func TestAwaitCommitIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := AwaitCommit(t.Context(), Uncommitted); err != nil || time.Since(began) != commitWait {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), commitWait/2)
		defer cancel()
		if err := AwaitCommit(ctx, Uncommitted); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a caller who gave up got %v", err)
		}
	})
}
