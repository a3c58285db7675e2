package codec

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/troupe-browser/troupe/messages"
)

// Version is that of the form. It changes with every change of a field that an older
// end would read as something else.
const Version = 1

// nameBytesMax bounds, in bytes, how much of an unknown name an error repeats.
const nameBytesMax = 32

// Command is one command on the wire.
type Command struct {
	Action  messages.Action `json:"action,omitempty"`
	Command json.RawMessage `json:"command,omitempty"`
}

// Answer answers a command. Image and Operator are what the reply's own JSON form,
// which models read, leaves out.
type Answer struct {
	Type     string          `json:"type,omitempty"`
	Reply    json.RawMessage `json:"reply,omitempty"`
	Error    *Error          `json:"error,omitempty"`
	Image    []byte          `json:"image,omitempty"`
	Operator string          `json:"operator,omitempty"`
}

// Error is a refusal with the operator's part.
type Error struct {
	Code     messages.Code           `json:"code"`
	State    messages.ExecutionState `json:"state"`
	Detail   string                  `json:"detail"`
	Recovery *messages.Recovery      `json:"recovery,omitempty"`
	Operator string                  `json:"operator,omitempty"`
}

// EncodeError returns a refusal's form on the wire.
func EncodeError(e *messages.Error) *Error {
	return &Error{e.Code, e.State, e.Detail, e.Recovery, e.Operator}
}

// Decode returns the refusal.
func (e *Error) Decode() *messages.Error {
	return &messages.Error{Code: e.Code, State: e.State, Detail: e.Detail, Recovery: e.Recovery, Operator: e.Operator}
}

// batch is a batch whose operations name their action.
type batch struct {
	Page       messages.PageAddress   `json:"page"`
	Options    messages.EffectOptions `json:"options"`
	Operations []Command              `json:"operations"`
}

// EncodeCommand returns a command's form on the wire. It fails for a command that is
// missing, or that holds something that JSON can't.
func EncodeCommand(c messages.Command) (Command, error) {
	if messages.IsNil(c) {
		return Command{}, messages.NewError(messages.CodeInvalidRequest, "There is no command.")
	}
	var form any = c
	if b, ok := c.(*messages.Batch); ok {
		whole := batch{Page: b.PageAddress, Options: b.EffectOptions}
		for _, op := range b.Operations {
			inner, err := EncodeCommand(op)
			if err != nil {
				return Command{}, err
			}
			whole.Operations = append(whole.Operations, inner)
		}
		form = whole
	}
	data, err := json.Marshal(form)
	return Command{Action: c.Action(), Command: data}, err
}

// DecodeCommand returns the command. An action that is not in the table is refused
// by name, and what can't be read is refused without being repeated.
func DecodeCommand(c Command) (messages.Command, *messages.Error) {
	d := messages.DescribeAction(c.Action)
	if d == nil {
		return nil, messages.NewError(messages.CodeInvalidRequest, "There is no action %q.", cut(string(c.Action)))
	}
	command := d.New()
	if b, ok := command.(*messages.Batch); ok {
		return b, decodeBatch(c.Command, b)
	}
	if json.Unmarshal(c.Command, command) != nil {
		return nil, messages.NewError(messages.CodeInvalidRequest, "The command %s cannot be read.", d.Action)
	}
	return command, nil
}

func decodeBatch(data json.RawMessage, into *messages.Batch) *messages.Error {
	var whole batch
	if json.Unmarshal(data, &whole) != nil {
		return messages.NewError(messages.CodeInvalidRequest, "The command batch cannot be read.")
	}
	into.PageAddress, into.EffectOptions = whole.Page, whole.Options
	for _, op := range whole.Operations {
		inner, err := DecodeCommand(op)
		if err != nil {
			return err
		}
		effect, ok := inner.(messages.ElementEffect)
		if !ok {
			return messages.NewError(messages.CodeInvalidBatchValue, "%s cannot be in a batch.", inner.Action())
		}
		into.Operations = append(into.Operations, effect)
	}
	return nil
}

// replies are the types of replies by name.
var replies = func() map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for _, d := range messages.Descriptors() {
		t := reflect.TypeOf(d.Answer).Elem()
		out[t.Name()] = t
	}
	return out
}()

// EncodeAnswer returns the form of a reply, of an error, or of both.
func EncodeAnswer(reply messages.Reply, err error) Answer {
	var a Answer
	if err != nil {
		a.Error = EncodeError(messages.AsError(err))
	}
	if reply == nil || reflect.ValueOf(reply).IsNil() {
		return a
	}
	data, failed := json.Marshal(reply)
	if failed != nil {
		a.Error = EncodeError(messages.NewError(messages.CodeInternalError, ""))
		return a
	}
	a.Type, a.Reply = reflect.TypeOf(reply).Elem().Name(), data
	switch r := reply.(type) {
	case *messages.Screenshot:
		if a.Image = r.Full; a.Image == nil {
			a.Image = r.Image
		}
	case *messages.Receipt:
		a.Operator = r.Operator
	}
	return a
}

// DecodeAnswer returns the reply and the error of an answer. That of a receipt is the
// receipt's own.
func DecodeAnswer(a Answer) (messages.Reply, error) {
	var reply messages.Reply
	if a.Reply != nil {
		t, ok := replies[a.Type]
		if !ok {
			return nil, fmt.Errorf("the answer has an unknown type %q", cut(a.Type))
		}
		v := reflect.New(t)
		if err := json.Unmarshal(a.Reply, v.Interface()); err != nil {
			return nil, fmt.Errorf("the answer cannot be read: %w", err)
		}
		reply = v.Interface().(messages.Reply)
	}
	switch r := reply.(type) {
	case *messages.Screenshot:
		r.Image = a.Image
	case *messages.Receipt:
		r.Operator = a.Operator
		return r, r.Err()
	}
	if a.Error != nil {
		return reply, a.Error.Decode()
	}
	return reply, nil
}

func cut(name string) string { return name[:min(len(name), nameBytesMax)] }
