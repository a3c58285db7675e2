package codec

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// fill gives every field of a value something that is not zero, so that a field which does not cross the socket shows.
func fill(v reflect.Value, depth int) {
	if depth > 6 || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Interface {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.String {
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(reflect.ValueOf("key"), reflect.ValueOf("value"))
		}
	}
}

// crossed passes a request through the text of the socket.
func crossed[T any](t *testing.T, v T) T {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Every command crosses the socket whole.
func TestCommandsCrossTheSocket(t *testing.T) {
	for _, d := range messages.Descriptors() {
		command := d.New()
		fill(reflect.ValueOf(command).Elem(), 0)
		if batch, ok := command.(*messages.Batch); ok {
			click, upload := &messages.Click{}, &messages.UploadFile{}
			fill(reflect.ValueOf(click).Elem(), 0)
			fill(reflect.ValueOf(upload).Elem(), 0)
			batch.Operations = []messages.ElementEffect{click, upload}
		}
		request, err := EncodeCommand(command)
		if err != nil {
			t.Fatal(err)
		}
		got, refused := DecodeCommand(crossed(t, request))
		if refused != nil || !reflect.DeepEqual(got, command) {
			t.Errorf("%s becomes %+v, %v, want %+v", d.Action, got, refused, command)
		}
	}
}

// Every reply crosses the socket whole, with what its JSON form for models leaves out where the operator needs it.
func TestRepliesCrossTheSocket(t *testing.T) {
	for name, form := range replies {
		v := reflect.New(form)
		fill(v.Elem(), 0)
		reply := v.Interface().(messages.Reply)
		switch r := reply.(type) {
		case *messages.Receipt:
			r.ExecutionState, r.Recovery = messages.Completed, nil
			checkedStates(r)
		case *messages.Snapshot:
			r.Nodes[0].Checked, r.Nodes[0].Pressed = messages.CheckedMixed, messages.CheckedTrue
		case *messages.Screenshot:
			r.Image, r.Full = []byte("whole"), []byte("whole")
		}
		got, err := DecodeAnswer(crossed(t, EncodeAnswer(reply, nil)))
		if shot, ok := got.(*messages.Screenshot); ok {
			shot.Full = shot.Image
		}
		if err != nil || !reflect.DeepEqual(got, reply) {
			t.Errorf("%s becomes\n%+v, %v, want\n%+v", name, got, err, reply)
		}
	}
}

func checkedStates(r *messages.Receipt) {
	r.Observed.Checked, r.Observed.Pressed = messages.CheckedTrue, messages.CheckedFalse
	for i := range r.Batch.Results {
		if o := r.Batch.Results[i].Observed; o != nil {
			o.Checked, o.Pressed = messages.CheckedTrue, messages.CheckedFalse
		}
	}
}

// A refusal crosses with the operator's text, and a refused effect with its receipt.
func TestRefusalsCrossTheSocket(t *testing.T) {
	refused := messages.NewError(messages.CodeLaunchFailed, "").WithOperator("the browser's last words").WithRecovery("observe_browser", map[string]any{"action": "targets"})
	_, err := DecodeAnswer(crossed(t, EncodeAnswer(nil, refused)))
	if !reflect.DeepEqual(err, refused) {
		t.Errorf("it becomes %#v", err)
	}
	reply, err := DecodeAnswer(crossed(t, EncodeAnswer(messages.Refusal("op", refused), refused)))
	receipt, ok := reply.(*messages.Receipt)
	if !ok || receipt.OperationID != "op" || !reflect.DeepEqual(err, refused) {
		t.Errorf("it becomes %#v, %#v", reply, err)
	}
}

// What the daemon does not know is refused, also inside a batch.
func TestUnknownRequests(t *testing.T) {
	for _, request := range []Command{
		{Action: "format_disk"}, {Action: "click", Command: json.RawMessage(`[]`)},
		{Action: "batch", Command: json.RawMessage(`{"operations":[{"action":"close_browser","command":{}}]}`)},
	} {
		if _, err := DecodeCommand(request); err == nil {
			t.Errorf("%s is accepted", request.Action)
		}
	}
	if _, err := DecodeAnswer(Answer{Type: "Nothing", Reply: json.RawMessage(`{}`)}); err == nil || !strings.Contains(err.Error(), "Nothing") {
		t.Errorf("an unknown answer gives %v", err)
	}
}
