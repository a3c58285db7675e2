package tools

import (
	"time"

	"github.com/troupe-browser/troupe/messages"
)

func (v *values) page() messages.PageAddress {
	return messages.PageAddress{BrowserID: v.browser(), PageID: messages.PageID(v.strings["page_id"])}
}

func (v *values) browser() messages.BrowserID { return messages.BrowserID(v.strings["browser_id"]) }

func (v *values) options() messages.EffectOptions {
	return messages.EffectOptions{
		OperationID:   messages.OperationID(v.strings["operation_id"]),
		DocumentToken: messages.DocumentToken(v.strings["document_token"]),
	}
}

func (v *values) element() messages.OnElement {
	return messages.OnElement{PageAddress: v.page(), EffectOptions: v.options(), ElementID: messages.ElementHandle(v.strings["element_id"])}
}

func (v *values) modifiers() []messages.Modifier {
	var out []messages.Modifier
	for _, name := range v.lists["modifiers"] {
		out = append(out, messages.Modifier(name))
	}
	return out
}

func (v *values) milliseconds(name string) time.Duration {
	return time.Duration(v.integers[name]) * time.Millisecond
}

// positive refuses an argument that was given as 0 or less where absence means the default: what is written must mean
// what it says.
func (v *values) positive(names ...string) *messages.Error {
	for _, name := range names {
		if v.given[name] && v.integers[name] < 1 {
			return messages.NewError(messages.CodeInvalidRequest, "%s must be at least 1; leave it out for the default.", name)
		}
	}
	return nil
}

// notEmpty refuses a condition or filter that was given as an empty string.
func (v *values) notEmpty(names ...string) *messages.Error {
	for _, name := range names {
		if v.given[name] && v.strings[name] == "" {
			return messages.NewError(messages.CodeInvalidRequest, "%s is empty; leave it out.", name)
		}
	}
	return nil
}

// build makes the command of an action from arguments whose forms were checked. Bounds and rules are the command's own
// affair.
func build(action messages.Action, v *values) (messages.Command, *messages.Error) {
	if command := buildObservation(action, v); command != nil {
		return command, observationRules(v)
	}
	if command := buildOnElement(action, v); command != nil {
		return command, v.positive("count", "amount")
	}
	if action == "batch" {
		return buildBatch(v)
	}
	command := buildEffect(action, v)
	if command == nil {
		return nil, messages.NewError(messages.CodeInternalError, "The action %s has no command.", action)
	}
	return command, v.notEmpty("url", "profile")
}

func observationRules(v *values) *messages.Error {
	if err := v.positive("max_nodes", "max_depth", "limit", "timeout_ms"); err != nil {
		return err
	}
	if v.integers["since_cursor"] < 0 {
		return messages.NewError(messages.CodeInvalidDiagnosticsCursor, "since_cursor is not negative.")
	}
	return v.notEmpty("element_id", "text", "text_gone", "url_contains", "status", "method", "key")
}

func buildObservation(action messages.Action, v *values) messages.Command {
	switch action {
	case "targets":
		return &messages.GetTargets{}
	case "discover":
		return &messages.DiscoverOffers{}
	case "browsers":
		return &messages.ListBrowsers{}
	case "pages":
		return &messages.ListPages{BrowserID: v.browser()}
	case "snapshot":
		return &messages.TakeSnapshot{
			PageAddress: v.page(), Mode: messages.SnapshotMode(v.strings["mode"]), Projection: messages.Projection(v.strings["projection"]),
			Query: v.query, NodeOffset: v.integers["node_offset"], MaxNodes: v.integers["max_nodes"], MaxDepth: v.integers["max_depth"],
		}
	case "screenshot":
		return &messages.TakeScreenshot{PageAddress: v.page(), ElementID: messages.ElementHandle(v.strings["element_id"]), FullPage: v.booleans["full_page"]}
	case "console":
		return &messages.GetConsole{PageAddress: v.page(), DiagnosticsFilter: v.filter()}
	case "network":
		return &messages.GetNetwork{PageAddress: v.page(), DiagnosticsFilter: v.filter()}
	case "diagnostics":
		return &messages.GetDiagnostics{PageAddress: v.page(), DiagnosticsFilter: v.filter()}
	case "downloads":
		return &messages.ListDownloads{BrowserID: v.browser(), Wait: v.milliseconds("wait_ms")}
	case "wait":
		return &messages.WaitFor{
			PageAddress: v.page(), LoadState: messages.LoadState(v.strings["load_state"]), Text: v.strings["text"],
			TextGone: v.strings["text_gone"], URLContains: v.strings["url_contains"], Timeout: v.milliseconds("timeout_ms"),
		}
	case "surface":
		return &messages.GetSurface{BrowserID: v.browser()}
	case "network_request":
		return &messages.GetNetworkRequest{PageAddress: v.page(), RequestID: messages.RequestID(v.strings["request_id"]), Body: v.booleans["body"]}
	case "cookies":
		return &messages.GetCookies{PageAddress: v.page(), All: v.booleans["all"]}
	case "storage":
		return &messages.GetStorage{PageAddress: v.page(), Area: messages.StorageArea(v.strings["area"]), Key: v.strings["key"]}
	}
	return nil
}

