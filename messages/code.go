package messages

// Code is the stable name of one cause of failure (R209, R212). It is the same in
// Go, MCP and CLI.
type Code string

// Class groups codes by what a caller does about them; the CLI's exit status
// follows it.
type Class string

// The classes.
const (
	ClassArgument    Class = "argument"    // the call is wrong: correct it
	ClassNotFound    Class = "not_found"   // no such browser or page
	ClassStale       Class = "stale"       // observe again
	ClassRefused     Class = "refused"     // the page or element does not allow it now
	ClassDenied      Class = "denied"      // a grant or a rule of the operator forbids it
	ClassLimit       Class = "limit"       // a bound is reached
	ClassUnavailable Class = "unavailable" // something that is needed is not there
	ClassTimeout     Class = "timeout"     // time ran out
	ClassProtocol    Class = "protocol"    // the browser connection
	ClassUncertain   Class = "uncertain"   // it may have happened: observe first
	ClassFailed      Class = "failed"      // it was tried and did not work
	ClassCancelled   Class = "cancelled"   // the caller gave up
)

// CodeInfo is the catalogue's entry of a code.
type CodeInfo struct {
	Class Class
	// Meaning is a sentence that a model can act on; the next step is in it.
	Meaning string
}

// Canonical returns the one code that this name stands for: itself, or the
// code whose alias it is (Part 6). An unknown name is returned as it is.
func (c Code) Canonical() Code {
	if canonical, ok := aliases[c]; ok {
		return canonical
	}
	return c
}

// Info returns the catalogue's entry of the code or its canonical code. A code
// that is not in the catalogue has class failed and an empty meaning.
func (c Code) Info() CodeInfo {
	if info, ok := catalogue[c.Canonical()]; ok {
		return info
	}
	return CodeInfo{Class: ClassFailed}
}

// Aliases returns the other names of the code, for hosts that ask for them.
func (c Code) Aliases() []Code {
	var out []Code
	for alias, canonical := range aliases {
		if canonical == c {
			out = append(out, alias)
		}
	}
	return out
}

// aliases maps each other name to its canonical code (Part 6).
var aliases = map[Code]Code{
	"invalid_request":    CodeInvalidRequest,
	"invalid_arguments":  CodeInvalidRequest,
	"unknown_outcome":    CodePartialEffectOutcomeUnknown,
	"stale_browser":      CodeBrowserNotFound,
	"tab_unavailable":    CodeStalePage,
	"stale_element":      CodeSnapshotStale,
	"stale_reference":    CodeSnapshotStale,
	"unsupported_scheme": CodeUnsupportedURLScheme,
}
