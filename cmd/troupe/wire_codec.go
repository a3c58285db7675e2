package main

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/troupe-browser/troupe/messages"
)

// What the command line and its daemon say to each other on the private socket: one JSON object per line, each way. A
// connection carries one request at a time; closing it cancels the request. The form is private to one build: both ends
// are the same program, and the first line says which.

// protocolName opens the first line of a command line's connection. An MCP client's first line has none of it, so one
// socket serves both.
const protocolName = "troupe-cli/1"

// wireLineBytesMax bounds one line: a full-page picture in base64 with its envelope.
const wireLineBytesMax = 2 * (messages.ImageBytesMax + 1<<20)

// wireHello is the first line of a connection.
type wireHello struct {
	Protocol string `json:"protocol"`
	Version  string `json:"version"`
	// Owner is the agent for whom the command runs; each owner is a caller of its own.
	Owner messages.OwnerID `json:"owner,omitempty"`
	// Settings are those that flags of this command name. A daemon that runs with others refuses.
	Settings map[string]string `json:"settings,omitempty"`
	wireSession
}

// wireSession says what follows the first line when it is no request of the command line.
type wireSession struct {
	// MCP makes the rest of the stream a session of the tools; OwnerPID, where above 0, is the process with which the
	// browsers of that session end.
	MCP      bool `json:"mcp,omitempty"`
	OwnerPID int  `json:"owner_pid,omitempty"`
}

// wireRequest is one command, or one of the daemon's own requests when Daemon is set.
type wireRequest struct {
	Daemon  string          `json:"daemon,omitempty"` // status, metrics or stop
	Action  messages.Action `json:"action,omitempty"`
	Command json.RawMessage `json:"command,omitempty"`
}

// wireAnswer answers a request. Image and Operator are what the reply's own JSON form leaves out.
type wireAnswer struct {
	Type     string          `json:"type,omitempty"`
	Reply    json.RawMessage `json:"reply,omitempty"`
	Error    *wireError      `json:"error,omitempty"`
	Image    []byte          `json:"image,omitempty"`
	Operator string          `json:"operator,omitempty"`
	Daemon   json.RawMessage `json:"daemon,omitempty"`
}

// wireError is a refusal with the operator's part.
type wireError struct {
	Code     messages.Code           `json:"code"`
	State    messages.ExecutionState `json:"state"`
	Detail   string                  `json:"detail"`
	Recovery *messages.Recovery      `json:"recovery,omitempty"`
	Operator string                  `json:"operator,omitempty"`
}

func toWireError(e *messages.Error) *wireError {
	return &wireError{e.Code, e.State, e.Detail, e.Recovery, e.Operator}
}

func (e *wireError) err() *messages.Error {
	return &messages.Error{Code: e.Code, State: e.State, Detail: e.Detail, Recovery: e.Recovery, Operator: e.Operator}
}

// wireCommands makes an empty command for each action that the command line sends.
var wireCommands = byAction(
	&messages.GetTargets{}, &messages.ListBrowsers{}, &messages.ListPages{}, &messages.TakeSnapshot{}, &messages.TakeScreenshot{},
	&messages.GetConsole{}, &messages.GetNetwork{}, &messages.GetDiagnostics{}, &messages.ListDownloads{}, &messages.WaitFor{},
	&messages.GetNetworkRequest{}, &messages.GetCookies{}, &messages.GetStorage{}, &messages.ReadField{}, &messages.GetEngine{},
	&messages.Launch{}, &messages.NewPage{}, &messages.Navigate{}, &messages.Reload{}, &messages.Back{}, &messages.Forward{}, &messages.Stop{},
	&messages.Click{}, &messages.Hover{}, &messages.Scroll{}, &messages.Drag{}, &messages.InputText{}, &messages.SetValue{}, &messages.SelectOption{},
	&messages.SelectChoice{}, &messages.SetDate{}, &messages.UploadFile{}, &messages.PressKey{}, &messages.Batch{}, &messages.HandleDialog{},
	&messages.SetViewport{}, &messages.ClearDiagnostics{}, &messages.ClosePage{}, &messages.CloseBrowser{}, &messages.Evaluate{},
	&messages.MutateCookies{}, &messages.MutateStorage{}, &messages.CancelDownload{}, &messages.ClearDownloads{}, &messages.Present{},
	&messages.EndOwner{}, &messages.Unstick{}, &messages.Heartbeat{},
)

