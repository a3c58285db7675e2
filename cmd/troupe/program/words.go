package program

import (
	"github.com/troupe-browser/troupe/internal/cut"
)

// wordCharsMax bounds what a message repeats of a word from outside.
const wordCharsMax = 32

// ClampWord shortens a word that is repeated to whoever wrote it.
func ClampWord(word string) string {
	kept, _ := cut.Ellipsis(word, wordCharsMax)
	return kept
}
