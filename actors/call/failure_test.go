package call

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

func unsentBy(err error) error { return &cdp.CallError{Kind: cdp.KindNotSent, Method: "M", Err: err} }

func sent(kind cdp.Kind) error { return &cdp.CallError{Kind: kind, Method: "M"} }

func refusedWith(code int, message string) error {
	return &cdp.CallError{Kind: cdp.KindRefused, Method: "M", Code: code, Message: message}
}

// Every row of the table: state and code of each cause in each phase.
func TestTable(t *testing.T) {
	const no, unknown = messages.NotStarted, messages.OutcomeUnknown
	type verdict struct {
		state messages.ExecutionState
		code  messages.Code
	}
	rows := []struct {
		name                 string
		err                  error
		cause                cause
		before, first, later verdict
	}{
		{"unknown error", io.EOF, causeOther, verdict{no, "browser_protocol_error"}, verdict{unknown, "browser_protocol_error"}, verdict{unknown, "browser_protocol_error"}},
		{"not sent, fenced", unsentBy(cdp.ErrFenced), unsentFenced, verdict{no, "cancelled"}, verdict{no, "cancelled"}, verdict{unknown, "cancelled"}},
		{"not sent, cancelled", unsentBy(context.Canceled), unsentCancelled, verdict{no, "cancelled"}, verdict{no, "cancelled"}, verdict{unknown, "cancelled"}},
		{"not sent, expired", unsentBy(context.DeadlineExceeded), unsentExpired, verdict{no, "deadline_exceeded"}, verdict{no, "deadline_exceeded"}, verdict{unknown, "partial_effect_outcome_unknown"}},
		{"not sent, closed", unsentBy(&cdp.CloseError{Reason: cdp.ReasonClosed}), unsentClosed, verdict{no, "cdp_closed"}, verdict{no, "cdp_closed"}, verdict{unknown, "cdp_delivery_uncertain"}},
		{"not sent, crashed", unsentBy(cdp.ErrCrashed), unsentCrashed, verdict{no, "page_crashed"}, verdict{no, "page_crashed"}, verdict{unknown, "page_crashed"}},
		{"not sent, detached", unsentBy(cdp.ErrDetached), unsentDetached, verdict{no, "stale_page"}, verdict{no, "stale_page"}, verdict{unknown, "stale_page"}},
		{"not sent, too many", unsentBy(cdp.ErrTooManyCalls), unsentTooMany, verdict{no, "cdp_send_failed"}, verdict{no, "cdp_send_failed"}, verdict{unknown, "partial_effect_outcome_unknown"}},
		{"not sent, other", unsentBy(io.ErrShortWrite), unsentOther, verdict{no, "cdp_send_failed"}, verdict{no, "cdp_send_failed"}, verdict{unknown, "partial_effect_outcome_unknown"}},
		{"no such session", refusedWith(cdp.CodeSessionNotFound, "Session with given id not found."), noSession, verdict{no, "stale_page"}, verdict{no, "stale_page"}, verdict{unknown, "stale_page"}},
		{"refused", refusedWith(-32000, "Internal error"), refused, verdict{no, "cdp_error"}, verdict{unknown, "cdp_effect_error"}, verdict{unknown, "cdp_effect_error"}},
		{"document gone", refusedWith(-32602, "uniqueContextId not found"), documentGone, verdict{no, "snapshot_stale"}, verdict{no, "snapshot_stale"}, verdict{unknown, "partial_effect_outcome_unknown"}},
		{"document left", refusedWith(-32000, "Inspected target navigated or closed"), documentLeft, verdict{no, "snapshot_stale"}, verdict{unknown, "partial_effect_outcome_unknown"}, verdict{unknown, "partial_effect_outcome_unknown"}},
		{"connection lost", sent(cdp.KindLost), connectionLost, verdict{no, "cdp_closed"}, verdict{unknown, "cdp_delivery_uncertain"}, verdict{unknown, "cdp_delivery_uncertain"}},
		{"timed out", sent(cdp.KindTimeout), timedOut, verdict{no, "cdp_timeout"}, verdict{unknown, "cdp_receive_timeout"}, verdict{unknown, "cdp_receive_timeout"}},
		{"unresponsive", errUnresponsive, unresponsive, verdict{no, "page_unresponsive"}, verdict{unknown, "page_unresponsive"}, verdict{unknown, "page_unresponsive"}},
		{"crashed", sent(cdp.KindCrashed), targetCrashed, verdict{no, "page_crashed"}, verdict{unknown, "page_crashed"}, verdict{unknown, "page_crashed"}},
		{"detached", sent(cdp.KindDetached), sessionDetached, verdict{no, "stale_page"}, verdict{unknown, "stale_page"}, verdict{unknown, "stale_page"}},
		{"cancelled", sent(cdp.KindCancelled), callCancelled, verdict{no, "cancelled"}, verdict{unknown, "cancelled"}, verdict{unknown, "cancelled"}},
		{"undecodable", sent(cdp.KindUndecodable), undecodable, verdict{no, "cdp_receive_uncertain"}, verdict{unknown, "cdp_receive_uncertain"}, verdict{unknown, "cdp_receive_uncertain"}},
		{"page function failed", &target.ScriptError{Function: "aim"}, scriptFailed, verdict{no, "internal_error"}, verdict{unknown, "internal_error"}, verdict{unknown, "internal_error"}},
		{"dialog", ErrDialog, dialogOpen, verdict{no, "dialog_open"}, verdict{unknown, "dialog_open"}, verdict{unknown, "dialog_open"}},
	}
	met := map[cause]bool{refusedWhole: true} // TestSingle has it: only Single knows such a command
	for _, row := range rows {
		if got := causeOf(row.err, false); got != row.cause {
			t.Errorf("%s: cause %d, want %d", row.name, got, row.cause)
		}
		met[row.cause] = true
		for phase, want := range []verdict{row.before, row.first, row.later} {
			got := Failure(row.err, Phase(phase))
			if got.State != want.state || got.Code != want.code || got.Detail == "" {
				t.Errorf("%s in phase %d: %s %s %q, want %s %s", row.name, phase, got.State, got.Code, got.Detail, want.state, want.code)
			}
		}
	}
	for c := range causes {
		if !met[c] {
			t.Errorf("cause %d has no row in this test", c)
		}
		for _, code := range table[c].codes {
			if code.Info().Meaning == "" {
				t.Errorf("cause %d has code %q, which is not in the catalogue", c, code)
			}
		}
	}
}

