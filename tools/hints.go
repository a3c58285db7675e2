package tools

import "github.com/troupe-browser/troupe/messages"

// meant names the action for a word that other tools, or the verbs of the command line, use for it. A refusal of such a
// word says it, so that a model needs no second guess.
var meant = map[string]messages.Action{
	"fill": "set_value", "clear": "set_value", "fill_form": "batch", "type": "input_text", "type_text": "input_text", "insert_text": "input_text",
	"press": "key", "press_key": "key", "keypress": "key", "send_keys": "key", "hotkey": "key",
	"tap": "click", "check": "click", "uncheck": "click", "double_click": "click", "dblclick": "click", "right_click": "click",
	"mouse_move": "hover", "move": "hover", "drag_and_drop": "drag", "scroll_to": "scroll",
	"select": "select_option", "choose": "select_choice", "choice": "select_choice", "date": "set_date", "upload": "upload_file",
	"goto": "navigate", "go": "navigate", "go_to": "navigate", "open_url": "navigate", "visit": "navigate", "go_back": "back", "go_forward": "forward", "refresh": "reload",
	"open": "launch", "start": "launch", "new_tab": "new_page", "open_tab": "new_page", "close_tab": "close_page", "close": "close_page", "quit": "close_browser",
	"dialog": "handle_dialog", "accept_dialog": "handle_dialog", "dismiss_dialog": "handle_dialog", "resize": "set_viewport", "viewport": "set_viewport",
	"read": "snapshot", "look": "snapshot", "observe": "snapshot", "get_text": "snapshot", "text": "snapshot", "find": "snapshot", "query": "snapshot",
	"list": "pages", "tabs": "pages", "list_tabs": "pages", "list_pages": "pages", "wait_for": "wait", "sleep": "wait",
	"take_screenshot": "screenshot", "logs": "console", "requests": "network",
}

// hint says which action a word means and of which tool it is; "" where it is not known.
func hint(word, tool string) string {
	action, ok := meant[word]
	if !ok {
		return ""
	}
	d := messages.DescribeAction(action)
	if string(d.Tool) == tool {
		return " " + string(action) + " does that."
	}
	return " " + string(action) + " of " + string(d.Tool) + " does that."
}
