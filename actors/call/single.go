package call

import (
	"context"
	"errors"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// Single is an effect that one protocol call carries out.
type Single struct {
	Progress target.Progress
	// Page judges a call that a page had to answer; zero for the browser's own.
	Page Page
	// Whole says that the browser carries the command out or refuses it, so that a
	// refusal proves that nothing was started.
	Whole bool
	// Open says that the answer is not yet the end of the effect: it stays open
	// after a success, and whoever sees its end closes it.
	Open bool
}

// Do opens the effect, runs its call and closes it with what the call proved
// (R71-R74). send makes the call and passes live to cdp.Session.SendIf; it returns
// the call's error, or a *messages.Error of its own where the answer decides.
//
// Do returns nil for an effect that was carried out. After an outcome_unknown the
// effect stays open, which is what the ticket then reports.
func (s Single) Do(ctx context.Context, send func(live func() bool) error) *messages.Error {
	if refusal := s.Progress.Begin(ctx); refusal != nil {
		return refusal
	}
	err := send(s.Progress.Live)
	if err == nil {
		if !s.Open {
			s.Progress.End(true)
		}
		return nil
	}
	judged := s.judge(err)
	if judged.State == messages.NotStarted {
		s.Progress.End(false)
	}
	return judged
}

func (s Single) judge(err error) *messages.Error {
	var known *messages.Error
	switch {
	case errors.As(err, &known):
		return known
	case s.Whole && causeOf(err, true) == refusedWhole:
		return judge(refusedWhole, First)
	}
	return s.Page.Failure(err, First)
}
