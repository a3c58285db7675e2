package cdptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

// step is one line of a script.
type step struct {
	line    int
	text    string
	verb    string
	method  string
	session cdp.SessionID
	json    json.RawMessage // nil when the line has none
	name    string          // of a held call
	refuse  bool            // release NAME error
	code    int
	message string
	delay   time.Duration
}

// steps that deal with the call of the last expect
var answers = []string{"reply", "error", "hold", "drop"}

// parseScript parses a whole script, so that a mistake in its last line shows
// before its first runs.
func parseScript(text string) ([]step, error) {
	var steps []step
	open := 0 // line of an expect that is not dealt with yet
	held := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		s := step{line: i + 1, text: line}
		if err := s.parse(); err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", s.line, line, err)
		}
		switch {
		case s.verb == "expect" && open != 0:
			return nil, fmt.Errorf("line %d: the call of line %d is neither answered, held nor dropped", s.line, open)
		case s.verb == "expect":
			open = s.line
		case slices.Contains(answers, s.verb) && open == 0:
			return nil, fmt.Errorf("line %d: %s: there is no call to deal with", s.line, line)
		case slices.Contains(answers, s.verb):
			open = 0
		case s.verb == "release" && !held[s.name]:
			return nil, fmt.Errorf("line %d: no call is held as %s", s.line, s.name)
		}
		if s.verb == "hold" {
			held[s.name] = true
		}
		steps = append(steps, s)
	}
	if open != 0 {
		return nil, fmt.Errorf("line %d: the call is neither answered, held nor dropped", open)
	}
	return steps, nil
}

func (s *step) parse() error {
	verb, rest, _ := strings.Cut(s.text, " ")
	s.verb, rest = verb, strings.TrimSpace(rest)
	switch verb {
	case "expect", "event":
		return s.parseMessage(rest)
	case "reply":
		return s.parseJSON(rest)
	case "error":
		return s.parseError(rest)
	case "hold":
		return s.parseName(rest)
	case "release":
		name, answer, _ := strings.Cut(rest, " ")
		if err := s.parseName(name); err != nil {
			return err
		}
		answer = strings.TrimSpace(answer)
		if refusal, ok := strings.CutPrefix(answer, "error "); ok {
			s.refuse = true
			return s.parseError(refusal)
		}
		return s.parseJSON(answer)
	case "drop":
		return nothing(rest)
	case "delay":
		var err error
		s.delay, err = time.ParseDuration(rest)
		return err
	case "raw", "close":
		s.message = rest
		return nil
	}
	return fmt.Errorf("unknown step %q", verb)
}

func (s *step) parseMessage(rest string) error {
	s.method, rest, _ = strings.Cut(rest, " ")
	if !strings.Contains(s.method, ".") {
		return fmt.Errorf("%q is no method", s.method)
	}
	rest = strings.TrimSpace(rest)
	if id, ok := strings.CutPrefix(rest, "session="); ok {
		id, rest, _ = strings.Cut(id, " ")
		s.session = cdp.SessionID(id)
	}
	return s.parseJSON(strings.TrimSpace(rest))
}

func (s *step) parseJSON(text string) error {
	if text == "" {
		return nil
	}
	if !json.Valid([]byte(text)) {
		return fmt.Errorf("invalid JSON %s", text)
	}
	s.json = json.RawMessage(text)
	return nil
}

func (s *step) parseError(text string) error {
	code, message, _ := strings.Cut(text, " ")
	var err error
	s.code, err = strconv.Atoi(code)
	s.message = message
	return err
}

func (s *step) parseName(name string) error {
	if name == "" || strings.ContainsAny(name, " \t") {
		return fmt.Errorf("a held call needs a name of one word")
	}
	s.name = name
	return nil
}

func nothing(rest string) error {
	if rest != "" {
		return fmt.Errorf("unexpected %q", rest)
	}
	return nil
}

// contains reports whether got holds everything that want asks for: the members
// of objects, and equal values otherwise.
func contains(want, got any) bool {
	members, ok := want.(map[string]any)
	if !ok {
		return equalJSON(want, got)
	}
	have, ok := got.(map[string]any)
	if !ok {
		return false
	}
	for name, value := range members {
		v, ok := have[name]
		if !ok || !contains(value, v) {
			return false
		}
	}
	return true
}

// equalJSON compares two decoded values; arrays element by element, with contains.
func equalJSON(want, got any) bool {
	w, isArray := want.([]any)
	if !isArray {
		return want == got
	}
	g, ok := got.([]any)
	return ok && slices.EqualFunc(w, g, contains)
}
