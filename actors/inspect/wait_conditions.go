package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// forURL waits for the main frame's URL. It runs nothing in the page, so that it
// works while the page hangs.
func (w *waiter) forURL() error {
	if err := w.readURL(); err != nil {
		return err
	}
	for !strings.Contains(w.url, w.command.URLContains) {
		select {
		case e, open := <-w.tap.C():
			if _, err := w.note(e, open); err != nil {
				return err
			}
			if w.missed() {
				if err := w.readURL(); err != nil {
					return err
				}
			}
		case <-w.ctx.Done():
			return w.ctx.Err()
		}
	}
	return nil
}

// readURL asks the browser for the URL, fragment included.
func (w *waiter) readURL() error {
	var history struct {
		Current int `json:"currentIndex"`
		Entries []struct {
			URL string `json:"url"`
		} `json:"entries"`
	}
	err := target.AwaitCommit(w.ctx, func() error {
		return w.page.Session.Execute(w.ctx, "Page.getNavigationHistory", nil, &history)
	})
	if err != nil {
		return err
	}
	if history.Current >= 0 && history.Current < len(history.Entries) {
		w.url = history.Entries[history.Current].URL
	}
	return nil
}

// forFunction asks for the operator's function again and again (C1). What throws,
// and a document that goes away meanwhile, count as "not yet".
func (w *waiter) forFunction() error {
	source := "(" + w.command.Function + "\n)"
	if failed, err := compile(w.ctx, w.page.Session, source); err != nil {
		return err
	} else if failed != nil {
		return messages.NewError(messages.CodeInvalidRequest, "The function cannot be read as JavaScript.").WithOperator(failed.text())
	}
	ask := evaluation{
		Expression:   "(async()=>{const f=" + source + ";return Boolean(await(typeof f==='function'?f():f))})()",
		AwaitPromise: true, ReturnByValue: true,
	}
	for {
		holds, err := w.ask(ask)
		if holds || err != nil {
			return err
		}
		if err := w.pause(waitCheckGap); err != nil {
			return err
		}
	}
}

// ask looks once and waits for the answer, which a promise may hold back.
func (w *waiter) ask(e evaluation) (bool, error) {
	call, cancel := context.WithCancel(w.ctx)
	defer cancel()
	pending := w.page.Session.Send(call, "Runtime.evaluate", e)
	for {
		select {
		case <-pending.Done():
			return w.truth(pending)
		case event, open := <-w.tap.C():
			navigated, err := w.note(event, open)
			if err != nil || navigated {
				return false, err
			}
		}
	}
}

// answer takes what an evaluation came to. Without an error and without an answer
// the document that was asked has gone.
func (w *waiter) answer(pending *cdp.Pending) (*evaluated, error) {
	var answer evaluated
	if err := pending.Wait(&answer); err != nil {
		if w.ctx.Err() != nil || !transient(err) {
			return nil, err
		}
		return nil, nil
	}
	w.answered = true
	return &answer, nil
}

func (w *waiter) truth(pending *cdp.Pending) (bool, error) {
	answer, err := w.answer(pending)
	if answer == nil || err != nil {
		return false, err
	}
	return answer.Exception == nil && string(answer.Result.Value) == "true", nil
}

// transient reports whether an error may be gone with the next document.
func transient(err error) bool {
	if target.DocumentLost(target.DocumentError(err)) {
		return true
	}
	var failed *cdp.CallError
	return errors.As(err, &failed) && (failed.Kind == cdp.KindTimeout || failed.Kind == cdp.KindRefused && failed.Reached())
}

// pause waits for a time, and takes in events meanwhile.
func (w *waiter) pause(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return nil
		case <-w.ctx.Done():
			return w.ctx.Err()
		case e, open := <-w.tap.C():
			if _, err := w.note(e, open); err != nil {
				return err
			}
		}
	}
}

// inPage arms the watcher in the main frame's document, and again when it ends or
// when the document is replaced.
func (w *waiter) inPage(kind, wanted string) error {
	for {
		if kind == string(messages.LoadLoading) && w.loading {
			return nil
		}
		armed := time.Now()
		holds, err := w.watch(kind, wanted)
		if err != nil {
			return err
		}
		if holds {
			settled, err := w.settled(kind)
			if settled || err != nil {
				return err
			}
			continue
		}
		// A watcher that ended at once, as in a document that is going away, is not
		// armed again at once.
		if left := waitCheckGap - time.Since(armed); left > 0 {
			if err := w.pause(left); err != nil {
				return err
			}
		}
	}
}

// watch arms one watcher and waits for it. False without an error means: not yet.
func (w *waiter) watch(kind, wanted string) (bool, error) {
	slice := waitSlice
	if deadline, ok := w.ctx.Deadline(); ok {
		// A watcher leaves as much time for its answer as it takes itself, so that "not yet"
		// also arrives from a page on a machine that is short of processors.
		slice = min(slice, time.Until(deadline)/2)
	}
	id, err := world(w.ctx, w.page)
	if err != nil {
		if w.ctx.Err() != nil || !transient(err) {
			return false, err
		}
		return false, nil
	}
	call, cancel := context.WithCancel(w.ctx)
	defer cancel()
	pending := w.page.Session.Send(call, "Runtime.evaluate", evaluation{
		Expression: expression(waitFunction, kind, wanted, slice.Milliseconds(), waitCheckGap.Milliseconds(), waitBackstop.Milliseconds()),
		ContextID:  id, AwaitPromise: true, ReturnByValue: true,
	})
	for {
		select {
		case <-pending.Done():
			return w.found(pending)
		case e, open := <-w.tap.C():
			navigated, err := w.note(e, open)
			switch {
			case err != nil:
				return false, err
			case kind == string(messages.LoadLoading) && w.loading:
				return true, nil
			case navigated || w.missed():
				return false, nil
			}
		}
	}
}

func (w *waiter) found(pending *cdp.Pending) (bool, error) {
	answer, err := w.answer(pending)
	if answer == nil || err != nil {
		return false, err
	}
	var text string
	var result struct {
		Met bool `json:"met"`
		Bad bool `json:"bad"`
	}
	if answer.Exception != nil || json.Unmarshal(answer.Result.Value, &text) != nil || json.Unmarshal([]byte(text), &result) != nil {
		return false, errScript
	}
	if result.Bad {
		return false, messages.NewError(messages.CodeInvalidRequest, "The selector cannot be read.")
	}
	return result.Met, nil
}

// settled says whether a condition that held in the page may be answered. A
// complete document counts only when no navigation is under way, whose document
// is another one.
func (w *waiter) settled(kind string) (bool, error) {
	if kind != string(messages.LoadComplete) && kind != string(messages.LoadIdle) {
		return true, nil
	}
	grace := time.NewTimer(loadGrace)
	defer grace.Stop()
	wasLoading := w.loading
	for w.loading {
		select {
		case e, open := <-w.tap.C():
			if _, err := w.note(e, open); err != nil {
				return false, err
			}
		case <-grace.C:
			w.loading = false
		case <-w.ctx.Done():
			return false, w.ctx.Err()
		}
	}
	return !wasLoading, nil
}
