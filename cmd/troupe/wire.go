package main

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
)

// host is a running runtime and what this process runs beside it.
type host struct {
	gateway messages.Gateway
	runtime *actors.Runtime
	system  *actor.ActorSystem // of the drivers
}

// throwawayParent is the directory below which the runtime keeps what does not outlive a browser.
func (a *app) throwawayParent() string { return filepath.Join(a.state, "run") }

// auditFile is the file that gets the events of an entry's runtime.
func (a *app) auditFile(entry string) string {
	return filepath.Join(a.state, "audit", entry+".jsonl")
}

// start starts a runtime for an entry of the command line. It starts no browser (C31).
func (a *app) start(ctx context.Context, entry string) (*host, error) {
	runtime, err := actors.Start(ctx, a.runtimeConfig(entry))
	if err != nil {
		return nil, fmt.Errorf("the runtime does not start: %w", err)
	}
	return &host{gateway: runtime, runtime: runtime, system: newSystem()}, nil
}

// runtimeConfig puts the settings into the runtime's own terms.
func (a *app) runtimeConfig(entry string) actors.Config {
	s := a.settings
	config := actors.Config{
		Engine:              s.Text("browser"),
		NoSandbox:           s.SandboxOff(),
		Visible:             s.Is("headed"),
		Hidden:              s.Is("headless"),
		Args:                s.List("browser_args"),
		StateDir:            a.state,
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
		config.AuditPath = a.auditFile(entry)
	}
	return config
}

// retentions are the values of the setting in the runtime's terms (C5).
var retentions = map[string]time.Duration{"session": 0, "7d": messages.RetentionAge}

// uploadRoots are the configured ones; the daemon has besides what the verbs stage.
func (a *app) uploadRoots(entry string) map[string]string {
	roots := maps.Clone(a.settings.Table("upload_roots"))
	if entry == "serve" {
		if roots == nil {
			roots = make(map[string]string)
		}
		roots[stagingRoot] = a.stagingDirectory()
	}
	return roots
}

// logger writes to the standard error: one readable line each on a terminal, JSON lines elsewhere.
func (a *app) logger() zerolog.Logger {
	level := a.settings.Text("log_level")
	if level == "off" {
		return zerolog.Nop()
	}
	parsed, err := zerolog.ParseLevel(level)
	if err != nil {
		parsed = zerolog.InfoLevel // the level was checked when the settings were read
	}
	var out io.Writer = a.err
	if isTerminal(a.err) {
		out = zerolog.ConsoleWriter{Out: a.err, TimeFormat: "15:04:05"}
	}
	return zerolog.New(out).Level(parsed).With().Timestamp().Logger()
}

// driver spawns a driver for a caller of this process.
func (h *host) driver(plane messages.Plane, grants messages.GrantSet) *driver {
	return spawnDriver(h.system, h.gateway, messages.Caller{Plane: plane, Grants: grants, Owner: owner()})
}

// stop shuts the runtime down and says what could not be ended in time (R193).
func (h *host) stop(ctx context.Context) error {
	report := h.runtime.Shutdown(ctx)
	h.system.Shutdown()
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
