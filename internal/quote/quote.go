package quote

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns a text in quotation marks on one line. Quotation marks and backslashes in it, line breaks, control
// characters, marks that turn the direction of writing, and everything else that nobody sees are shown as escapes of Go
// and JavaScript (\n, \u202e), so that strconv.Unquote gives the text back.
func Text(s string) string { return strconv.Quote(s) }

// Word returns a word of a closed vocabulary as it is, and anything else in quotation marks. Letters, digits,
// "-", "_" and "." make a word.
func Word(s string) string {
	for _, r := range s {
		if !wordRune(r) {
			return Text(s)
		}
	}
	if s == "" {
		return Text(s)
	}
	return s
}

func wordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// Address returns an address as it is, and in quotation marks where it has a blank, a quotation mark or anything that
// nobody sees: an address of the web has none of these.
func Address(s string) string {
	if plain(s) && !strings.ContainsAny(s, " \"\\") {
		return s
	}
	return Text(s)
}

// Line returns a text on one line without quotation marks, for a cell of a table whose place says that it is the page's:
// what Text would escape is escaped, save quotation marks and backslashes.
func Line(s string) string { return visible(s, "") }

// Lines is Line for a text that stands alone and may have several lines: line breaks and tabs stay.
func Lines(s string) string { return visible(s, "\n\t") }

// JSON returns encoded JSON in which every character that nobody sees is an escape of JSON. Its meaning is the same.
func JSON(encoded string) string {
	var b strings.Builder
	for _, r := range encoded {
		switch {
		case r == '\n' || strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func visible(s, kept string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch piece := s[:size]; {
		case strings.Contains(kept, piece), r != utf8.RuneError && strconv.IsPrint(r), r == utf8.RuneError && size > 1:
			b.WriteString(piece)
		default:
			escaped := strconv.Quote(piece)
			b.WriteString(escaped[1 : len(escaped)-1])
		}
		s = s[size:]
	}
	return b.String()
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
