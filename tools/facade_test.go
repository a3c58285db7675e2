package tools

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// The exact grants of each action, as the requirements have them (R203). The union of a tool's grants is not enough.
func TestGrants(t *testing.T) {
	want := func(tool string, command messages.Command) []messages.Grant {
		switch {
		case tool == Inspect:
			return []messages.Grant{messages.GrantInspect}
		case tool == Observe:
			return []messages.Grant{messages.GrantRead}
		case command.Action() == "launch":
			return []messages.Grant{messages.GrantLaunch}
		case command.Action() == "upload_file":
			return []messages.Grant{messages.GrantControl, messages.GrantUpload}
		}
		return []messages.Grant{messages.GrantControl}
	}
	for _, c := range accepted {
		needed := want(c.tool, c.want)
		answered := newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) {
			return &messages.Receipt{ExecutionState: messages.Completed}, nil
		})
		caller := messages.Caller{ID: "c", Grants: messages.NewGrantSet(needed...)}
		if result := NewFacade(answered).Call(context.Background(), caller, c.tool, json.RawMessage(c.arguments)); result.Err != nil {
			t.Errorf("%s is refused with %v: %v", c.want.Action(), needed, result.Err)
		}
		for _, missing := range needed {
			var others []messages.Grant
			for _, g := range messages.AllGrants() {
				if g != missing {
					others = append(others, g)
				}
			}
			caller := messages.Caller{ID: "c", Grants: messages.NewGrantSet(others...)}
			result := NewFacade(unreachable(t)).Call(context.Background(), caller, c.tool, json.RawMessage(c.arguments))
			if result.Err == nil || result.Err.Code != messages.CodeNoGrant || !strings.Contains(result.Err.Detail, string(missing)) {
				t.Errorf("%s without %s gives %v", c.want.Action(), missing, result.Err)
				continue
			}
			checkStructure(t, result, "")
		}
	}
}

// An upload that hides in a batch needs its grant all the same.
func TestGrantOfAnUploadInABatch(t *testing.T) {
	call := json.RawMessage(`{"action":"batch",` + addressed + `,"operations":[{"action":"click","element_id":"e1"},{"action":"upload_file","element_id":"e2","path":"a"}]}`)
	result := NewFacade(unreachable(t)).Call(context.Background(), modelCaller(), Control, call)
	if result.Err == nil || result.Err.Code != messages.CodeNoGrant || !strings.Contains(result.Err.Detail, "files:upload") {
		t.Errorf("it gives %v", result.Err)
	}
}

// What belongs to the operator never passes for anybody else, whatever the grants.
func TestOperatorOnly(t *testing.T) {
	for _, command := range []messages.Command{
		&messages.Evaluate{PageAddress: onB, Script: "1"}, &messages.GetEngine{}, &messages.ReadField{PageAddress: onB, Field: "url"},
		&messages.TakeSnapshot{PageAddress: onB, Selector: "main"}, &messages.WaitFor{PageAddress: onB, Function: "1"},
	} {
		result := NewFacade(unreachable(t)).Do(context.Background(), modelCaller(messages.AllGrants()...), command)
		if result.Err == nil || result.Err.Code != messages.CodeNoGrant {
			t.Errorf("%s gives %v", command.Action(), result.Err)
		}
	}
}

