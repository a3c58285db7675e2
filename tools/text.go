package tools

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/internal/quote"
	"github.com/troupe-browser/troupe/messages"
)

// textBytesMax bounds the text content of one answer. What is over it is cut at a line, and the text says so; the
// structure is complete all the same. It holds the largest tree projection whole.
const textBytesMax = messages.SnapshotBytesMax + 4<<10

// text says an answer in lines. Every text of a page goes through package quote, so that no page can write a line of
// its own, or a part of one.
func text(command messages.Command, result Result) string {
	var b strings.Builder
	switch reply := result.Reply.(type) {
	case nil:
		writeRefusal(&b, command, result.Err)
	case *messages.Receipt:
		writeReceipt(&b, command, reply)
	case *messages.Snapshot:
		writeSnapshot(&b, reply)
	default:
		writeObservation(&b, reply, result)
	}
	return cut(strings.TrimRight(b.String(), "\n"))
}

func cut(s string) string {
	if len(s) <= textBytesMax {
		return s
	}
	s = s[:textBytesMax]
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		s = s[:i]
	}
	return strings.ToValidUTF8(s, "") + "\n... cut here; the structured content is complete."
}

func writeRefusal(b *strings.Builder, command messages.Command, err *messages.Error) {
	if command != nil {
		fmt.Fprintf(b, "%s ", command.Action())
	}
	state := string(err.State)
	if _, observes := command.(messages.Observation); observes {
		state = "failed" // it has no effect that could have started
	}
	fmt.Fprintf(b, "%s: %s. %s", state, err.Code, err.Detail)
	writeRecovery(b, err.Recovery)
}

func writeRecovery(b *strings.Builder, recovery *messages.Recovery) {
	if recovery == nil {
		return
	}
	fmt.Fprintf(b, "\nNext: %s %s", recovery.Tool, encode(recovery.Arguments))
}

func writeReceipt(b *strings.Builder, command messages.Command, r *messages.Receipt) {
	if command != nil {
		fmt.Fprintf(b, "%s ", command.Action())
	}
	if r.Batch != nil && r.Batch.StoppedAtIndex != nil {
		writeStop(b, command, r)
	} else {
		b.WriteString(string(r.ExecutionState))
		if r.Code != "" {
			fmt.Fprintf(b, ": %s.", r.Code)
		}
	}
	if r.Message != "" {
		fmt.Fprintf(b, " %s", r.Message)
	}
	if r.BrowserID != "" {
		fmt.Fprintf(b, "\nbrowser_id %s", r.BrowserID)
	}
	if r.PageID != "" {
		fmt.Fprintf(b, " page_id %s", r.PageID)
	}
	writeFacts(b, r)
	if r.Batch != nil {
		writeBatch(b, r.Batch)
	}
	writeRecovery(b, r.Recovery)
}

// writeFacts writes what was observed, each fact once and none that is as expected.
func writeFacts(b *strings.Builder, r *messages.Receipt) {
	writeObserved(b, r.Observed)
	if r.Document != "" && r.Document != messages.DocumentSame {
		fmt.Fprintf(b, "\ndocument %s", r.Document)
		if r.URL != "" {
			fmt.Fprintf(b, " %s", quote.Text(r.URL))
		}
		if r.LoadState != "" {
			fmt.Fprintf(b, " %s", r.LoadState)
		}
	}
	writeDialog(b, r.Dialog)
	for _, opened := range r.OpenedPages {
		if opened.Closed {
			fmt.Fprintf(b, "\na page opened at an address of the scheme %s and was closed", quote.Text(opened.Scheme))
			continue
		}
		fmt.Fprintf(b, "\nopened page_id %s", opened.PageID)
		if opened.URL != "" {
			fmt.Fprintf(b, " %s", quote.Text(opened.URL))
		}
	}
	for _, d := range r.Downloads {
		fmt.Fprintf(b, "\ndownload %s %s %s", d.DownloadID, d.State, quote.Text(named(d)))
	}
	if r.Requests != nil && r.Requests.Count > 0 {
		fmt.Fprintf(b, "\nrequests %d, failed %d", r.Requests.Count, r.Requests.Failed)
		for _, request := range r.Requests.List {
			fmt.Fprintf(b, "; %s %s", quote.Word(request.Method), quote.Address(request.Path))
			if request.Status != 0 {
				fmt.Fprintf(b, " %d", request.Status)
			}
		}
	}
	if r.Stability != nil && !r.Stability.Stable {
		fmt.Fprintf(b, "\nnot settled: %s", r.Stability.Reason)
	}
	if r.NeedsSnapshot {
		b.WriteString("\nTake a snapshot before using element ids.")
	}
}