func byAction(commands ...messages.Command) map[messages.Action]reflect.Type {
	out := make(map[messages.Action]reflect.Type, len(commands))
	for _, c := range commands {
		out[c.Action()] = reflect.TypeOf(c).Elem()
	}
	return out
}

// wireReplies are the types of replies by name.
var wireReplies = byName(
	&messages.Targets{}, &messages.BrowserList{}, &messages.PageList{}, &messages.Snapshot{}, &messages.Screenshot{}, &messages.ConsoleEntries{},
	&messages.NetworkEntries{}, &messages.Diagnostics{}, &messages.DownloadList{}, &messages.WaitMet{}, &messages.NetworkDetail{},
	&messages.CookieList{}, &messages.StorageEntries{}, &messages.FieldValue{}, &messages.Engine{}, &messages.Receipt{},
)

func byName(replies ...messages.Reply) map[string]reflect.Type {
	out := make(map[string]reflect.Type, len(replies))
	for _, r := range replies {
		t := reflect.TypeOf(r).Elem()
		out[t.Name()] = t
	}
	return out
}

// wireBatch is a batch with operations that name their action.
type wireBatch struct {
	Page       messages.PageAddress   `json:"page"`
	Options    messages.EffectOptions `json:"options"`
	Operations []wireRequest          `json:"operations"`
}

func encodeCommand(c messages.Command) (wireRequest, error) {
	var form any = c
	if batch, ok := c.(*messages.Batch); ok {
		b := wireBatch{Page: batch.PageAddress, Options: batch.EffectOptions}
		for _, op := range batch.Operations {
			inner, err := encodeCommand(op)
			if err != nil {
				return wireRequest{}, err
			}
			b.Operations = append(b.Operations, inner)
		}
		form = b
	}
	data, err := json.Marshal(form)
	return wireRequest{Action: c.Action(), Command: data}, err
}

func decodeCommand(r wireRequest) (messages.Command, error) {
	t, ok := wireCommands[r.Action]
	if !ok {
		return nil, fmt.Errorf("the daemon knows no command %q", clampWord(string(r.Action)))
	}
	if r.Action == "batch" {
		return decodeBatch(r.Command)
	}
	v := reflect.New(t)
	if err := json.Unmarshal(r.Command, v.Interface()); err != nil {
		return nil, fmt.Errorf("the command %s cannot be read: %w", r.Action, err)
	}
	return v.Interface().(messages.Command), nil
}

func decodeBatch(data json.RawMessage) (messages.Command, error) {
	var b wireBatch
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, fmt.Errorf("the batch cannot be read: %w", err)
	}
	batch := &messages.Batch{PageAddress: b.Page, EffectOptions: b.Options}
	for _, op := range b.Operations {
		inner, err := decodeCommand(op)
		if err != nil {
			return nil, err
		}
		effect, ok := inner.(messages.ElementEffect)
		if !ok {
			return nil, fmt.Errorf("%s cannot be in a batch", inner.Action())
		}
		batch.Operations = append(batch.Operations, effect)
	}
	return batch, nil
}

func encodeAnswer(reply messages.Reply, err error) wireAnswer {
	var a wireAnswer
	if err != nil {
		a.Error = toWireError(messages.AsError(err))
	}
	if reply == nil || reflect.ValueOf(reply).IsNil() {
		return a
	}
	data, failed := json.Marshal(reply)
	if failed != nil {
		a.Error = toWireError(messages.NewError(messages.CodeInternalError, ""))
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

func decodeAnswer(a wireAnswer) (messages.Reply, error) {
	var reply messages.Reply
	if a.Reply != nil {
		t, ok := wireReplies[a.Type]
		if !ok {
			return nil, fmt.Errorf("the daemon answered with an unknown %q", clampWord(a.Type))
		}
		v := reflect.New(t)
		if err := json.Unmarshal(a.Reply, v.Interface()); err != nil {
			return nil, fmt.Errorf("the daemon's answer cannot be read: %w", err)
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
		return reply, a.Error.err()
	}
	return reply, nil
}
