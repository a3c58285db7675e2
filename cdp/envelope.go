package cdp

import (
	"bytes"
	"errors"
	"strconv"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// envelope is what a message says about itself. The slices point into it.
type envelope struct {
	id        int64
	hasID     bool
	method    string
	session   SessionID
	params    []byte
	result    []byte
	hasError  bool
	errorJSON []byte
}

// errMalformed is the error of a message that is not a protocol message.
var errMalformed = errors.New("cdp: malformed message")

// decodeEnvelope reads the outermost members of a message in one pass and
// without looking into the values: a reply can be many megabytes and is decoded
// once, by whoever waits for it. Values are checked for balance, not for grammar;
// the decoder of the value does that. A repeated member counts last.
func decodeEnvelope(data []byte) (envelope, error) {
	var e envelope
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '{' {
		return e, errMalformed
	}
	i = skipSpace(data, i+1)
	if i < len(data) && data[i] == '}' {
		return e, endOfMessage(data, i+1)
	}
	for {
		key, next, ok := scanString(data, i)
		if !ok {
			return e, errMalformed
		}
		i = skipSpace(data, next)
		if i >= len(data) || data[i] != ':' {
			return e, errMalformed
		}
		start := skipSpace(data, i+1)
		end, ok := skipValue(data, start)
		if !ok {
			return e, errMalformed
		}
		if err := e.set(key, data[start:end]); err != nil {
			return e, err
		}
		i = skipSpace(data, end)
		if i >= len(data) {
			return e, errMalformed
		}
		switch data[i] {
		case ',':
			i = skipSpace(data, i+1)
		case '}':
			return e, endOfMessage(data, i+1)
		default:
			return e, errMalformed
		}
	}
}

// set takes in one member; key is the raw string with its quotes.
func (e *envelope) set(key, value []byte) error {
	name := key[1 : len(key)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		var plain string
		if err := unmarshal(key, &plain); err != nil {
			return errMalformed
		}
		name = []byte(plain)
	}
	switch string(name) {
	case "id":
		id, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil {
			return errMalformed
		}
		e.id, e.hasID = id, true
	case "method":
		return plainString(value, &e.method)
	case "sessionId":
		var id string
		err := plainString(value, &id)
		e.session = SessionID(id)
		return err
	case "params":
		e.params = value
	case "result":
		e.result = value
	case "error":
		e.errorJSON, e.hasError = value, true
	}
	return nil
}

// protocolError decodes the error member of a reply.
func (e *envelope) protocolError() (code int, message string) {
	var detail struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if err := unmarshal(e.errorJSON, &detail); err != nil {
		return 0, "unreadable error"
	}
	return detail.Code, detail.Message
}

// plainString decodes a JSON string, without allocation beyond the string
// itself where it holds no escape.
func plainString(value []byte, out *string) error {
	if len(value) < 2 || value[0] != '"' {
		return errMalformed
	}
	if bytes.IndexByte(value, '\\') < 0 {
		*out = string(value[1 : len(value)-1])
		return nil
	}
	if err := jsonv2.Unmarshal(value, out, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return errMalformed
	}
	return nil
}

func endOfMessage(data []byte, i int) error {
	if skipSpace(data, i) != len(data) {
		return errMalformed
	}
	return nil
}

func skipSpace(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ' ', '\t', '\r', '\n':
			i++
		default:
			return i
		}
	}
	return i
}

// scanString returns the string that begins at i with its quotes, and the index
// behind it.
func scanString(data []byte, i int) (raw []byte, next int, ok bool) {
	if i >= len(data) || data[i] != '"' {
		return nil, i, false
	}
	for j := i + 1; j < len(data); {
		n := bytes.IndexByte(data[j:], '"')
		if n < 0 {
			return nil, i, false
		}
		j += n + 1
		if !escaped(data, i+1, j-1) {
			return data[i:j], j, true
		}
	}
	return nil, i, false
}

// escaped reports whether the quote at i is escaped: an odd number of
// backslashes stands before it. from is the first byte of the string.
func escaped(data []byte, from, i int) bool {
	n := 0
	for k := i - 1; k >= from && data[k] == '\\'; k-- {
		n++
	}
	return n%2 == 1
}

// skipValue returns the index behind the value that begins at i.
func skipValue(data []byte, i int) (end int, ok bool) {
	if i >= len(data) {
		return i, false
	}
	switch data[i] {
	case '"':
		_, end, ok = scanString(data, i)
		return end, ok
	case '{', '[':
		return skipNested(data, i)
	}
	for end = i; end < len(data); end++ {
		switch data[end] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return end, end > i
		case '"', '{', '[', ':':
			return end, false
		}
	}
	return end, false
}

// skipNested skips an object or array by counting brackets of both kinds
// outside strings.
func skipNested(data []byte, i int) (end int, ok bool) {
	depth := 0
	for j := i; j < len(data); {
		switch data[j] {
		case '"':
			_, next, ok := scanString(data, j)
			if !ok {
				return j, false
			}
			j = next
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return j + 1, true
			}
		}
		j++
	}
	return len(data), false
}