func writeObserved(b *strings.Builder, o *messages.Observed) {
	if o == nil {
		return
	}
	var facts []string
	if o.Withheld {
		facts = append(facts, "value withheld")
	}
	if o.Value != nil {
		facts = append(facts, "value "+quote.Text(*o.Value))
	}
	facts = appendBool(facts, "value_matches", o.ValueMatches)
	if o.Checked != "" {
		facts = append(facts, "checked "+string(o.Checked))
	}
	if o.Pressed != "" {
		facts = append(facts, "pressed "+string(o.Pressed))
	}
	facts = appendBool(facts, "selected", o.Selected)
	facts = appendBool(facts, "expanded", o.Expanded)
	facts = appendBool(facts, "state_matches", o.StateMatches)
	if len(facts) > 0 {
		b.WriteString("\nobserved " + strings.Join(facts, ", "))
	}
}

func appendBool(facts []string, name string, value *bool) []string {
	if value == nil {
		return facts
	}
	return append(facts, name+" "+strconv.FormatBool(*value))
}

func writeDialog(b *strings.Builder, d *messages.Dialog) {
	switch {
	case d == nil:
	case d.Open:
		fmt.Fprintf(b, "\ndialog open: %s %s. Answer with handle_dialog.", d.Kind, quote.Text(d.Message))
	default:
		fmt.Fprintf(b, "\ndialog %s %s", d.Kind, d.Answered)
	}
}

// writeStop says where a batch stopped, counted from 1, and how the operation ended that stopped it. The state of the
// whole batch is in the structure; in the text it would read as that of every operation.
func writeStop(b *strings.Builder, command messages.Command, r *messages.Receipt) {
	p := r.Batch
	total := p.CompletedCount + p.RemainingCount
	if p.StoppedExecutionState == messages.OutcomeUnknown {
		total++
	}
	if batch, ok := command.(*messages.Batch); ok {
		total = len(batch.Operations)
	}
	if command == nil {
		b.WriteString("batch ")
	}
	fmt.Fprintf(b, "stopped at operation %d of %d: %s", *p.StoppedAtIndex+1, total, p.StoppedExecutionState)
	if r.Code != "" {
		fmt.Fprintf(b, ", %s", r.Code)
	}
	fmt.Fprintf(b, "; %d completed", p.CompletedCount)
	if p.RemainingCount > 0 {
		fmt.Fprintf(b, ", %d not started", p.RemainingCount)
	}
	b.WriteString(".")
}

// writeBatch says of each operation what its own state does not: why it stopped, and what the page made of its value.
func writeBatch(b *strings.Builder, p *messages.BatchProgress) {
	if p.StoppedAtIndex == nil {
		fmt.Fprintf(b, "\nbatch: %d completed", p.CompletedCount)
	}
	for i, r := range p.Results {
		if r.Code == "" && (r.Observed == nil || !differs(r.Observed)) {
			continue
		}
		fmt.Fprintf(b, "\noperation %d: %s", i+1, r.ExecutionState)
		if r.Code != "" {
			fmt.Fprintf(b, " %s", r.Code)
		}
		if r.Observed != nil && r.Observed.Value != nil {
			fmt.Fprintf(b, " value %s", quote.Text(*r.Observed.Value))
		}
	}
}

// differs reports whether the page made something else of what was asked.
func differs(o *messages.Observed) bool {
	return o.ValueMatches != nil && !*o.ValueMatches || o.StateMatches != nil && !*o.StateMatches
}