func (v *values) filter() messages.DiagnosticsFilter {
	return messages.DiagnosticsFilter{
		SinceCursor: uint64(max(0, v.integers["since_cursor"])), Level: v.strings["level"], Text: v.strings["text"],
		Status: v.strings["status"], Method: v.strings["method"], Limit: v.integers["limit"],
	}
}

func buildOnElement(action messages.Action, v *values) messages.Command {
	switch action {
	case "click":
		return &messages.Click{OnElement: v.element(), Count: v.integers["count"], Button: messages.MouseButton(v.strings["button"]), Modifiers: v.modifiers()}
	case "hover":
		return &messages.Hover{OnElement: v.element()}
	case "scroll":
		return &messages.Scroll{OnElement: v.element(), Direction: messages.ScrollDirection(v.strings["direction"]), Amount: v.integers["amount"]}
	case "drag":
		return &messages.Drag{OnElement: v.element(), TargetElementID: messages.ElementHandle(v.strings["target_element_id"])}
	case "input_text":
		return &messages.InputText{OnElement: v.element(), Text: v.strings["text"], Submit: v.booleans["submit"]}
	case "set_value":
		return &messages.SetValue{OnElement: v.element(), Value: v.strings["value"]}
	case "select_option":
		return &messages.SelectOption{OnElement: v.element(), Option: v.strings["option"]}
	case "select_choice":
		return &messages.SelectChoice{OnElement: v.element(), ChoicePath: v.lists["choice_path"]}
	case "set_date":
		return &messages.SetDate{OnElement: v.element(), Value: v.strings["value"]}
	case "upload_file":
		return &messages.UploadFile{OnElement: v.element(), Path: v.strings["path"], Root: v.strings["root"]}
	case "key":
		return &messages.PressKey{OnElement: v.element(), Key: v.strings["key"], Modifiers: v.modifiers()}
	}
	return nil
}

func buildEffect(action messages.Action, v *values) messages.Command {
	switch action {
	case "launch":
		return &messages.Launch{EffectOptions: v.options(), Mode: messages.LaunchMode(v.strings["mode"]), Profile: v.strings["profile"]}
	case "attach":
		return &messages.Attach{EffectOptions: v.options(), AttachmentID: messages.AttachmentID(v.strings["attachment_id"])}
	case "new_page":
		return &messages.NewPage{EffectOptions: v.options(), BrowserID: v.browser(), URL: v.strings["url"], Temporary: v.booleans["temporary"]}
	case "navigate":
		return &messages.Navigate{PageAddress: v.page(), EffectOptions: v.options(), URL: v.strings["url"]}
	case "reload":
		return &messages.Reload{PageAddress: v.page(), EffectOptions: v.options()}
	case "back":
		return &messages.Back{PageAddress: v.page(), EffectOptions: v.options()}
	case "forward":
		return &messages.Forward{PageAddress: v.page(), EffectOptions: v.options()}
	case "stop":
		return &messages.Stop{PageAddress: v.page(), EffectOptions: v.options()}
	case "handle_dialog":
		return &messages.HandleDialog{PageAddress: v.page(), EffectOptions: v.options(), Accept: v.booleans["accept"], PromptText: v.strings["prompt_text"]}
	case "set_viewport":
		return &messages.SetViewport{PageAddress: v.page(), EffectOptions: v.options(), Width: v.integers["width"], Height: v.integers["height"]}
	case "clear_diagnostics":
		return &messages.ClearDiagnostics{PageAddress: v.page(), EffectOptions: v.options()}
	case "close_page":
		return &messages.ClosePage{PageAddress: v.page(), EffectOptions: v.options()}
	case "close_browser":
		return &messages.CloseBrowser{EffectOptions: v.options(), BrowserID: v.browser()}
	}
	return nil
}

func buildBatch(v *values) (messages.Command, *messages.Error) {
	batch := &messages.Batch{PageAddress: v.page(), EffectOptions: v.options()}
	for i, raw := range v.operations {
		operation, err := readOperation(i, raw, batch.PageAddress)
		if err != nil {
			return nil, err
		}
		batch.Operations = append(batch.Operations, operation)
	}
	return batch, nil
}
