package effect

import (
	"unicode"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// keyEvent are the parameters of Input.dispatchKeyEvent.
type keyEvent struct {
	Type       string   `json:"type"`
	Modifiers  int      `json:"modifiers,omitempty"`
	Key        string   `json:"key,omitempty"`
	Code       string   `json:"code,omitempty"`
	VirtualKey int      `json:"windowsVirtualKeyCode,omitempty"`
	Native     int      `json:"nativeVirtualKeyCode,omitempty"`
	Text       string   `json:"text,omitempty"`
	Unmodified string   `json:"unmodifiedText,omitempty"`
	Commands   []string `json:"commands,omitempty"`
}

// stroke returns the two events of one key. A key without text goes down raw,
// as a keyboard sends it; with text the press types it.
func stroke(c messages.Chord) (down, up keyEvent) {
	k := c.Key
	down = keyEvent{
		Type: "rawKeyDown", Modifiers: modifierBits(c.Modifiers), Key: k.Key, Code: k.Code, VirtualKey: k.VirtualKey, Native: k.VirtualKey,
	}
	if k.Text != "" {
		down.Type, down.Text, down.Unmodified = "keyDown", k.Text, k.Text
	}
	if c.Command != "" {
		down.Commands = []string{c.Command}
	}
	up = down
	up.Type, up.Text, up.Unmodified, up.Commands = "keyUp", "", "", nil
	return down, up
}

// tap sends one key.
func (j *job) tap(c messages.Chord) []*cdp.Pending {
	down, up := stroke(c)
	return []*cdp.Pending{j.input(keyMethod, down), j.input(keyMethod, up)}
}

// named is tap for a key of the closed list.
func (j *job) named(name string, modifiers ...messages.Modifier) []*cdp.Pending {
	c, _ := messages.LookupChord(name, modifiers)
	return j.tap(c)
}

// typed returns the key that types a character, as a US keyboard would where it
// can; any other character comes without a key, as from an input method.
func typed(c rune) messages.Key {
	switch {
	case c == '\n' || c == '\r':
		return namedKey("Enter")
	case c == '\t':
		return namedKey("Tab")
	case c == ' ':
		return namedKey("Space")
	case c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c)):
		return messages.CharacterKey(byte(c), unicode.IsUpper(c))
	}
	if place, ok := punctuation[c]; ok {
		return messages.Key{Key: string(c), Code: place.code, VirtualKey: place.key, Text: string(c)}
	}
	return messages.Key{Key: string(c), Text: string(c)}
}

func namedKey(name string) messages.Key {
	c, _ := messages.LookupChord(name, nil)
	return c.Key
}

// punctuation is the US layout's. The virtual key is that of the key, not the
// character's own code, which belongs to other keys ('.' is Delete's 46).
var punctuation = map[rune]struct {
	code string
	key  int
}{
	';': {"Semicolon", 186}, ':': {"Semicolon", 186}, '=': {"Equal", 187}, '+': {"Equal", 187},
	',': {"Comma", 188}, '<': {"Comma", 188}, '-': {"Minus", 189}, '_': {"Minus", 189},
	'.': {"Period", 190}, '>': {"Period", 190}, '/': {"Slash", 191}, '?': {"Slash", 191},
	'`': {"Backquote", 192}, '~': {"Backquote", 192}, '[': {"BracketLeft", 219}, '{': {"BracketLeft", 219},
	'\\': {"Backslash", 220}, '|': {"Backslash", 220}, ']': {"BracketRight", 221}, '}': {"BracketRight", 221},
	'\'': {"Quote", 222}, '"': {"Quote", 222},
	'!': {"Digit1", 49}, '@': {"Digit2", 50}, '#': {"Digit3", 51}, '$': {"Digit4", 52}, '%': {"Digit5", 53},
	'^': {"Digit6", 54}, '&': {"Digit7", 55}, '*': {"Digit8", 56}, '(': {"Digit9", 57}, ')': {"Digit0", 48},
}

// key presses one key, on the element when one is named, else on what has the
// focus (R80).
func (j *job) key(c *messages.PressKey, r *snapshot.Record) outcome {
	chord, _ := messages.LookupChord(c.Key, c.Modifiers)
	if r == nil {
		return j.looseKey(chord)
	}
	at, o := j.focus(j.fence(r, "key"), "keep", r)
	if o != nil {
		return *o
	}
	out := j.guarded(at, signOf(chord.Key), j.tap(chord))
	out.record, out.want = r, wantState
	return out
}

