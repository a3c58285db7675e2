package snapshot

import (
	"strings"
	"unicode/utf8"

	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// isSpace is the \s of JavaScript, which the page-side identity uses; Go's own
// notion of white space differs in two characters (R35).
func isSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a:
		return true
	case r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x3000, r == 0xfeff:
		return true
	}
	return false
}

// Squeeze joins runs of white space into one space, trims both ends and keeps at
// most messages.NodeTextBytesMax bytes of UTF-8, cut between characters without
// an ellipsis. It is the clamp of the page-side identity, so that a record and
// the guard compare the same text (R35).
func Squeeze(text string) string {
	return CutBytes(joinSpace(text), messages.NodeTextBytesMax)
}

func joinSpace(text string) string {
	if plainLine(text) {
		return text
	}
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), isSpace), " ")
}

// plainLine reports whether the text is ASCII that joinSpace would not change.
func plainLine(text string) bool {
	space := true
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf || c < ' ' {
			return false
		}
		if c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return text == "" || !space
}

// CutBytes keeps the longest prefix of whole characters of at most limit bytes,
// without a trailing space where it was cut.
func CutBytes(text string, limit int) string {
	kept, was := cut.Bytes(text, limit)
	if !was {
		return text
	}
	return strings.TrimRight(kept, " ")
}
