package kernel

import (
	"crypto/rand"
	"encoding/base32"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/troupe-browser/troupe/messages"
)

// identityBytes is the randomness of an identity: 80 bits, so that an identity
// of another runtime is never met by chance (R27, R28).
const identityBytes = 10

var identityEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewIdentity returns a fresh opaque identity of 16 characters behind a prefix.
func NewIdentity(prefix string) string {
	var b [identityBytes]byte
	// crypto/rand.Read never fails on the platforms that Go supports; it ends the
	// program if the system has no randomness.
	_, _ = rand.Read(b[:])
	return prefix + identityEncoding.EncodeToString(b[:])
}

// NewBrowserID returns a fresh id of a browser.
func NewBrowserID() messages.BrowserID { return messages.BrowserID(NewIdentity("br_")) }

// Audited returns an id as the audit may have it: one of this form, whoever minted it,
// as it is. A caller can write anything where an id belongs, also a secret, so
// anything else is only named as such (R206).
func Audited[ID ~string](id ID, prefix string) ID {
	code, ok := strings.CutPrefix(string(id), prefix)
	if _, err := identityEncoding.DecodeString(code); id != "" && (!ok || err != nil || len(code) != identityEncoding.EncodedLen(identityBytes)) {
		return "invalid"
	}
	return id
}

// NewPageID returns a fresh id of a page.
func NewPageID() messages.PageID { return messages.PageID(NewIdentity("pg_")) }

// NewDocumentToken returns a fresh token of a document.
func NewDocumentToken() messages.DocumentToken { return messages.DocumentToken(NewIdentity("doc_")) }

// Mint makes the operation ids of effects whose caller gave none (R157). They
// need no memory: any id of this form that a caller presents was minted, and so
// spent, before.
type Mint struct {
	prefix string
	// count is what callers' own goroutines add to before any actor knows of the call.
	// The ids need only differ, so that no order of theirs matters.
	count atomic.Uint64
}

// NewMint returns a mint of operation ids; no two mints make the same.
func NewMint() *Mint { return &Mint{prefix: NewIdentity("op_") + "_"} }

// Next returns an operation id that was never given out.
func (m *Mint) Next() messages.OperationID {
	return messages.OperationID(m.prefix + strconv.FormatUint(m.count.Add(1), 36))
}

// Made reports whether an id has the form of this mint.
func (m *Mint) Made(id messages.OperationID) bool { return strings.HasPrefix(string(id), m.prefix) }
