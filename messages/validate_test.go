package messages

import (
	"errors"
	"strings"
	"testing"
)

var somewhere = PageAddress{BrowserID: "b", PageID: "p"}

func on(id ElementHandle) OnElement { return OnElement{PageAddress: somewhere, ElementID: id} }

// Each row names the requirement whose bound it stands on; want is "" for a call
// that is accepted.
func TestValidate(t *testing.T) {
	long := strings.Repeat("a", ValueBytesMax+1)
	rows := []struct {
		name    string
		command Command
		want    Code
	}{
		{"R110 http", &Navigate{PageAddress: somewhere, URL: "http://example.org/a?b=c"}, ""},
		{"R110 file", &Navigate{PageAddress: somewhere, URL: "file:///etc/passwd"}, CodeUnsupportedURLScheme},
		{"R110 javascript", &Navigate{PageAddress: somewhere, URL: "javascript:alert(1)"}, CodeUnsupportedURLScheme},
		{"R110 about:blank", &Navigate{PageAddress: somewhere, URL: "about:blank"}, CodeUnsupportedURLScheme},
		{"R110 relative", &Navigate{PageAddress: somewhere, URL: "/a"}, CodeInvalidURL},
		{"R110 no host", &Navigate{PageAddress: somewhere, URL: "http://"}, CodeInvalidURL},
		{"R110 too long", &Navigate{PageAddress: somewhere, URL: "http://a/" + strings.Repeat("a", URLBytesMax)}, CodeInvalidURL},
		{"R110 control character", &Navigate{PageAddress: somewhere, URL: "http://a/\nb"}, CodeInvalidURL},
		{"C15 no browser", &Navigate{URL: "http://a/"}, CodeInvalidRequest},
		{"C15 no page", &Click{OnElement: OnElement{PageAddress: PageAddress{BrowserID: "b"}, ElementID: "e1"}}, CodeInvalidRequest},
		{"click without element", &Click{OnElement: on("")}, CodeInvalidRequest},
		{"click count", &Click{OnElement: on("e1"), Count: 4}, CodeInvalidRequest},
		{"click button", &Click{OnElement: on("e1"), Button: "back"}, CodeInvalidRequest},
		{"click modifiers", &Click{OnElement: on("e1"), Modifiers: []Modifier{ModifierCtrl, ModifierCtrl}}, CodeInvalidKey},
		{"R79 text", &InputText{OnElement: on("e1"), Text: "x"}, ""},
		{"R79 empty text", &InputText{OnElement: on("e1")}, CodeInvalidText},
		{"R79 NUL", &InputText{OnElement: on("e1"), Text: "a\x00"}, CodeInvalidText},
		{"R79 long text", &InputText{OnElement: on("e1"), Text: long}, CodeInvalidText},
		{"R79 empty value clears", &SetValue{OnElement: on("e1")}, ""},
		{"R79 long value", &SetValue{OnElement: on("e1"), Value: long}, CodeInvalidValue},
		{"R79 empty option", &SelectOption{OnElement: on("e1")}, CodeInvalidOption},
		{"R80 named key", &PressKey{OnElement: on(""), Key: "Enter"}, ""},
		{"C36 letter alone", &PressKey{OnElement: on(""), Key: "a"}, ""},
		{"R80 chord", &PressKey{OnElement: on(""), Key: "a", Modifiers: []Modifier{ModifierCtrl}}, ""},
		{"C36 shift", &PressKey{OnElement: on(""), Key: "a", Modifiers: []Modifier{ModifierShift}}, ""},
		{"C36 modifier twice", &PressKey{OnElement: on(""), Key: "ctrl+a", Modifiers: []Modifier{ModifierCtrl}}, CodeInvalidKey},
		{"R80 F5", &PressKey{OnElement: on(""), Key: "F5"}, CodeInvalidKey},
		{"R90 path", &SelectChoice{OnElement: on("e1"), ChoicePath: []string{"Asia", "Japan"}}, ""},
		{"R90 no step", &SelectChoice{OnElement: on("e1")}, CodeInvalidChoicePath},
		{"R90 five steps", &SelectChoice{OnElement: on("e1"), ChoicePath: []string{"1", "2", "3", "4", "5"}}, CodeInvalidChoicePath},
		{"R90 blank", &SelectChoice{OnElement: on("e1"), ChoicePath: []string{" "}}, CodeInvalidChoicePath},
		{"R91 month", &SetDate{OnElement: on("e1"), Value: "2027-02"}, ""},
		{"R91 leap day", &SetDate{OnElement: on("e1"), Value: "2028-02-29"}, ""},
		{"R91 no leap day", &SetDate{OnElement: on("e1"), Value: "2027-02-29"}, CodeInvalidDate},
		{"R91 other form", &SetDate{OnElement: on("e1"), Value: "31/12/2026"}, CodeInvalidDate},
		{"R134 path", &UploadFile{OnElement: on("e1"), Path: "a/b.txt"}, ""},
		{"R134 up", &UploadFile{OnElement: on("e1"), Path: "../b.txt"}, CodeInvalidUploadPath},
		{"R134 absolute", &UploadFile{OnElement: on("e1"), Path: "/b.txt"}, CodeInvalidUploadPath},
		{"R45 nodes", &TakeSnapshot{PageAddress: somewhere, MaxNodes: 257}, CodeInvalidRequest},
		{"R54 tree nodes", &TakeSnapshot{PageAddress: somewhere, MaxNodes: 257, Projection: ProjectionTree}, ""},
		{"R47 blank term", &TakeSnapshot{PageAddress: somewhere, Query: Query{Text: "  "}}, CodeInvalidQuery},
		{"R47 long term", &TakeSnapshot{PageAddress: somewhere, Query: Query{Role: strings.Repeat("é", 129)}}, CodeInvalidQuery},
		{"R58 one condition", &WaitFor{PageAddress: somewhere, Text: "done"}, ""},
		{"R58 none", &WaitFor{PageAddress: somewhere}, CodeInvalidRequest},
		{"R58 two", &WaitFor{PageAddress: somewhere, Text: "a", URLContains: "b"}, CodeInvalidRequest},
		{"R58 failed", &WaitFor{PageAddress: somewhere, LoadState: LoadFailed}, CodeInvalidRequest},
		{"R177 profile", &Launch{Mode: LaunchManaged, Profile: "work-1"}, ""},
		{"R177 profile path", &Launch{Mode: LaunchManaged, Profile: "../x"}, CodeInvalidProfile},
		{"R6 profile without mode", &Launch{Profile: "x"}, CodeInvalidRequest},
		{"R186 one side", &SetViewport{PageAddress: somewhere, Width: 800}, CodeInvalidViewport},
		{"R154 id", &Reload{PageAddress: somewhere, EffectOptions: EffectOptions{OperationID: "a_B-9"}}, ""},
		{"R154 id with a space", &Reload{PageAddress: somewhere, EffectOptions: EffectOptions{OperationID: "a b"}}, CodeOperationIDInvalid},
		{"R154 long id", &Reload{PageAddress: somewhere, EffectOptions: EffectOptions{OperationID: OperationID(strings.Repeat("a", 101))}}, CodeOperationIDInvalid},
		{"R82 none", &Batch{PageAddress: somewhere}, CodeInvalidBatchCount},
		{"R82 hover", &Batch{PageAddress: somewhere, Operations: []ElementEffect{&Hover{on("e1")}}}, CodeInvalidBatchValue},
		{"R84 bad late field", &Batch{PageAddress: somewhere, Operations: []ElementEffect{
			&SetValue{OnElement: on("e1"), Value: "x"}, &SetDate{OnElement: on("e2"), Value: "no"}}}, CodeInvalidDate},
		{"R83 bytes", &Batch{PageAddress: somewhere, Operations: many(32, strings.Repeat("\x01", ValueBytesMax))}, CodeInvalidBatchValue},
		{"R82 another page", &Batch{PageAddress: somewhere, Operations: []ElementEffect{&Click{OnElement: OnElement{ElementID: "e1"}}}}, CodeInvalidBatchValue},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			e := Validate(row.command)
			if row.want == "" {
				if e != nil {
					t.Fatalf("refused: %v", e)
				}
				return
			}
			if e == nil {
				t.Fatalf("accepted, want %s", row.want)
			}
			if e.Code != row.want || e.State != NotStarted || e.Detail == "" {
				t.Errorf("got %+v, want %s", e, row.want)
			}
		})
	}
}

