package inspect

import (
	"context"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/cut"
)

// compile reads a script without running any of it. It returns the exception of a
// script that is no JavaScript, or nil.
func compile(ctx context.Context, s *cdp.Session, source string) (*exception, error) {
	var answer evaluated
	err := s.Execute(ctx, "Runtime.compileScript",
		map[string]any{"expression": source, "sourceURL": "", "persistScript": false}, &answer)
	return answer.Exception, err
}

// text describes an exception, for the operator only: it can quote the page.
func (e *exception) text() string {
	described := e.Exception.Description
	if described == "" {
		described = e.Text
	}
	described, _ = cut.Bytes(described, resultBytesMax)
	return described
}
