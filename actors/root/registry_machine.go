package root

import (
	"strconv"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// shortPrefix begins a browser's short reference, as in "browser:2" (R22).
const shortPrefix = "browser:"

// find resolves an address: a full id, a short reference, or an unambiguous prefix
// of an id. A browser that is being closed is not found any more (R192).
func (m *machine) find(address messages.BrowserID) (*browserEntry, *messages.Error) {
	if b := m.browsers[address]; b != nil && b.state != browserClosing {
		return b, nil
	}
	number, isShort := strings.CutPrefix(string(address), shortPrefix)
	var found *browserEntry
	for _, b := range m.browsers {
		fits := strings.HasPrefix(string(b.id), string(address))
		if isShort {
			fits = strconv.Itoa(b.short) == number
		}
		if !fits || address == "" || b.state == browserClosing {
			continue
		}
		if found != nil {
			return nil, messages.NewError(messages.CodeBrowserAmbiguous, "").WithRecovery("observe_browser", map[string]any{"action": "browsers"})
		}
		found = b
	}
	if found == nil {
		return nil, messages.NewError(messages.CodeBrowserNotFound, "").WithRecovery("observe_browser", map[string]any{"action": "browsers"})
	}
	return found, nil
}

// onLaunch admits a launch: the bound, the memory of a failure, and a place in the
// registry, which counts from now on (R9, R17).
func (m *machine) onLaunch(msg *Call, command *messages.Launch) []Effect {
	if refused := m.withoutReaper(msg); refused != nil {
		return refused
	}
	mode := command.Mode
	if mode == "" {
		mode = messages.LaunchEphemeral
		if m.endpoint {
			mode = messages.LaunchEndpoint
		}
	}
	if mode == messages.LaunchEndpoint && !m.endpoint {
		return []Effect{&failCall{msg.Call, messages.NewError(messages.CodeCDPEndpointInvalid, "No endpoint is configured.")}}
	}
	kind := startKind{mode, command.Profile}
	if failure, ok := m.failures[kind]; ok && msg.At.Sub(failure.at) < kernel.StartFailureMemory {
		return []Effect{&failCall{msg.Call, failure.err}}
	}
	if len(m.browsers) >= m.browsersMax {
		return []Effect{&failCall{msg.Call, messages.NewError(messages.CodeBrowserLimit, "").
			WithRecovery("observe_browser", map[string]any{"action": "browsers"})}}
	}
	m.nextShort++
	policy := policyModel
	if command.Held {
		policy = policyHeld
	}
	b := &browserEntry{
		id: msg.FreshID, short: m.nextShort, state: browserLaunching, mode: mode, policy: policy, profile: command.Profile,
		ownership: map[messages.LaunchMode]messages.Ownership{
			messages.LaunchEphemeral: messages.OwnedEphemeral, messages.LaunchManaged: messages.OwnedManaged,
			messages.LaunchEndpoint: messages.AttachedEndpoint}[mode],
		owner: msg.Call.Caller.Owner, ownerProcess: msg.Owner, launcher: msg.Call.Caller.ID,
		createdAt: msg.At, lastUsed: msg.At, launch: msg.Call,
	}
	m.browsers[b.id] = b
	return []Effect{&beginAtRoot{call: msg.Call}}
}

// withoutReaper refuses to start a browser that nobody would end: the reaper was never
// started or has not shown itself for too long (R18). It is started again, so that a
// later launch finds it.
func (m *machine) withoutReaper(msg *Call) []Effect {
	if !m.reaped.IsZero() && msg.At.Sub(m.reaped) <= m.reapInterval+kernel.ReaperGrace {
		return nil
	}
	return []Effect{&failCall{msg.Call, messages.NewError(messages.CodeReaperUnavailable, "")}, &startReaper{}}
}

// dropLaunch gives the place of a launch back that was never begun.
func (m *machine) dropLaunch(launch *call.Call) []Effect {
	for id, b := range m.browsers {
		if b.launch == launch {
			delete(m.browsers, id)
		}
	}
	return nil
}

// slowFailure is how long a launch that fails takes at least to count as slow: a program
// that closed its connection and lives on is waited for as long.
const slowFailure = 2 * time.Second

// remember keeps a start failure that took long, so that later launches of the kind
// need not wait as long again. One that the caller's own end caused is not kept.
func (m *machine) remember(b *browserEntry, err *messages.Error, at time.Time) {
	slow := err.Code == messages.CodeLaunchFailed && at.Sub(b.createdAt) >= slowFailure
	if slow || err.Code == messages.CodeLaunchTimeout || err.Code == messages.CodeCDPTimeout {
		m.failures[startKind{b.mode, b.profile}] = startFailure{err: err, at: at}
	}
}

// targets is the part of the answer to GetTargets that the root knows.
func (m *machine) targets() *messages.Targets {
	return &messages.Targets{
		Capabilities: messages.Capabilities{
			Observe: true, Control: true, ActionAdmission: true, Batch: true, SemanticQuery: true,
			ComplexControls: true, ManagedProfile: true, ExtensionBridge: m.bridge,
		},
		Browsers: len(m.browsers), BrowsersMax: m.browsersMax,
	}
}

// list answers ListBrowsers. Browsers that are being closed are shown as such,
// since they still count against the bound.
func (m *machine) list(at time.Time) *messages.BrowserList {
	out := &messages.BrowserList{Browsers: []messages.BrowserSummary{}}
	for _, b := range m.sorted() {
		out.Browsers = append(out.Browsers, messages.BrowserSummary{
			BrowserID: b.id, Short: shortPrefix + strconv.Itoa(b.short), Ownership: b.ownership, State: string(b.state),
			Policy: b.policy, Profile: b.profile, Owner: b.owner, Pages: b.pages, PagesMax: m.pagesMax,
			IdleSeconds: int(at.Sub(b.lastUsed) / time.Second), AgeSeconds: int(at.Sub(b.createdAt) / time.Second),
		})
	}
	return out
}