// Each kind and each sentinel that cdp and target declare has a cause. A new one
// fails here until it has a row.
func TestEveryFailureIsInTheTable(t *testing.T) {
	known := map[string]bool{
		"KindNotSent": true, "ErrClosed": true, "ErrCrashed": true, "ErrDetached": true, "ErrFenced": true, "ErrTooManyCalls": true,
		"KindRefused": true, "KindLost": true, "KindTimeout": true, "KindCrashed": true, "KindDetached": true, "KindCancelled": true,
		"KindUndecodable": true, "ErrDocumentGone": true, "ErrDocumentLeft": true,
	}
	for _, file := range []string{"../../cdp/errors.go", "../target/document.go"} {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for _, name := range value.Names {
					if (strings.HasPrefix(name.Name, "Kind") || strings.HasPrefix(name.Name, "Err")) && !known[name.Name] {
						t.Errorf("%s of %s has no row in the table of failures", name.Name, file)
					}
				}
			}
		}
	}
	for kind := cdp.KindRefused; !strings.HasPrefix(kind.String(), "Kind("); kind++ {
		if kind != cdp.KindNotSent && kinds[kind] == causeOther {
			t.Errorf("a call that ended as %q has no cause", kind)
		}
	}
	for _, err := range []error{cdp.ErrClosed, cdp.ErrCrashed, cdp.ErrDetached, cdp.ErrFenced, cdp.ErrTooManyCalls} {
		if c := causeOf(unsentBy(err), false); c == unsentOther {
			t.Errorf("a call not sent for %q has no cause of its own", err)
		}
	}
}

