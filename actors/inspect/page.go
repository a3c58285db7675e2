package inspect

import (
	_ "embed"
	"strings"
)

// The private functions of the page, each one function expression.
var (
	//go:embed page/wait.js
	waitSource string
	//go:embed page/field.js
	fieldSource string
	//go:embed page/storage.js
	storageSource string
	//go:embed page/evaluate.js
	evaluateSource string

	waitFunction     = withoutComments(waitSource)
	fieldFunction    = withoutComments(fieldSource)
	storageFunction  = withoutComments(storageSource)
	evaluateFunction = withoutComments(evaluateSource)
)

// withoutComments drops the lines that are comments as a whole, so that a function
// can stand between parentheses and less goes over the wire.
func withoutComments(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}
