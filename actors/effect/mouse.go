package effect

import (
	"errors"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

const (
	mouseMethod = "Input.dispatchMouseEvent"
	keyMethod   = "Input.dispatchKeyEvent"
	textMethod  = "Input.insertText"
)

// mouse is where the pointer is and which modifier keys are held.
type mouse struct {
	x, y      float64
	modifiers int
}

// mouseEvent are the parameters of Input.dispatchMouseEvent.
type mouseEvent struct {
	Type       string   `json:"type"`
	X          float64  `json:"x"`
	Y          float64  `json:"y"`
	Modifiers  int      `json:"modifiers,omitempty"`
	Button     string   `json:"button,omitempty"`
	Buttons    int      `json:"buttons"`
	ClickCount int      `json:"clickCount,omitempty"`
	DeltaX     *float64 `json:"deltaX,omitempty"`
	DeltaY     *float64 `json:"deltaY,omitempty"`
	Pointer    string   `json:"pointerType"`
}

func (m mouse) event(kind, button string, held, count int) mouseEvent {
	return mouseEvent{Type: kind, X: m.x, Y: m.y, Modifiers: m.modifiers, Button: button, Buttons: held, ClickCount: count, Pointer: "mouse"}
}

// buttonOf returns the protocol's name of a button and its bit among those held.
func buttonOf(b messages.MouseButton) (name string, bit int) {
	switch b {
	case messages.ButtonRight:
		return "right", 2
	case messages.ButtonMiddle:
		return "middle", 4
	}
	return "left", 1
}

// modifierBits are the protocol's: alt 1, ctrl 2, meta 4, shift 8.
func modifierBits(modifiers []messages.Modifier) int {
	bits := 0
	for _, m := range modifiers {
		switch m {
		case messages.ModifierAlt:
			bits |= 1
		case messages.ModifierCtrl:
			bits |= 2
		case messages.ModifierMeta:
			bits |= 4
		case messages.ModifierShift:
			bits |= 8
		}
	}
	return bits
}

func asCall(err error, out **cdp.CallError) bool { return errors.As(err, out) }