// An effect always ends with a receipt that is at most as sure as what is known.
func TestEffectAnswers(t *testing.T) {
	refused := messages.NewError(messages.CodeControlDisabled, "")
	unknown := messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "").WithRecovery(Observe, map[string]any{"action": "browsers"})
	for name, c := range map[string]struct {
		reply   messages.Reply
		err     error
		state   messages.ExecutionState
		isError bool
	}{
		"completed":                {&messages.Receipt{ExecutionState: messages.Completed}, nil, messages.Completed, false},
		"refused with its receipt": {messages.Refusal("o", refused), refused, messages.NotStarted, true},
		"refused without":          {nil, refused, messages.NotStarted, true},
		"unknown":                  {messages.Refusal("o", unknown), unknown, messages.OutcomeUnknown, true},
		"an error of nobody's":     {nil, errors.New("secret-of-the-transport"), messages.OutcomeUnknown, true},
		"a wrapped error":          {nil, errors.Join(refused), messages.NotStarted, true},
		"nothing at all":           {nil, nil, messages.OutcomeUnknown, true},
		"a typed nothing":          {(*messages.Receipt)(nil), nil, messages.OutcomeUnknown, true},
	} {
		t.Run(name, func(t *testing.T) {
			gateway := newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) {
				return c.reply, c.err
			})
			result := NewFacade(gateway).Call(context.Background(), modelCaller(), Control, json.RawMessage(`{"action":"reload",`+addressed+`}`))
			receipt, ok := result.Reply.(*messages.Receipt)
			if !ok || receipt.ExecutionState != c.state || result.IsError != c.isError {
				t.Errorf("state %v, error %v: %s", receipt, result.IsError, result.Structured)
			}
			if strings.Contains(string(result.Structured)+result.Text, "secret") {
				t.Errorf("the text of a foreign error came through: %s", result.Structured)
			}
		})
	}
}

// A missing reply to an observation is a fault that is said, and a failed one has the form of a refusal.
func TestObservationAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		reply messages.Reply
		err   error
		code  messages.Code
	}{
		"failed":                 {nil, messages.NewError(messages.CodeSnapshotMissing, ""), messages.CodeSnapshotMissing},
		"failed, typed nothing":  {(*messages.Snapshot)(nil), messages.NewError(messages.CodeBusy, ""), messages.CodeBusy},
		"an error of nobody's":   {nil, errors.New("secret"), messages.CodeProtocolError},
		"nothing at all":         {nil, nil, messages.CodeInternalError},
		"an answer for somebody": {&messages.Engine{Path: "secret"}, nil, messages.CodeInternalError},
	} {
		t.Run(name, func(t *testing.T) {
			gateway := newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) {
				return c.reply, c.err
			})
			result := NewFacade(gateway).Call(context.Background(), modelCaller(), Observe, json.RawMessage(`{"action":"snapshot",`+addressed+`}`))
			if !result.IsError || result.Err == nil || result.Err.Code != c.code || strings.Contains(string(result.Structured), "secret") {
				t.Errorf("it gives %v: %s", result.Err, result.Structured)
			}
		})
	}
}

// Every list of the contract is a list, also when it is empty.
func TestEmptyLists(t *testing.T) {
	for _, c := range []struct {
		reply messages.Reply
		lists string
	}{
		{&messages.BrowserList{}, "browsers"}, {&messages.PageList{}, "pages"}, {&messages.Offers{}, "offers"},
		{&messages.Snapshot{}, "nodes"}, {&messages.Snapshot{}, "unseen"}, {&messages.ConsoleEntries{}, "entries"},
		{&messages.NetworkEntries{}, "entries"}, {&messages.DownloadList{}, "downloads"}, {&messages.CookieList{}, "cookies"},
		{&messages.StorageEntries{}, "entries"}, {&messages.Diagnostics{}, "entries"},
	} {
		var fields map[string]json.RawMessage
		result := present(nil, withLists(c.reply), nil)
		if err := json.Unmarshal(result.Structured, &fields); err != nil || string(fields[c.lists]) != "[]" {
			t.Errorf("%T has %s %q", c.reply, c.lists, fields[c.lists])
		}
	}
}

// secretFields are the fields that only the operator may see (R4, C4). What a model gets of a reply in which every text
// is marked must not hold the mark of one of them.
var secretFields = []string{"Receipt.Operator", "Download.Path", "Screenshot.Full", "Engine.Path"}