// looseToken stands for the token of an input that no guard is up for; the guard's
// own begin at 1.
const looseToken = 0

// looseKey presses a key on whatever has the focus. Without an element there is
// nothing to guard; that the document was there to hear the key, or is still there
// behind it, is the proof that the page got it.
func (j *job) looseKey(c messages.Chord) outcome {
	ready := j.startAct("ready", struct{}{})
	var answer answered
	if err := j.checked("expect", messages.TakeoverWindow.Milliseconds(), &answer); err != nil {
		return refused(err)
	}
	if err := j.ensureActs(ready); err != nil {
		return refused(err)
	}
	if err := j.begin(); err != nil {
		return refused(err)
	}
	// The listener is up before the key, since both are handled in order once the
	// evaluation has begun; it is sent first and not waited for.
	heard := j.startAct("heard", map[string]string{"event": signOf(c.Key)[1:]})
	calls := j.tap(c)
	if !j.watch.awaitEither(heard, calls) {
		return *j.dialogged(looseToken)
	}
	if !ended(heard) && !j.watch.await(j.startAct("poke", struct{}{}), heard) {
		return *j.dialogged(looseToken)
	}
	if err := target.Finish(heard, "heard", nil); err != nil {
		return refused(j.afterInput(err, calls))
	}
	return outcome{}
}

// focusArgs is the argument of the world's focus.
type focusArgs struct {
	fence
	Caret string `json:"caret"`
}

// focused is its answer.
type focused struct {
	answered
	Token int  `json:"token"`
	Moved bool `json:"moved"`
}

// focus opens the effect and puts the focus on the element. It returns the
// guard's token, or the outcome when it did not come to that. The fence is tested
// before the effect is opened, so that a stale id spends no operation id.
func (j *job) focus(f fence, caret string, r *snapshot.Record) (at focused, o *outcome) {
	if !j.spent {
		var answer answered
		if err := j.checked("check", f, &answer); err != nil {
			return at, &outcome{err: err}
		}
	}
	if at, o = j.focusAgain(f, caret); o != nil && o.err.State != messages.NotStarted {
		o.record = r
	}
	return at, o
}

// focusAgain is focus without the check before.
func (j *job) focusAgain(f fence, caret string) (at focused, o *outcome) {
	if err := j.begin(); err != nil {
		return at, &outcome{err: err}
	}
	ready := j.startAct("ready", struct{}{})
	var answer focused
	if err := j.call("focus", focusArgs{f, caret}, &answer); err != nil {
		if err == call.ErrDialog {
			// The page's own focus handler asks something; nothing was typed.
			return at, &outcome{err: messages.UnknownOutcome(messages.CodeDialogOpen, "Moving the focus opened a dialog; nothing was typed.")}
		}
		return at, &outcome{err: j.after(err, true)}
	}
	if err := answer.refusal(); err != nil {
		return at, &outcome{err: err}
	}
	if err := j.ensureActs(ready); err != nil {
		if answer.Moved {
			err = err.AsUnknown()
		}
		return at, &outcome{err: err}
	}
	return answer, nil
}

// signOf is the event that tells that a key has arrived with all that it does: a
// key that types has a second event behind the press.
func signOf(k messages.Key) string {
	if k.Text != "" {
		return "+keypress"
	}
	return "+keydown"
}

// guarded waits for keys or text that were sent and judges them by the guard.
// event, where given, tells that they have arrived.
func (j *job) guarded(at focused, event string, calls []*cdp.Pending) outcome {
	v, o := j.verdict(sign{Token: at.Token, Event: event}, calls)
	if o != nil {
		return *o
	}
	return j.judgeKeys(v, at.Moved, calls)
}

// judgeKeys turns the guard's record of keys or text into the outcome. Where the
// focus was moved before, the page was changed: a stopped key is then not proved
// to have started nothing, only nothing else.
func (j *job) judgeKeys(v *verdict, moved bool, calls []*cdp.Pending) outcome {
	if stopped := v.stopped(); stopped != nil {
		if moved {
			return refused(stopped.AsUnknown())
		}
		return refused(stopped)
	}
	switch {
	case v.hit() && v.Blocked != nil:
		return refused(messages.UnknownOutcome(messages.CodePartialEffectOutcomeUnknown,
			"The input began to arrive, and the rest was stopped, since the focus had moved to another element."))
	case v.hit():
		return outcome{}
	}
	return refused(j.afterInput(errUnseen, calls))
}
