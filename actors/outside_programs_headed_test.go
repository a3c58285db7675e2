//go:build headed

package actors

import "testing"

// A visible browser shows its prompt in a window of its own, which a headless one only
// pretends to do.
func TestHeaded_PagesThatAskForOtherProgramsKeepTheirInput(t *testing.T) {
	display(t)
	config := chromiumConfig(t)
	config.Visible = true
	asksOutside(newRig(t, config))
}
