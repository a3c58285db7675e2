package kernel

import (
	"time"

	"github.com/rs/zerolog"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// DialogPolicy says who answers a JavaScript dialog (R121).
type DialogPolicy string

// The policies. Empty means hold.
const (
	// DialogsHold keeps a dialog for the connected caller, at most messages.DialogHold.
	DialogsHold DialogPolicy = "hold"
	// DialogsAuto accepts beforeunload and dismisses everything else at once.
	DialogsAuto DialogPolicy = "auto"
)

// Config is the operator's configuration of a runtime. The zero value is usable
// where the browser's sandbox is: it finds an engine, keeps state below the user's
// cache directory, and takes every bound from package messages.
type Config struct {
	// Engine is the path of the browser executable; empty, it is searched for (R2).
	Engine string
	// NoSandbox turns the browser's sandbox off. It is never turned off otherwise.
	NoSandbox bool
	// Visible shows ephemeral browsers too, Hidden hides managed ones (C17).
	Visible, Hidden bool
	// Args are further switches for owned browsers.
	Args []string
	// StateDir is the private directory of the runtime: throwaway profiles, managed
	// profiles, downloads. Empty means "troupe" below the user's cache directory.
	StateDir string

	// Endpoint is the address of a DevTools endpoint; when set, a launch without a
	// mode connects to it (C31). AllowRemoteEndpoint lets it be on another machine (C7).
	Endpoint            string
	AllowRemoteEndpoint bool

	// BrowsersMax and PagesMax bound browsers and pages of one browser; zero means
	// messages.BrowsersMaxDefault and messages.PagesPerBrowserMaxDefault.
	BrowsersMax, PagesMax int

	// SameDocument, Clickables, Takeover and Typing are the policies of package
	// target; empty means stale, strict, strict and insert.
	SameDocument target.SameDocument
	Clickables   target.Clickables
	Takeover     target.Takeover
	Typing       target.Typing
	// Dialogs says who answers a dialog.
	Dialogs DialogPolicy
	// PresentPopups puts a popup on top of the presented stack (C15).
	PresentPopups bool

	// ReapInterval is the time between two looks at idle and overdue browsers,
	// IdleMax and LifetimeMax their bounds (R192). Zero means the constants of
	// package messages.
	ReapInterval, IdleMax, LifetimeMax time.Duration

	// UploadRoots are the directories that upload_file may read, by name (R134). The
	// name "downloads" is the runtime's own.
	UploadRoots map[string]string
	// Retention is how long downloads are kept after their browser; zero means that
	// they go with it (C5).
	Retention time.Duration

	// RequireOperationID refuses effects whose caller gave no operation id (R157).
	RequireOperationID bool
	// AuditPath is the file that gets every event as a JSON line; empty means none.
	AuditPath string
	// Logger gets what the operator should know. The zero value writes nothing.
	Logger zerolog.Logger

	// Connector, when not nil, takes the place of starting and dialling browsers. It
	// is for tests and for hosts that bring their own browser.
	Connector Connector
}

// WithDefaults returns the configuration with every empty field filled.
func (c Config) WithDefaults() Config {
	orInt := func(v *int, fallback int) {
		if *v <= 0 {
			*v = fallback
		}
	}
	orDuration := func(v *time.Duration, fallback time.Duration) {
		if *v <= 0 {
			*v = fallback
		}
	}
	orInt(&c.BrowsersMax, messages.BrowsersMaxDefault)
	orInt(&c.PagesMax, messages.PagesPerBrowserMaxDefault)
	orDuration(&c.ReapInterval, messages.ReapTick)
	orDuration(&c.IdleMax, messages.IdleMax)
	orDuration(&c.LifetimeMax, messages.LifetimeMax)
	if c.SameDocument == "" {
		c.SameDocument = target.SameDocumentStale
	}
	if c.Clickables == "" {
		c.Clickables = target.ClickablesStrict
	}
	if c.Takeover == "" {
		c.Takeover = target.TakeoverStrict
	}
	if c.Typing == "" {
		c.Typing = target.TypingInsert
	}
	if c.Dialogs == "" {
		c.Dialogs = DialogsHold
	}
	return c
}

// Policy is the part of the configuration that runners see.
func (c Config) Policy() target.Policy {
	return target.Policy{SameDocument: c.SameDocument, Clickables: c.Clickables, Takeover: c.Takeover, Typing: c.Typing}
}
