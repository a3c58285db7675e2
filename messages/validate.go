package messages

import (
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// CheckURL applies the core's URL policy (R110): an absolute http or https URL
// with a host and no user or password, at most URLBytesMax bytes. The refusal never
// repeats the URL, since its query or its user may hold secrets.
func CheckURL(raw string) *Error {
	if len(raw) > URLBytesMax {
		return NewError(CodeInvalidURL, "The URL is longer than 8,192 bytes.")
	}
	if strings.TrimSpace(raw) != raw {
		return NewError(CodeInvalidURL, "The URL begins or ends with a space.")
	}
	u, err := url.Parse(raw)
	switch {
	case strings.ContainsAny(raw, "\x00\r\n\t"):
		return NewError(CodeInvalidURL, "The URL holds control characters.")
	case err != nil:
		return NewError(CodeInvalidURL, "The URL cannot be read.")
	case !u.IsAbs():
		return NewError(CodeInvalidURL, "The URL is not absolute. Give it with http:// or https://.")
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return NewError(CodeUnsupportedURLScheme, "The scheme %q is not allowed: only http and https can be navigated to.", clampASCII(u.Scheme, 32))
	}
	switch {
	case u.User != nil:
		return NewError(CodeInvalidURL, "The URL holds a user name or a password, which is not allowed.")
	case u.Hostname() == "":
		return NewError(CodeInvalidURL, "The URL has no host.")
	}
	return nil
}

// CheckText applies the bounds of typed text (R79).
func CheckText(text string) *Error {
	switch {
	case text == "":
		return NewError(CodeInvalidText, "The text is empty. To clear a field use set_value with an empty value.")
	case len(text) > ValueBytesMax:
		return NewError(CodeInvalidText, "The text has %d bytes; at most 4,096 are allowed.", len(text))
	case strings.ContainsRune(text, 0) || !utf8.ValidString(text):
		return NewError(CodeInvalidText, "The text holds NUL or is not valid UTF-8.")
	}
	return nil
}

// CheckValue applies the bounds of a value, which may be empty (R79).
func CheckValue(value string) *Error {
	if len(value) > ValueBytesMax {
		return NewError(CodeInvalidValue, "The value has %d bytes; at most 4,096 are allowed.", len(value))
	}
	if strings.ContainsRune(value, 0) || !utf8.ValidString(value) {
		return NewError(CodeInvalidValue, "The value holds NUL or is not valid UTF-8.")
	}
	return nil
}

// CheckOption applies the bounds of an option (R79).
func CheckOption(option string) *Error {
	if option == "" || len(option) > ValueBytesMax || strings.ContainsRune(option, 0) || !utf8.ValidString(option) {
		return NewError(CodeInvalidOption, "")
	}
	return nil
}

// CheckChoicePath applies R90: 1 to 4 non-blank steps, NUL-free, bounded.
func CheckChoicePath(path []string) *Error {
	if len(path) == 0 || len(path) > ChoiceStepsMax {
		return NewError(CodeInvalidChoicePath, "A choice path has 1 to 4 steps; this one has %d.", len(path))
	}
	for i, step := range path {
		if strings.TrimSpace(step) == "" || len(step) > ChoiceStepBytesMax || strings.ContainsRune(step, 0) || !utf8.ValidString(step) {
			return NewError(CodeInvalidChoicePath, "Step %d of the choice path is blank, too long or holds NUL.", i)
		}
	}
	return nil
}

// CheckDate applies R91: YYYY-MM or YYYY-MM-DD, and the date must exist.
func CheckDate(value string) *Error {
	layout := "2006-01"
	if len(value) == len("2006-01-02") {
		layout = time.DateOnly
	}
	t, err := time.Parse(layout, value)
	if err != nil || t.Year() < 1 {
		return NewError(CodeInvalidDate, "A date is written YYYY-MM-DD or YYYY-MM and must exist, as 2027-02-28.")
	}
	return nil
}

// CheckOperationID applies the pattern of R154; empty is allowed.
func CheckOperationID(id OperationID) *Error {
	if len(id) > OperationIDCharsMax {
		return NewError(CodeOperationIDInvalid, "")
	}
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return NewError(CodeOperationIDInvalid, "")
		}
	}
	return nil
}

// CheckProfile applies R177 to the name of a managed profile.
func CheckProfile(name string) *Error {
	if len(name) < 1 || len(name) > 48 {
		return NewError(CodeInvalidProfile, "")
	}
	for i, r := range name {
		alnum := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		if !alnum && (i == 0 || r != '_' && r != '-') {
			return NewError(CodeInvalidProfile, "")
		}
	}
	return nil
}

// rules checks each term of the query: 1 to 128 characters, not blank (R47).
func (q Query) rules() *Error {
	for name, term := range map[string]string{"text": q.Text, "role": q.Role, "group": q.Group, "section": q.Section} {
		if term == "" {
			continue
		}
		if strings.TrimSpace(term) == "" || utf8.RuneCountInString(term) > QueryTermCharsMax || !utf8.ValidString(term) {
			return NewError(CodeInvalidQuery, "The query's %s must have 1 to 128 characters and not be blank.", name)
		}
	}
	return nil
}

// CheckUploadPath applies the shape of R134: relative, normal components only.
// Whether the file exists and may be read is judged where the roots are.
func CheckUploadPath(path string) *Error {
	if path == "" || len(path) > UploadPathBytesMax || strings.ContainsRune(path, 0) || !utf8.ValidString(path) ||
		strings.HasPrefix(path, "/") || strings.Contains(path, `\`) {
		return NewError(CodeInvalidUploadPath, "")
	}
	for component := range strings.SplitSeq(path, "/") {
		if component == "" || component == "." || component == ".." {
			return NewError(CodeInvalidUploadPath, "")
		}
	}
	return nil
}

// clampASCII shortens text for an error message and drops what is not plain ASCII.
func clampASCII(text string, bytesMax int) string {
	var b strings.Builder
	for _, r := range text {
		if b.Len() >= bytesMax {
			break
		}
		if r > ' ' && r < 0x7f {
			b.WriteRune(r)
		}
	}
	return b.String()
}
