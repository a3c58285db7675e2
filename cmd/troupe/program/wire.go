package program

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/rs/zerolog"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/driver"
)

// Host is a running runtime and what this process runs beside it.
type Host struct {
	Gateway messages.Gateway
	Runtime *actors.Runtime
	System  *actor.ActorSystem // of the drivers
}

// ThrowawayParent is the directory below which the runtime keeps what does not outlive a browser.
func (a *App) ThrowawayParent() string { return filepath.Join(a.State, "run") }

// AuditFile is the file that gets the events of an entry's runtime.
func (a *App) AuditFile(entry string) string {
	return filepath.Join(a.State, "audit", entry+".jsonl")
}

// start starts a runtime for an entry of the command line. It starts no browser (C31).
func (a *App) start(ctx context.Context, entry string) (*Host, error) {
	runtime, err := actors.Start(ctx, a.runtimeConfig(entry))
	if err != nil {
		return nil, fmt.Errorf("the runtime does not start: %w", err)
	}
	return &Host{Gateway: runtime, Runtime: runtime, System: driver.NewSystem()}, nil
}

// runtimeConfig puts the settings into the runtime's own terms.
func (a *App) runtimeConfig(entry string) actors.Config {
	s := a.Settings
	config := actors.Config{
		Engine:              s.Text("browser"),
		NoSandbox:           s.SandboxOff(),
		Visible:             s.Is("headed"),
		Hidden:              s.Is("headless"),
		Args:                s.List("browser_args"),
		StateDir:            a.State,
		Endpoint:            s.Text("endpoint"),
		AllowRemoteEndpoint: s.Is("allow_remote_endpoint"),
		BrowsersMax:         s.Number("browsers_max"),
		PagesMax:            s.Number("pages_max"),
		SameDocument:        target.SameDocument(s.Text("same_document")),
		Clickables:          target.Clickables(s.Text("clickables")),
		Takeover:            target.Takeover(s.Text("takeover")),
		Typing:              target.Typing(s.Text("typing")),
		Dialogs:             actors.DialogPolicy(s.Text("dialogs")),
		PresentPopups:       s.Text("popup") == "present",
		IdleMax:             s.Duration("idle"),
		LifetimeMax:         s.Duration("lifetime"),
		UploadRoots:         a.uploadRoots(entry),
		Retention:           retentions[s.Text("retention")],
		RequireOperationID:  s.Is("require_operation_id"),
		Logger:              a.logger(),
	}
	if s.Source("browser") == "TROUPE_BROWSER" {
		config.Engine = "" // discovery reads the environment itself, in its place of the order (R2)
	}
	if s.Is("audit") {
		config.AuditPath = a.AuditFile(entry)
	}
	return config
}

// retentions are the values of the setting in the runtime's terms (C5).
var retentions = map[string]time.Duration{"session": 0, "7d": messages.RetentionAge}

// uploadRoots are the configured ones; the daemon has besides what the verbs stage.
func (a *App) uploadRoots(entry string) map[string]string {
	roots := maps.Clone(a.Settings.Table("upload_roots"))
	if entry == "serve" {
		if roots == nil {
			roots = make(map[string]string)
		}
		roots[StagingRoot] = a.StagingDirectory()
	}
	return roots
}

// logger writes to the standard error: one readable line each on a terminal, JSON lines elsewhere.
func (a *App) logger() zerolog.Logger {
	level := a.Settings.Text("log_level")
	if level == "off" {
		return zerolog.Nop()
	}
	parsed, err := zerolog.ParseLevel(level)
	if err != nil {
		parsed = zerolog.InfoLevel // the level was checked when the settings were read
	}
	var out io.Writer = a.Err
	if IsTerminal(a.Err) {
		out = zerolog.ConsoleWriter{Out: a.Err, TimeFormat: "15:04:05"}
	}
	return zerolog.New(out).Level(parsed).With().Timestamp().Logger()
}

// Driver spawns a driver for a caller of this process.
func (h *Host) Driver(plane messages.Plane, grants messages.GrantSet) *driver.Driver {
	return driver.Spawn(h.System, h.Gateway, messages.Caller{Plane: plane, Grants: grants, Owner: owner()})
}

// stop shuts the runtime down and says what could not be ended in time (R193).
func (h *Host) stop(ctx context.Context) error {
	report := h.Runtime.Shutdown(ctx)
	h.System.Shutdown()
	var problems []string
	if n := len(report.Failed); n > 0 {
		problems = append(problems, fmt.Sprintf("%d browsers could not be ended completely", n))
	}
	if n := len(report.Pending); n > 0 {
		problems = append(problems, fmt.Sprintf("%d browsers were still ending at the deadline", n))
	}
	if len(problems) == 0 {
		return nil
	}
	return messages.NewError(messages.CodeShutdownFailed, "%s.", strings.Join(problems, " and "))
}
