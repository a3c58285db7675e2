package cdp

import (
	"github.com/troupe-browser/troupe/messages"
)

// Cause is what exactly kept a browser from being found, started or connected
// to. It is finer than the code, which is what callers of the product see.
type Cause string

// The causes.
const (
	CauseNoEngine        Cause = "no_engine"         // R5
	CauseOverride        Cause = "override_not_file" // R3
	CauseArgument        Cause = "argument_refused"
	CauseProfileCreate   Cause = "profile_create"
	CauseProfileInUse    Cause = "profile_in_use"
	CauseNotExecutable   Cause = "not_executable"
	CauseSandboxRoot     Cause = "sandbox_as_root"
	CauseSandbox         Cause = "sandbox_unavailable"
	CauseNoDisplay       Cause = "no_display"
	CauseEarlyExit       Cause = "early_exit"
	CausePipeClosed      Cause = "pipe_closed"
	CauseTempDir         Cause = "temp_dir_too_long"
	CauseTimeout         Cause = "timeout"
	CauseCancelled       Cause = "cancelled"
	CauseEndpointInvalid Cause = "endpoint_invalid"
	CauseEndpointRemote  Cause = "endpoint_remote"
	CauseConnect         Cause = "connect"
	CauseShutdown        Cause = "shutdown"
)

// causeReport is the code of a cause and its sentence; an empty sentence is the
// code's own.
var causeReport = map[Cause]struct {
	code   messages.Code
	detail string
}{
	CauseNoEngine:        {messages.CodeEngineUnavailable, ""},
	CauseOverride:        {messages.CodeEngineOverride, ""},
	CauseArgument:        {messages.CodeLaunchFailed, "A configured browser argument is one that the runtime sets itself. The operator must remove it."},
	CauseProfileCreate:   {messages.CodeProfileCreateFailed, ""},
	CauseProfileInUse:    {messages.CodeProfileBusy, ""},
	CauseNotExecutable:   {messages.CodeLaunchFailed, "The browser's executable could not be run. The operator's doctor command says why."},
	CauseSandboxRoot:     {messages.CodeSandboxUnavailable, "The browser refuses to run as root with its sandbox on. The operator must run as another user or turn the sandbox off (--no-sandbox, TROUPE_SANDBOX=off)."},
	CauseSandbox:         {messages.CodeSandboxUnavailable, "The browser's sandbox is not usable on this system. The operator must enable unprivileged user namespaces or turn the sandbox off (--no-sandbox, TROUPE_SANDBOX=off)."},
	CauseNoDisplay:       {messages.CodeLaunchFailed, "A visible browser needs a display and there is none. The operator must provide one or choose headless."},
	CauseEarlyExit:       {messages.CodeLaunchFailed, "The browser ended while it was starting. The operator's doctor command says why."},
	CausePipeClosed:      {messages.CodeLaunchFailed, "The browser closed its connection while it was starting, or spoke no DevTools protocol on it, and its process lived on; it was ended. What is configured as the browser is no Chromium, or hands its work to another process. The operator's doctor command shows what is used."},
	CauseTempDir:         {messages.CodeLaunchFailed, "The paths of the state directory and of the directory for temporary files (TMPDIR) are too long for the browser's socket. The operator must name a shorter one."},
	CauseTimeout:         {messages.CodeLaunchTimeout, ""},
	CauseCancelled:       {messages.CodeCancelled, "The launch was cancelled; nothing is left of it."},
	CauseEndpointInvalid: {messages.CodeCDPEndpointInvalid, "The configured endpoint is not an http, https, ws or wss address of a browser."},
	CauseEndpointRemote:  {messages.CodeCDPEndpointInvalid, "The configured endpoint is not on this machine, and the operator has not allowed remote endpoints."},
	CauseConnect:         {messages.CodeCDPConnectFailed, ""},
	CauseShutdown:        {messages.CodeShutdownFailed, ""},
}

// LaunchError is the error of Discover, Launch, Dial and Process.Close. It
// unwraps to a *messages.Error, whose Operator field may hold a path or the
// browser's last line of stderr and belongs to nobody else (R4).
type LaunchError struct {
	Cause  Cause
	Report *messages.Error
}

// Error returns the code and its sentence.
func (e *LaunchError) Error() string { return e.Report.Error() }

// Unwrap returns the report.
func (e *LaunchError) Unwrap() error { return e.Report }

// launchError returns the error of a cause with a text for the operator only.
func launchError(cause Cause, operator string) *LaunchError {
	r := causeReport[cause]
	return &LaunchError{Cause: cause, Report: messages.NewError(r.code, r.detail).WithOperator(operator)}
}
