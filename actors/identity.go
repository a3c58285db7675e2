package actors

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

// newIdentity returns a fresh opaque identity of 16 characters behind a prefix.
func newIdentity(prefix string) string {
	var b [identityBytes]byte
	// crypto/rand.Read never fails on the platforms that Go supports; it ends the
	// program if the system has no randomness.
	_, _ = rand.Read(b[:])
	return prefix + identityEncoding.EncodeToString(b[:])
}

func newBrowserID() messages.BrowserID { return messages.BrowserID(newIdentity("br_")) }

// audited returns an id as the audit may have it: one of this form, whoever minted it,
// as it is. A caller can write anything where an id belongs, also a secret, so
// anything else is only named as such (R206).
func audited[ID ~string](id ID, prefix string) ID {
	code, ok := strings.CutPrefix(string(id), prefix)
	if _, err := identityEncoding.DecodeString(code); id != "" && (!ok || err != nil || len(code) != identityEncoding.EncodedLen(identityBytes)) {
		return "invalid"
	}
	return id
}

func newPageID() messages.PageID { return messages.PageID(newIdentity("pg_")) }

func newDocumentToken() messages.DocumentToken { return messages.DocumentToken(newIdentity("doc_")) }

// mint makes the operation ids of effects whose caller gave none (R157). They
// need no memory: any id of this form that a caller presents was minted, and so
// spent, before.
type mint struct {
	prefix string
	count  atomic.Uint64
}

func newMint() *mint { return &mint{prefix: newIdentity("op_") + "_"} }

func (m *mint) next() messages.OperationID {
	return messages.OperationID(m.prefix + strconv.FormatUint(m.count.Add(1), 36))
}

// made reports whether an id has the form of this mint.
func (m *mint) made(id messages.OperationID) bool { return strings.HasPrefix(string(id), m.prefix) }
