package inspect

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// errScript says that a private page function threw: a fault of ours, or of a page
// that breaks what our world shares with it.
var errScript = errors.New("a page function of Troupe failed")

// evaluation is one Runtime.evaluate. The document is named by UniqueContextID, or
// by ContextID where it was just asked for, else it is the main frame's own world.
// The tags say omitzero, since the connection's encoder takes omitempty to mean an
// empty JSON value, which 0 is not, and a timeout of 0 ends a script at once.
type evaluation struct {
	Expression      string `json:"expression"`
	UniqueContextID string `json:"uniqueContextId,omitzero"`
	ContextID       int64  `json:"contextId,omitzero"`
	ReturnByValue   bool   `json:"returnByValue,omitzero"`
	AwaitPromise    bool   `json:"awaitPromise,omitzero"`
	UserGesture     bool   `json:"userGesture,omitzero"`
	Timeout         int64  `json:"timeout,omitzero"` // ms that the script itself may run
}

// evaluated is the part of the answer that is read.
type evaluated struct {
	Result struct {
		Type     string          `json:"type"`
		Subtype  string          `json:"subtype"`
		Value    json.RawMessage `json:"value"`
		ObjectID string          `json:"objectId"`
	} `json:"result"`
	Exception *exception `json:"exceptionDetails"`
}

type exception struct {
	Text      string `json:"text"`
	Exception struct {
		ClassName   string `json:"className"`
		Description string `json:"description"`
	} `json:"exception"`
}

// expression returns a call of an anonymous page function with JSON arguments. JSON
// is JavaScript except for two line separators, which encoding/json escapes.
func expression(function string, arguments ...any) string {
	data, err := json.Marshal(arguments)
	if err != nil {
		panic("inspect: an argument of a page function cannot be encoded") // all are texts and numbers
	}
	return "(" + function + ")(..." + string(data) + ")"
}

// mainFrame returns the id of the page's main frame, which is that of its target.
func mainFrame(page *target.Page) cdp.FrameID {
	if page.Main.Frame != "" {
		return page.Main.Frame
	}
	return cdp.FrameID(page.Target)
}

// world returns the context id of our isolated world in the document that the main
// frame shows now. Asking for the world by name gives the one that is there.
func world(ctx context.Context, page *target.Page) (int64, error) {
	var made struct {
		ID int64 `json:"executionContextId"`
	}
	err := page.Session.Execute(ctx, "Page.createIsolatedWorld",
		map[string]any{"frameId": mainFrame(page), "worldName": page.WorldName}, &made)
	return made.ID, err
}

// inDocument runs a private function in the isolated world of the document that the
// main frame shows now and decodes the JSON text that it returns.
func inDocument(ctx context.Context, page *target.Page, out any, function string, arguments ...any) error {
	id, err := world(ctx, page)
	if err != nil {
		return err
	}
	var answer evaluated
	err = page.Session.Execute(ctx, "Runtime.evaluate",
		evaluation{Expression: expression(function, arguments...), ContextID: id, ReturnByValue: true, AwaitPromise: true}, &answer)
	if err != nil {
		return err
	}
	return answer.decode(out)
}

func (a *evaluated) decode(out any) error {
	var text string
	if a.Exception != nil || json.Unmarshal(a.Result.Value, &text) != nil || json.Unmarshal([]byte(text), out) != nil {
		return errScript
	}
	return nil
}

// addressOf returns the page's URL and title from the browser, which answers also
// while the page hangs or shows a dialog. No script runs.
func addressOf(ctx context.Context, page *target.Page) (url, title, browserContext string, err error) {
	var answer struct {
		Info struct {
			URL     string `json:"url"`
			Title   string `json:"title"`
			Context string `json:"browserContextId"`
		} `json:"targetInfo"`
	}
	err = target.AwaitCommit(ctx, func() error {
		err := page.Browser.Execute(ctx, "Target.getTargetInfo", map[string]any{"targetId": page.Target}, &answer)
		if err == nil && answer.Info.URL == "" {
			return target.Uncommitted()
		}
		return err
	})
	return answer.Info.URL, answer.Info.Title, answer.Info.Context, err
}

// scriptError names the failure of a private page function, or passes on another.
func scriptError(err error) error {
	if errors.Is(err, errScript) {
		return messages.NewError(messages.CodeInternalError, "A page function of Troupe failed.")
	}
	return call.Observation(err)
}
