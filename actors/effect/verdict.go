package effect

import (
	"errors"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// errUnseen is an input that the browser took and the page's guard did not see.
var errUnseen = errors.New("the input was not seen to arrive")

// sign names what tells that an input has arrived: that many clicks, or an event
// that the guard let pass.
type sign struct {
	Token  int    `json:"token"`
	Clicks int    `json:"clicks,omitempty"`
	Event  string `json:"event,omitempty"`
}

// verdict waits for inputs that were sent and reads what the guard saw, at the
// moment of the sign, or when the browser has answered all of them.
//
// It returns the outcome instead when a dialog opened, which ends the effect
// (R121), or when there is no record to be had.
func (j *job) verdict(s sign, calls []*cdp.Pending) (*verdict, *outcome) {
	judge := j.startAct("seen", s)
	if !j.watch.awaitEither(judge, calls) {
		return nil, j.dialogged(s.Token)
	}
	if !ended(judge) {
		if !j.watch.await(j.startAct("poke", struct{}{}), judge) {
			return nil, j.dialogged(s.Token)
		}
	}
	var v verdict
	if err := target.Finish(judge, "seen", &v); err != nil {
		if told := j.watch.saw(s, err); told != nil {
			return told, nil
		}
		return nil, &outcome{err: j.afterInput(err, calls)}
	}
	return &v, nil
}

// ensureActs installs this package's page functions where they are not there yet,
// so that a call that goes out with an input finds them.
func (j *job) ensureActs(ready *cdp.Pending) *messages.Error {
	var out raw
	err := j.finish(ready, "ready", &out)
	if err == nil && string(out) == actsAbsent {
		err = j.install()
	}
	if err != nil {
		return j.before(err)
	}
	return nil
}

func ended(call *cdp.Pending) bool {
	select {
	case <-call.Done():
		return true
	default:
		return false
	}
}

// afterInput judges inputs without a record: when not one of them was sent,
// nothing was started; otherwise what they did is not known. The failure of an
// input says more than that of the reading, which only follows from it.
func (j *job) afterInput(err error, calls []*cdp.Pending) *messages.Error {
	reached := false
	var cause error
	for _, call := range calls {
		if !ended(call) {
			reached = true
			continue
		}
		e := call.Wait(nil)
		var failed *cdp.CallError
		if e == nil || !errors.As(e, &failed) || failed.Reached() {
			reached = true
		}
		if cause == nil {
			cause = e
		}
	}
	switch {
	case !reached && cause != nil:
		return j.after(cause, true)
	case cause != nil:
		return j.after(cause, false)
	case errors.Is(err, errUnseen):
		return messages.UnknownOutcome(messages.CodeCDPDeliveryUncertain, "The browser took the input, and the page did not see it arrive.")
	}
	return j.after(err, false)
}
