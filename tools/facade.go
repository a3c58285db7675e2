package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/troupe-browser/troupe/messages"
)

// Facade carries out tool calls through a gateway. It is safe for use by several goroutines.
type Facade struct {
	gateway messages.Gateway
}

// NewFacade returns a facade over a gateway.
func NewFacade(gateway messages.Gateway) *Facade { return &Facade{gateway} }

// Result is the answer to a call, in the forms that a surface needs.
type Result struct {
	// Structured is the answer as one JSON object: a receipt, an observation, or a refusal.
	Structured json.RawMessage
	// Text says the same for people and for hosts that show a model only text (see the package comment).
	Text string
	// Image is a PNG, delivered beside the structure (R149), or nil.
	Image []byte
	// IsError is true when an effect is not_started or outcome_unknown, or an observation failed.
	IsError bool
	// Reply is the typed answer, nil where an observation failed. Err is the refusal, nil where there is none.
	Reply messages.Reply
	Err   *messages.Error
}

// Call parses, authorises and carries out one call of a tool, and never returns without a structure: what goes wrong is
// in it. Cancelling the context ends the call with what is then known of it.
func (f *Facade) Call(ctx context.Context, caller messages.Caller, toolName string, arguments json.RawMessage) Result {
	command, err := Parse(toolName, arguments)
	if err != nil {
		reply, err := settle(caller, toolName, nil, nil, err)
		return present(nil, reply, err)
	}
	reply, err := f.do(ctx, caller, toolName, command)
	return present(command, reply, err)
}

// Do authorises and carries out a command that a surface built itself, as the command line does.
func (f *Facade) Do(ctx context.Context, caller messages.Caller, command messages.Command) Result {
	reply, err := f.Answer(ctx, caller, command)
	return present(command, reply, err)
}

// Answer does the same as Do and returns the answer as data, without structure and text, for a surface whose other end
// presents it. A refused effect has both a receipt and an error.
func (f *Facade) Answer(ctx context.Context, caller messages.Caller, command messages.Command) (messages.Reply, *messages.Error) {
	if err := messages.Validate(command); err != nil {
		return settle(caller, "", command, nil, err)
	}
	return f.do(ctx, caller, "", command)
}

func (f *Facade) do(ctx context.Context, caller messages.Caller, toolName string, command messages.Command) (messages.Reply, *messages.Error) {
	if err := Authorize(caller, command); err != nil {
		return settle(caller, toolName, command, nil, err)
	}
	reply, err := f.gateway.Do(ctx, caller, command)
	if err == nil {
		return settle(caller, toolName, command, reply, nil)
	}
	known := messages.AsError(err)
	var ours *messages.Error
	if _, isEffect := command.(messages.Effect); isEffect && !errors.As(err, &ours) {
		// An error that is none of ours proves nothing about an effect that was dispatched.
		known = known.AsUnknown()
	}
	return settle(caller, toolName, command, reply, known)
}

// settle projects a reply to what the caller may see, and gives an effect its receipt. An answer that is missing becomes
// an error.
func settle(caller messages.Caller, toolName string, command messages.Command, reply messages.Reply, err *messages.Error) (messages.Reply, *messages.Error) {
	if _, isReceipt := reply.(*messages.Receipt); err != nil && !isReceipt {
		reply = nil
	}
	reply = withLists(project(caller.Plane, reply))
	if _, isEffect := command.(messages.Effect); isEffect || command == nil && toolName == Control {
		return asReceipt(command, reply, err)
	}
	if reply == nil && err == nil {
		err = messages.NewError(messages.CodeInternalError, "")
	}
	return reply, err
}

// asReceipt gives every effect its receipt, also one that was refused before the gateway.
func asReceipt(command messages.Command, reply messages.Reply, err *messages.Error) (messages.Reply, *messages.Error) {
	if receipt, ok := reply.(*messages.Receipt); ok && receipt != nil {
		return receipt, messages.AsError(receipt.Err())
	}
	var operation messages.OperationID
	if effect, ok := command.(messages.Effect); ok {
		operation = effect.Operation()
	}
	if err == nil {
		err = messages.UnknownOutcome(messages.CodeInternalError, "The effect was answered without a receipt.").
			WithRecovery(Observe, map[string]any{"action": "browsers"})
	}
	return messages.Refusal(operation, err), err
}

// Authorize refuses a command whose exact grants the caller lacks, or that belongs to the operator (R203). The actor
// that carries the command out checks again.
func Authorize(caller messages.Caller, command messages.Command) *messages.Error {
	if messages.OperatorOnly(command) && caller.Plane != messages.PlaneOperator {
		return messages.NewError(messages.CodeNoGrant, "%s is for the operator only.", command.Action())
	}
	for _, grant := range messages.RequiredGrants(command) {
		if !caller.Grants.Has(grant) {
			err := messages.NewError(messages.CodeNoGrant, "%s needs the grant %s, which the operator has not given.", command.Action(), grant)
			if caller.Plane != messages.PlaneOperator {
				err.Detail += fmt.Sprintf(" The operator gives it when the server starts: --grant %s, or grants in the configuration.", grant)
			}
			return err
		}
	}
	return nil
}

// refusal is the structure of an observation that failed.
type refusal struct {
	ExecutionState messages.ExecutionState `json:"execution_state"`
	Code           messages.Code           `json:"code"`
	Message        string                  `json:"message"`
	Recovery       *messages.Recovery      `json:"recovery,omitempty"`
}

// Describe says an answer in lines, as the text content of a result does, for surfaces that carry out commands without a
// Facade. The command may be nil.
func Describe(command messages.Command, reply messages.Reply, err *messages.Error) string {
	return present(command, reply, err).Text
}

// emptySnapshot writes the list of nodes also when there are none.
type emptySnapshot struct {
	*messages.Snapshot
	Nodes []messages.Node `json:"nodes"`
}

// present puts an answer into the forms of Result.
func present(command messages.Command, reply messages.Reply, err *messages.Error) Result {
	result := Result{Reply: reply, Err: err, IsError: err != nil}
	var structure any = reply
	if snapshot, ok := reply.(*messages.Snapshot); ok && len(snapshot.Nodes) == 0 && snapshot.Text == "" {
		structure = emptySnapshot{snapshot, []messages.Node{}}
	}
	if reply == nil && err != nil {
		structure = refusal{err.State, err.Code, err.Detail, err.Recovery}
	}
	if result.Structured = encode(structure); result.Structured == nil {
		// Replies are structs of strings, numbers and booleans; only one that is missing comes here.
		result.Reply, result.IsError = nil, true
		result.Err = messages.NewError(messages.CodeInternalError, "")
		result.Structured = encode(refusal{messages.NotStarted, result.Err.Code, result.Err.Detail, nil})
	}
	result.Text = text(command, result)
	if shot, ok := result.Reply.(*messages.Screenshot); ok {
		result.Image = shot.Image
	}
	return result
}

// encode writes an object as JSON without the escapes that only HTML needs, and nil for anything that is no object.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil || b.Bytes()[0] != '{' {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
