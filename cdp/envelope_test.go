package cdp

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

func TestDecodeEnvelope(t *testing.T) {
	for _, row := range []struct {
		message string
		want    envelope
		bad     bool
	}{
		{message: `{"id":7,"result":{}}`, want: envelope{id: 7, hasID: true, result: []byte(`{}`)}},
		{message: ` { "sessionId" : "S" , "result" : [ 1 , "}" ] , "id" : 1 } ` + "\n",
			want: envelope{id: 1, hasID: true, session: "S", result: []byte(`[ 1 , "}" ]`)}},
		{message: `{"method":"A.b","params":{"x":"\\\""},"sessionId":"S"}`,
			want: envelope{method: "A.b", session: "S", params: []byte(`{"x":"\\\""}`)}},
		{message: `{"id":2,"error":{"code":-32000,"message":"no"},"sessionId":"S"}`,
			want: envelope{id: 2, hasID: true, session: "S", hasError: true, errorJSON: []byte(`{"code":-32000,"message":"no"}`)}},
		{message: `{"meth\u006fd":"A\u002eb","other":{"id":1}}`, want: envelope{method: "A.b"}},
		{message: `{}`},
		{message: `{"a":null,"b":true,"c":-1.5e3}`},
		{message: ``, bad: true},
		{message: `[]`, bad: true},
		{message: `{"id":1`, bad: true},
		{message: `{"id":1}x`, bad: true},
		{message: `{"id":1,}`, bad: true},
		{message: `{"id"}`, bad: true},
		{message: `{"id":}`, bad: true},
		{message: `{"id":"1"}`, bad: true},
		{message: `{"id":1.5}`, bad: true},
		{message: `{"id":99999999999999999999}`, bad: true},
		{message: `{"method":1}`, bad: true},
		{message: `{"sessionId":null}`, bad: true},
		{message: `{"result":{"a":"}}`, bad: true},
		{message: `{"result":{"a":1}`, bad: true},
		{message: `{id:1}`, bad: true},
	} {
		got, err := decodeEnvelope([]byte(row.message))
		if (err != nil) != row.bad {
			t.Errorf("%s: error %v", row.message, err)
			continue
		}
		if err == nil && !sameEnvelope(got, row.want) {
			t.Errorf("%s: got %+v", row.message, got)
		}
	}
}

func sameEnvelope(a, b envelope) bool {
	return a.id == b.id && a.hasID == b.hasID && a.method == b.method && a.session == b.session && a.hasError == b.hasError &&
		bytes.Equal(a.params, b.params) && bytes.Equal(a.result, b.result) && bytes.Equal(a.errorJSON, b.errorJSON)
}

// FuzzDecodeEnvelope compares the hand-written scan with the general decoder: on
// every message that is valid JSON with members of the right types they must find
// the same, and on no input may the scan fail otherwise than by its error.
func FuzzDecodeEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"result":{"a":[{"b":"}\\\""}]},"sessionId":"S"}`,
		`{"method":"Page.frameNavigated","params":{"frame":{"id":"F"}},"sessionId":"S"}`,
		`{"id":2,"error":{"code":-32000,"message":"x"}}`,
		`{"meth\u006fd":"\ud83d\ude00","params":"\\"}`,
		"{\"id\" : 3 ,\t\"result\" : null }\n", `{"id":1e1}`, `{"a":"\`, `{"result":{"a":"}"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decodeEnvelope(data)
		for _, part := range [][]byte{got.params, got.result, got.errorJSON} {
			if len(part) > len(data) {
				t.Fatal("a value is longer than its message")
			}
		}
		if got.hasError {
			got.protocolError()
		}
		var want struct {
			ID      *int64        `json:"id"`
			Method  *string       `json:"method"`
			Session *string       `json:"sessionId"`
			Params  jsonv2.Value  `json:"params"`
			Result  jsonv2.Value  `json:"result"`
			Error   *jsonv2.Value `json:"error"`
		}
		if jsonv2.Unmarshal(data, &want) != nil || bytes.Contains(data, []byte("null")) {
			return // not a protocol message; the scan may be laxer, not unsafe
		}
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if got.hasID != (want.ID != nil) || (want.ID != nil && got.id != *want.ID) {
			t.Fatalf("%q: id %v", data, got.id)
		}
		if want.Method != nil && got.method != *want.Method {
			t.Fatalf("%q: method %q", data, got.method)
		}
		if want.Session != nil && string(got.session) != *want.Session {
			t.Fatalf("%q: session %q", data, got.session)
		}
		if !bytes.Equal(got.params, want.Params) || !bytes.Equal(got.result, want.Result) {
			t.Fatalf("%q: params %s, result %s", data, got.params, got.result)
		}
	})
}

// A page can put a lone surrogate into any text, which must not make a reply
// unreadable.
func TestDecodeSurrogate(t *testing.T) {
	var text string
	if err := unmarshal([]byte(`"a\ud800b"`), &text); err != nil || !utf8.ValidString(text) {
		t.Errorf("got %q, %v", text, err)
	}
}

func BenchmarkDecodeEnvelope(b *testing.B) {
	type node struct {
		ID   string         `json:"nodeId"`
		Role map[string]any `json:"role"`
		Name map[string]any `json:"name"`
		Kids []string       `json:"childIds"`
	}
	var nodes []node
	for range 5000 {
		nodes = append(nodes, node{"12345", map[string]any{"type": "internalRole", "value": "StaticText"}, map[string]any{"type": "computedString", "value": "Some text of a usual length, \"quoted\""}, []string{"1", "2"}})
	}
	result, err := json.Marshal(map[string]any{"nodes": nodes})
	if err != nil {
		b.Fatal(err)
	}
	for _, row := range []struct {
		name    string
		message []byte
	}{
		{"small", []byte(`{"id":1234,"result":{"result":{"type":"string","value":"ok"}},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`)},
		{"large", append(append([]byte(`{"id":1234,"result":`), result...), `,"sessionId":"S"}`...)},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.SetBytes(int64(len(row.message)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decodeEnvelope(row.message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
