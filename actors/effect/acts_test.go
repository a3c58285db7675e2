package effect

import (
	"regexp"
	"strings"
	"testing"
)

// The files of the page functions share one scope, in which a second function of a
// name would silently take the place of the first.
func TestPageFunctionsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^(?:async )?(?:function|const|let|class) (\w+)`).FindAllStringSubmatch(actsSource(), -1) {
		if seen[found[1]] {
			t.Errorf("%s is declared twice", found[1])
		}
		seen[found[1]] = true
	}
	if !seen["change"] || !strings.HasSuffix(actsSource(), "})()") {
		t.Error("the source is not whole")
	}
}
