package messages

import "reflect"

// Action is the name of a command at the tool boundary: the value of the
// "action" argument of Appendix A, or of an operator command.
type Action string

// Command is anything that a caller can ask for. The interface is sealed: its
// members are the structs of this package that name an Action.
//
// Validate checks the arguments of one, and Describe says the rest of its action.
//
// Commands are sent by surfaces and hosts through a Gateway, are pointers, and
// are not edited after sending.
type Command interface {
	// Action returns the command's stable name.
	Action() Action
	// Grant returns the exact grant that the command needs (R203). It is checked
	// by the facade and again by the actor that carries the command out.
	Grant() Grant
	command()
}

// IsNil reports whether there is no command: no value, or a nil pointer.
func IsNil(c Command) bool { return c == nil || reflect.ValueOf(c).IsNil() }

// Observation is a command that changes nothing. It may be repeated by anyone,
// also by the runtime itself inside its deadline (R38).
type Observation interface {
	Command
	observation()
}

// Effect is a command that may change something. It answers with a *Receipt,
// is never repeated by the runtime, and spends an operation id (R78, R153).
type Effect interface {
	Command
	// Operation returns the operation id that the caller gave, or "".
	Operation() OperationID
	effect()
}

// PageCommand is a command that concerns exactly one page.
type PageCommand interface {
	Command
	// Page returns the page that the command names.
	Page() PageAddress
}

// ElementEffect is an effect on one element of the page's current snapshot.
type ElementEffect interface {
	Effect
	PageCommand
	// Target returns the element; for key and scroll it may be empty.
	Target() ElementHandle
	// Token returns the document token that the caller planned on, or "" (R155).
	Token() DocumentToken
}

// PageAddress names one page of one browser. Both ids are needed for
// everything that concerns a page; no call is ever re-targeted (C15).
type PageAddress struct {
	BrowserID BrowserID `json:"browser_id" arg:"browser_id,required"`
	PageID    PageID    `json:"page_id" arg:"page_id,required"`
}

// Page returns the address itself; it makes every embedding command a PageCommand.
func (a PageAddress) Page() PageAddress { return a }

// EffectOptions are the arguments that every effect may carry.
type EffectOptions struct {
	// OperationID is the caller's; empty, the runtime mints one (R157).
	OperationID OperationID `json:"operation_id,omitempty" arg:"operation_id"`
	// DocumentToken, where given, must be alive (R155).
	DocumentToken DocumentToken `json:"document_token,omitempty" arg:"document_token"`
}

// Operation returns the operation id that the caller gave, or "".
func (o EffectOptions) Operation() OperationID { return o.OperationID }

// Token returns the document token that the caller gave, or "".
func (o EffectOptions) Token() DocumentToken { return o.DocumentToken }

func (EffectOptions) command() {}
func (EffectOptions) effect()  {}

// observed marks an observation; it is embedded, so that the seal stays in this
// package.
type observed struct{}

func (observed) command()     {}
func (observed) observation() {}

// OnElement is the common part of the effects on one element.
type OnElement struct {
	PageAddress
	EffectOptions
	// ElementID is an id or a ref of the page's last snapshot.
	ElementID ElementHandle `json:"element_id,omitempty" arg:"element_id,required" audit:"element"`
}

// Target returns the element that the effect names.
func (e OnElement) Target() ElementHandle { return e.ElementID }
