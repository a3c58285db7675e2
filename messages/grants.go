package messages

import (
	"fmt"
	"slices"
	"strings"
)

// Grant is one permission. No grant implies another (section 1.0).
type Grant string

// The grants. They come from the operator (R230); a caller without a grant
// gets no_grant before anything is dispatched.
const (
	GrantRead     Grant = "browser:read"    // observe
	GrantLaunch   Grant = "browser:launch"  // launch only
	GrantControl  Grant = "browser:control" // every other effect
	GrantInspect  Grant = "browser:inspect" // header values, bodies, cookies, storage
	GrantStorage  Grant = "browser:storage" // change cookies and storage
	GrantScript   Grant = "browser:script"  // operator plane evaluation (C1)
	GrantDrive    Grant = "browser:drive"   // input through a live view
	GrantComputer Grant = "computer:read"   // native-window hand-off only (R208)
	GrantUpload   Grant = "files:upload"    // upload_file
	GrantDownload Grant = "files:download"  // downloads are kept, not denied
	GrantShared   Grant = "browser:shared"  // new_page in browsers of other callers (C37)
)

// AllGrants lists every grant in a fixed order.
func AllGrants() []Grant {
	return []Grant{GrantRead, GrantLaunch, GrantControl, GrantInspect, GrantStorage,
		GrantScript, GrantDrive, GrantComputer, GrantUpload, GrantDownload, GrantShared}
}

// DefaultGrants is what an entry that its operator started by hand begins with:
// read, launch and control (R230).
func DefaultGrants() GrantSet { return NewGrantSet(GrantRead, GrantLaunch, GrantControl) }

// GrantSet is a set of grants. The zero value allows nothing.
type GrantSet struct{ bits uint32 }

// NewGrantSet returns the set of the given grants. A name that is no grant is
// ignored; use ParseGrants for text from outside.
func NewGrantSet(grants ...Grant) GrantSet {
	var set GrantSet
	for _, g := range grants {
		if i := slices.Index(AllGrants(), g); i >= 0 {
			set.bits |= 1 << i
		}
	}
	return set
}

// ParseGrants reads grant names; an unknown name is an error that lists the
// known ones.
func ParseGrants(names []string) (GrantSet, error) {
	var set GrantSet
	for _, name := range names {
		i := slices.Index(AllGrants(), Grant(name))
		if i < 0 {
			return GrantSet{}, fmt.Errorf("unknown grant %q: the grants are %s", name, NewGrantSet(AllGrants()...))
		}
		set.bits |= 1 << i
	}
	return set, nil
}

// Has reports whether the set holds g.
func (s GrantSet) Has(g Grant) bool {
	i := slices.Index(AllGrants(), g)
	return i >= 0 && s.bits&(1<<i) != 0
}

// Union returns the set of the grants that are in s or in t.
func (s GrantSet) Union(t GrantSet) GrantSet { return GrantSet{bits: s.bits | t.bits} }

// List returns the grants of the set in the order of AllGrants.
func (s GrantSet) List() []Grant {
	var out []Grant
	for _, g := range AllGrants() {
		if s.Has(g) {
			out = append(out, g)
		}
	}
	return out
}

// String lists the grants, separated by commas.
func (s GrantSet) String() string {
	var names []string
	for _, g := range s.List() {
		names = append(names, string(g))
	}
	return strings.Join(names, ",")
}

// Plane says through which kind of surface a call came (section 1.0).
type Plane string

// The planes. The zero value is treated as the model plane, which may do least.
const (
	PlaneModel    Plane = "model"
	PlaneOperator Plane = "operator"
	PlaneSurface  Plane = "surface"
)

// Caller says who asks and what it may do. A page belongs to the caller that
// opened it; others get no_grant unless they are on the operator plane (C27).
type Caller struct {
	ID     CallerID
	Plane  Plane
	Grants GrantSet
	// Owner is the agent on whose behalf browsers are opened; its end closes
	// them (R23). Empty: the browsers have no owner.
	Owner OwnerID
}

// CallerHost is the process that runs the runtime, when it looks after itself: how many
// browsers there are, for one. What it observes is no caller's act, so the audit leaves
// it out; an effect of it would stand there like any other.
const CallerHost CallerID = "host"

// RequiredGrants returns every grant that a command needs: its own, and for an
// upload, also inside a batch, files:upload on top of browser:control (R203).
func RequiredGrants(c Command) []Grant {
	switch c := c.(type) {
	case *UploadFile:
		return []Grant{GrantControl, GrantUpload}
	case *WaitFor:
		if c.Function != "" {
			return []Grant{GrantRead, GrantScript}
		}
	case *Batch:
		for _, op := range c.Operations {
			if !IsNil(op) && op.Grant() == GrantUpload {
				return []Grant{GrantControl, GrantUpload}
			}
		}
	}
	return []Grant{c.Grant()}
}
