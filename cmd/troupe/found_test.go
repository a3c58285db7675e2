package main

import (
	"strings"
	"testing"
)

// The search for marked secrets is worth something only when it finds one that leaked.
func TestSecretIsFound(t *testing.T) {
	text := `{"message":"no option \"` + strings.ToUpper(secret("a-b2")) + `\""}`
	if got := secretFound.FindAllString(text, -1); len(got) != 1 || !strings.EqualFold(got[0], secret("a-b2")) {
		t.Errorf("found %q", got)
	}
}