// Every reply type, with a mark in every text of it, shows no operator's field to a model in any form.
func TestProjectionOfEveryReply(t *testing.T) {
	for _, reply := range []messages.Reply{
		&messages.Targets{}, &messages.Offers{}, &messages.BrowserList{}, &messages.PageList{}, &messages.Snapshot{}, &messages.Screenshot{},
		&messages.ConsoleEntries{}, &messages.NetworkEntries{}, &messages.Diagnostics{}, &messages.NetworkDetail{}, &messages.CookieList{},
		&messages.StorageEntries{}, &messages.WaitMet{}, &messages.DownloadList{}, &messages.Receipt{ExecutionState: messages.Completed}, &messages.Surface{},
	} {
		mark(reflect.ValueOf(reply).Elem(), "", 0)
		before, _ := json.Marshal(reply)
		command := messages.Command(&messages.GetTargets{})
		if _, isReceipt := reply.(*messages.Receipt); isReceipt {
			command = &messages.Launch{}
		}
		facade := NewFacade(newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) { return reply, nil }))
		result := facade.Do(context.Background(), modelCaller(), command)
		shown := string(result.Structured) + result.Text
		for _, field := range secretFields {
			if strings.Contains(shown, "mark-"+field) {
				t.Errorf("%T shows %s to a model: %s", reply, field, shown)
			}
		}
		if strings.Contains(shown, "queried") && !isPageAddressed(reply) {
			t.Errorf("%T shows a query to a model: %s", reply, shown)
		}
		if after, _ := json.Marshal(reply); string(after) != string(before) {
			t.Errorf("the projection changed the reply itself, which others may share")
		}
	}
}

// isPageAddressed reports whether a reply shows the address of a page, which a model may see whole: it navigates by it.
func isPageAddressed(reply messages.Reply) bool {
	switch reply.(type) {
	case *messages.PageList, *messages.Snapshot, *messages.WaitMet, *messages.Receipt, *messages.ConsoleEntries, *messages.Diagnostics:
		return true
	}
	return false
}

// mark fills every text of a value with the name of its field. Ids get a text that looks like one.
func mark(v reflect.Value, name string, depth int) {
	if depth > 6 || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		switch {
		case name == "Receipt.ExecutionState":
		case strings.HasSuffix(name, ".URL"):
			v.SetString("http://host/path?queried=1#fragment")
		case strings.HasSuffix(name, "ID"):
			v.SetString("id")
		case strings.HasSuffix(name, ".SHA256") || strings.HasSuffix(name, ".MIME"):
			v.SetString("digest")
		default:
			v.SetString("mark-" + name)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			mark(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		mark(v.Elem(), name, depth+1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte("mark-" + name))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		mark(v.Index(0), name, depth+1)
	}
}

// The operator sees what the projection takes from everybody else.
func TestOperatorSeesPaths(t *testing.T) {
	reply := &messages.DownloadList{Downloads: []messages.Download{{Path: "/private/file"}}}
	facade := NewFacade(newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) { return reply, nil }))
	caller := modelCaller()
	caller.Plane = messages.PlaneOperator
	if result := facade.Do(context.Background(), caller, &messages.ListDownloads{BrowserID: "b"}); !strings.Contains(string(result.Structured), "/private/file") {
		t.Errorf("the operator gets %s", result.Structured)
	}
}

// A command that names a browser is known by it, whatever its kind.
func TestAddresses(t *testing.T) {
	for _, c := range accepted {
		at := messages.AddressOf(c.want)
		if strings.Contains(c.arguments, `"browser_id":"b"`) != (at.BrowserID == "b") || strings.Contains(c.arguments, `"page_id":"p"`) != (at.PageID == "p") {
			t.Errorf("%s is found at %+v", c.want.Action(), at)
		}
	}
	if !slices.Contains([]messages.BrowserID{"invalid"}, opaque(messages.BrowserID("/etc/passwd"))) {
		t.Error("a path came through as an id")
	}
}