func many(n int, value string) []ElementEffect {
	var out []ElementEffect
	for range n {
		out = append(out, &SetValue{OnElement: on("e1"), Value: value})
	}
	return out
}

// R206: a refused URL is never repeated in the error.
func TestR206_URLErrorsHoldNoURL(t *testing.T) {
	for _, raw := range []string{"ftp://host/?token=SECRET", "nothing?token=SECRET", "http://%zz?SECRET"} {
		if e := CheckURL(raw); e == nil || strings.Contains(e.Detail, "SECRET") {
			t.Errorf("%q: %v", raw, e)
		}
	}
}

// R110: the sentence says what is wrong, and never holds the URL.
func TestR110_CheckURLSentences(t *testing.T) {
	for _, row := range []struct{ raw, want string }{
		{"http://ada:SECRET@host/", "The URL holds a user name or a password, which is not allowed."},
		{"https://ada@host/", "The URL holds a user name or a password, which is not allowed."},
		{"https://@host/", "The URL holds a user name or a password, which is not allowed."},
		{" http://host/", "The URL begins or ends with a space."},
		{"http://host/ ", "The URL begins or ends with a space."},
		{"http://host/\n", "The URL begins or ends with a space."},
		{"http://%zz/", "The URL cannot be read."},
		{"http://host:port/", "The URL cannot be read."},
		{"http://[::1/", "The URL cannot be read."},
		{"http://host/\nx", "The URL holds control characters."},
		{"host/path", "The URL is not absolute. Give it with http:// or https://."},
		{"http:///path", "The URL has no host."},
		{"http://:80/", "The URL has no host."},
		{"http://host/?mail=a@b", ""},
		{"http://host/a b", ""},
	} {
		got := ""
		if e := CheckURL(row.raw); e != nil {
			got = e.Detail
			if e.Code != CodeInvalidURL {
				t.Errorf("%q: %s", row.raw, e.Code)
			}
		}
		if got != row.want {
			t.Errorf("%q: %q, want %q", row.raw, got, row.want)
		}
	}
}

