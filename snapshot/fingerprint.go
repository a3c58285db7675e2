package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// FrameFact is what identifies one frame of a page for the fence over frames.
// URL and text are left out on purpose: a form value may change (R107).
type FrameFact struct {
	ID, Parent, Loader, Origin string
	// World is the unique id of our isolated world in it, "" outside our process.
	World string
	// Document is the backend id of its document node, 0 if it is not known.
	Document int64
}

// Fingerprint is a digest over the frames of a page in the order of the frame
// tree (R104-R107). It is private and only compared.
func Fingerprint(frames []FrameFact) string {
	h := sha256.New()
	var b strings.Builder
	for _, f := range frames {
		b.Reset()
		for _, part := range []string{f.ID, f.Parent, f.Loader, f.Origin, f.World, strconv.FormatInt(f.Document, 10)} {
			b.WriteString(strconv.Itoa(len(part)))
			b.WriteByte(':')
			b.WriteString(part)
		}
		b.WriteByte('\n')
		h.Write([]byte(b.String()))
	}
	return hex.EncodeToString(h.Sum(nil))
}
