package inspect

import (
	"context"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// Field reads one field of a page (R58, C2). URL and title come from the browser
// and run nothing in the page; text and html are read in the isolated world, of the
// whole document or of the first element that the selector matches. The value is
// cut at fieldBytesMax on a character boundary and says so.
//
// The error is browser_invalid_request for a selector that matches nothing or
// cannot be read, or that of a page that does not answer.
func Field(ctx context.Context, page target.Page, command *messages.ReadField) (*messages.FieldValue, error) {
	if command.Field == "url" || command.Field == "title" {
		url, title, _, err := addressOf(ctx, &page)
		if err != nil {
			return nil, call.Observation(err)
		}
		if command.Field == "title" {
			url = title
		}
		return fieldValue(command.Field, url, false), nil
	}
	var read struct {
		Value   string `json:"value"`
		Cut     bool   `json:"cut"`
		Missing bool   `json:"missing"`
		Bad     bool   `json:"bad"`
	}
	err := inDocument(ctx, &page, &read, fieldFunction, command.Field, command.Selector, fieldBytesMax)
	switch {
	case err != nil:
		return nil, scriptError(err)
	case read.Bad:
		return nil, messages.NewError(messages.CodeInvalidRequest, "The selector cannot be read.")
	case read.Missing:
		return nil, messages.NewError(messages.CodeInvalidRequest, "The selector matches nothing in the page.")
	}
	return fieldValue(command.Field, read.Value, read.Cut), nil
}

func fieldValue(field, value string, already bool) *messages.FieldValue {
	value, shortened := cut.Bytes(value, fieldBytesMax)
	return &messages.FieldValue{Field: field, Value: value, Truncated: already || shortened}
}
