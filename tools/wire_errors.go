package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// wireError is the error of an answer.
type wireError = jsonrpc.Error

// codeServerError is JSON-RPC's first code for errors of a server's own; codeClosing and codeVersion are the SDK's.
const (
	codeServerError = -32000
	codeClosing     = -32004
	codeVersion     = -32022
)

// errorTexts are what answers say, by code. The SDK's own words name Go types and repeat what came in.
var errorTexts = map[int64]string{
	jsonrpc.CodeParseError:     "Parse error: it is not JSON.",
	jsonrpc.CodeInvalidRequest: "Invalid request: the method can't be called like this, or not now.",
	jsonrpc.CodeMethodNotFound: "Method not found.",
	jsonrpc.CodeInvalidParams:  "Invalid params: the method does not take them, or there is no such tool.",
	codeServerError:            "The call was cancelled before it began.",
	codeClosing:                "The server is closing.",
	codeVersion:                "Unsupported protocol version.",
}

// plainError says an error in our own words. What has no known code is an internal error.
func plainError(err error) *wireError {
	out := &wireError{Code: jsonrpc.CodeInternalError}
	var wire *wireError
	switch {
	case errors.As(err, &wire):
		out.Code = wire.Code
	case errors.Is(err, context.Canceled):
		out.Code = codeServerError
	}
	text, known := errorTexts[out.Code]
	if !known {
		return &wireError{Code: jsonrpc.CodeInternalError, Message: "Internal error."}
	}
	out.Message = text
	if out.Code == codeVersion && wire != nil {
		var data struct {
			Supported []string `json:"supported"`
		}
		// Without the list the client is told the same, and has to guess.
		if json.Unmarshal(wire.Data, &data) == nil {
			out.Data, _ = json.Marshal(data) // texts can be written
		}
	}
	return out
}

// plainAnswer is a message that goes out with its error in our own words.
func plainAnswer(message jsonrpc.Message) jsonrpc.Message {
	response, ok := message.(*jsonrpc.Response)
	if !ok || response.Error == nil {
		return message
	}
	plain := *response
	plain.Error = plainError(response.Error)
	return &plain
}

// plainWriter holds the answer to a POST back until it is whole, and puts its error into our own words.
type plainWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader notes the status.
func (w *plainWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write takes a part of the answer.
func (w *plainWriter) Write(part []byte) (int, error) { return w.body.Write(part) }

// Flush does nothing: the answer is one JSON value.
func (w *plainWriter) Flush() {}

// keptTexts begin what the SDK says about a request's headers. They repeat nothing of it but a number.
var keptTexts = []string{"Accept must", "Content-Type must", "Bad Request: Unsupported protocol version (supported", "session not found", "session is closing"}

// finish sends the answer on.
func (w *plainWriter) finish(id json.RawMessage) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	body := w.body.Bytes()
	var answer struct {
		ID    json.RawMessage `json:"id"`
		Error *wireError      `json:"error"`
	}
	switch {
	case json.Unmarshal(body, &answer) == nil && answer.Error != nil:
		if answer.ID == nil {
			answer.ID = id
		}
		w.replace(answer.Error, answer.ID)
		return
	case w.status >= http.StatusBadRequest && !beginsWithAny(string(body), keptTexts):
		failure := &wireError{Code: jsonrpc.CodeInvalidRequest}
		if strings.HasPrefix(string(body), "JSON RPC not handled") {
			failure.Code = jsonrpc.CodeMethodNotFound
		} else if w.status >= http.StatusInternalServerError {
			failure.Code = jsonrpc.CodeInternalError
		}
		w.replace(failure, id)
		return
	}
	w.send(body)
}

func (w *plainWriter) replace(failure *wireError, id json.RawMessage) {
	plain := plainError(failure)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Del("Content-Length")
	line := refusalLine(verdict{code: plain.Code, text: plain.Message, id: id, data: plain.Data})
	w.send([]byte(line))
}

func (w *plainWriter) send(body []byte) {
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(body) // fails only when the client has gone
}

func beginsWithAny(text string, beginnings []string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(text, b) {
			return true
		}
	}
	return false
}