// R203: an upload needs files:upload on top of browser:control, also in a batch.
func TestR203_RequiredGrants(t *testing.T) {
	upload := &UploadFile{OnElement: on("e1"), Path: "a"}
	batch := &Batch{PageAddress: somewhere, Operations: []ElementEffect{&Click{OnElement: on("e1")}, upload}}
	for _, c := range []Command{upload, batch} {
		set := NewGrantSet(RequiredGrants(c)...)
		if !set.Has(GrantControl) || !set.Has(GrantUpload) {
			t.Errorf("%s needs %s", c.Action(), set)
		}
	}
	if got := RequiredGrants(&Launch{}); len(got) != 1 || got[0] != GrantLaunch {
		t.Errorf("launch needs %v", got)
	}
	if got := RequiredGrants(&WaitFor{Function: "1"}); len(got) != 2 || got[1] != GrantScript {
		t.Errorf("waiting for a function needs %v", got)
	}
	if got := RequiredGrants(&TakeSnapshot{}); len(got) != 1 || got[0] != GrantRead {
		t.Errorf("snapshot needs %v", got)
	}
}

// An error is found by its code, through aliases and wrapping.
func TestErrorIs(t *testing.T) {
	err := error(NewError(CodeSnapshotStale, "").WithRecovery("observe_browser", nil))
	if !errors.Is(err, NewError("stale_element", "")) {
		t.Error("an alias does not match its canonical code")
	}
	if AsError(errors.New("page text")).Detail == "page text" {
		t.Error("a foreign error's text came through")
	}
}

// The three-valued state is true, false or "mixed" in JSON.
func TestCheckedJSON(t *testing.T) {
	for value, want := range map[Checked]string{CheckedTrue: "true", CheckedFalse: "false", CheckedMixed: `"mixed"`, "": "null"} {
		data, err := value.MarshalJSON()
		if err != nil || string(data) != want {
			t.Errorf("%q: %s %v", value, data, err)
		}
		var back Checked
		if err := back.UnmarshalJSON(data); err != nil || back != value {
			t.Errorf("%q came back as %q", value, back)
		}
	}
}
