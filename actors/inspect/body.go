package inspect

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/diagnostics"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// RequestBody reads the body of a response live and puts it into detail, cut at
// NetworkBodyBytesMax on a character boundary (R139). That there is none to be had
// is an ordinary body_error and no failure of the observation.
//
// The protocol hands out a body only whole, so one that is known to be over
// bodyReadBytesMax is not asked for.
func RequestBody(ctx context.Context, page target.Page, body diagnostics.Body, detail *messages.NetworkDetail) {
	switch {
	case body.None != "":
		detail.BodyError = body.None
		return
	case body.Pending:
		detail.BodyError = "the response has not ended yet"
		return
	case max(body.Decoded, body.Encoded) > bodyReadBytesMax:
		detail.BodyError = "the body is over 5 MiB, which the browser does not keep"
		return
	}
	session := page.Session
	if body.Session != "" && body.Session != session.ID() {
		session = session.Conn().Session(body.Session, "")
	}
	var answer struct {
		Body   string `json:"body"`
		Base64 bool   `json:"base64Encoded"`
	}
	if err := session.Execute(ctx, "Network.getResponseBody", map[string]any{"requestId": body.Protocol}, &answer); err != nil {
		detail.BodyError = bodyError(err)
		return
	}
	if !answer.Base64 {
		detail.Body, detail.BodyTruncated = cut.Bytes(answer.Body, messages.NetworkBodyBytesMax)
		return
	}
	// Base64 needs four characters for three bytes and is cut between such groups.
	whole := base64.StdEncoding.EncodedLen(messages.NetworkBodyBytesMax/4*3 - messages.NetworkBodyBytesMax/4*3%3)
	detail.BodyBase64 = true
	detail.Body, detail.BodyTruncated = cut.Bytes(answer.Body, whole)
}

// bodyError says why the browser has no body, without its own words, which can
// quote the page.
func bodyError(err error) string {
	var failed *cdp.CallError
	if errors.As(err, &failed) && failed.Kind == cdp.KindRefused && failed.Reached() {
		return "the browser does not keep this body any more"
	}
	return string(call.Observation(err).Code)
}
