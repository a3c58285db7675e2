package verbs

import (
	"regexp"
	"strings"

	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// hostPort is a bare host with a port, which would otherwise read as a scheme.
var hostPort = regexp.MustCompile(`^[A-Za-z0-9.-]+:\d{1,5}(?:[/?#]|$)`)

// schemed is a text that begins with a scheme.
var schemed = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// neverHost are schemes that would otherwise read as a host with a port, as javascript:1 does.
var neverHost = map[string]bool{
	"javascript": true, "data": true, "file": true, "vbscript": true, "about": true, "blob": true, "chrome": true, "edge": true,
	"brave": true, "devtools": true, "view-source": true, "ftp": true, "mailto": true, "tel": true, "ws": true, "wss": true,
}

func refusedScheme(address string) error {
	scheme, _, _ := strings.Cut(address, ":")
	return messages.NewError(messages.CodeInvalidRequest, "The scheme %q is not allowed: only http and https can be opened.", program.ClampWord(scheme))
}

// normalizeURL turns what a person writes into the address that the core takes (R111, C23): a bare host becomes
// http://…, about:blank becomes "", which opens an empty page, and every scheme but http and https is refused.
func normalizeURL(given string) (string, error) {
	address := strings.TrimSpace(given)
	lower := strings.ToLower(address)
	switch {
	case address == "":
		return "", messages.NewError(messages.CodeInvalidRequest, "The address is empty.")
	case lower == "about:blank":
		return "", nil
	case strings.HasPrefix(lower, "http://"), strings.HasPrefix(lower, "https://"):
	case neverHost[strings.SplitN(lower, ":", 2)[0]] && strings.Contains(lower, ":"):
		return "", refusedScheme(lower)
	case strings.HasPrefix(address, "[") || hostPort.MatchString(address):
		address = "http://" + address
	case strings.Contains(address, "://") || schemed.MatchString(address):
		return "", refusedScheme(lower)
	default:
		address = "http://" + address
	}
	if err := messages.CheckURL(address); err != nil {
		return "", messages.NewError(messages.CodeInvalidRequest, "%s", err.Detail)
	}
	return address, nil
}