// An observation has changed nothing, whatever the error says.
func TestObservation(t *testing.T) {
	for _, c := range []struct {
		err  error
		code messages.Code
	}{
		{sent(cdp.KindTimeout), messages.CodePageUnresponsive},
		{unsentBy(context.DeadlineExceeded), messages.CodePageUnresponsive},
		{context.DeadlineExceeded, messages.CodePageUnresponsive},
		{sent(cdp.KindLost), messages.CodeCDPClosed},
		{sent(cdp.KindUndecodable), messages.CodeCDPReceiveUncertain},
		{target.ErrDocumentLeft, messages.CodeSnapshotStale},
		{fmt.Errorf("read: %w", target.ErrDocumentGone), messages.CodeSnapshotStale},
		{messages.UnknownOutcome(messages.CodeInternalError, ""), messages.CodeInternalError},
	} {
		if got := Observation(c.err); got.State != messages.NotStarted || got.Code != c.code {
			t.Errorf("%v: %s %s, want %s", c.err, got.State, got.Code, c.code)
		}
	}
}

// record is the ticket of one effect.
type record struct {
	refuse *messages.Error
	calls  []string
}

func (r *record) Begin(context.Context) *messages.Error {
	r.calls = append(r.calls, "begin")
	return r.refuse
}
func (r *record) End(changed bool) { r.calls = append(r.calls, fmt.Sprint("end ", changed)) }
func (r *record) Live() bool       { return true }

// A single effect is closed with what its call proved.
func TestSingle(t *testing.T) {
	refusal := messages.NewError(messages.CodeInvalidValue, "")
	for _, c := range []struct {
		name   string
		single Single
		refuse *messages.Error
		err    error
		calls  string
		state  messages.ExecutionState
		code   messages.Code
	}{
		{"done", Single{}, nil, nil, "[begin send end true]", "", ""},
		{"done, its end is seen elsewhere", Single{Open: true}, nil, nil, "[begin send]", "", ""},
		{"not begun", Single{}, messages.NewError(messages.CodeOperationIDSpent, ""), nil, "[begin]", messages.NotStarted, messages.CodeOperationIDSpent},
		{"never went out", Single{}, nil, unsentBy(cdp.ErrFenced), "[begin send end false]", messages.NotStarted, messages.CodeCancelled},
		{"refused", Single{}, nil, refusedWith(-32000, "no"), "[begin send]", messages.OutcomeUnknown, messages.CodeCDPEffectError},
		{"refused whole", Single{Whole: true}, nil, refusedWith(-32000, "no"), "[begin send end false]", messages.NotStarted, messages.CodeCDPError},
		{"lost", Single{Whole: true}, nil, sent(cdp.KindLost), "[begin send]", messages.OutcomeUnknown, messages.CodeCDPDeliveryUncertain},
		{"refused by its answer", Single{}, nil, refusal, "[begin send end false]", messages.NotStarted, messages.CodeInvalidValue},
		{"unknown by its answer", Single{}, nil, refusal.AsUnknown(), "[begin send]", messages.OutcomeUnknown, messages.CodeInvalidValue},
	} {
		r := &record{refuse: c.refuse}
		c.single.Progress = r
		err := c.single.Do(t.Context(), func(live func() bool) error {
			r.calls = append(r.calls, "send")
			if !live() {
				return errors.New("the ticket was not asked")
			}
			return c.err
		})
		var state messages.ExecutionState
		var code messages.Code
		if err != nil {
			state, code = err.State, err.Code
		}
		if fmt.Sprint(r.calls) != c.calls || state != c.state || code != c.code {
			t.Errorf("%s: %v, %s %s, want %s, %s %s", c.name, r.calls, state, code, c.calls, c.state, c.code)
		}
	}
}
