package verbs

import (
	"regexp"
	"strings"
)

// verbOf says actions and arguments of the tools in the words of the command line.
var verbOf = map[string]string{
	"input_text": "type", "set_value": "fill", "select_option": "select", "select_choice": "choice", "set_date": "date", "upload_file": "upload",
	"set_viewport": "viewport", "handle_dialog": "dialog", "clear_diagnostics": "console --clear", "close_page": "close", "close_browser": "close",
	"node_offset": "--offset", "max_nodes": "--max", "max_depth": "--depth", "fields_only": "--fields", "full_page": "--full-page", "wait_ms": "--wait",
	"since_cursor": "--since", "text_gone": "--text-gone", "url_contains": "--url", "load_state": "--load", "timeout_ms": "--timeout",
	"browser_id": "browser", "page_id": "page", "element_id": "REF", "target_element_id": "the second REF", "choice_path": "the steps",
}

// toolWord matches a word that may be one of the tools'; those that are plain English stay as they are.
var toolWord = regexp.MustCompile(`[a-z]+(?:_[a-z]+)+`)

// inVerbs puts a text of the runtime's own into words of the command line. What stands in double quotes, where the texts
// of pages are, is left alone.
func inVerbs(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		quote := strings.IndexByte(text, '"')
		if quote < 0 {
			quote = len(text)
		}
		b.WriteString(toolWord.ReplaceAllStringFunc(text[:quote], func(word string) string {
			if verb, ok := verbOf[word]; ok {
				return verb
			}
			return word
		}))
		end := quoteEnd(text, quote)
		b.WriteString(text[quote:end])
		text = text[end:]
	}
	return b.String()
}

// quoteEnd is behind the closing quote of the text that begins at start, or the end.
func quoteEnd(text string, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
