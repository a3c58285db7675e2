package cdp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The environment variables that name the browser's executable, in their order
// (R2). An empty value counts as unset (R3).
const (
	EnvBrowser    = "TROUPE_BROWSER"
	EnvChromePath = "CHROME_PATH"
)

// versionTimeout bounds a run of the engine with --version. At the bound it is
// killed and the version is unknown. A loaded machine takes seconds for it.
const versionTimeout = 15 * time.Second

// Engine is a browser executable of the Chromium family (R24).
type Engine struct {
	// Path is the executable. It may be shown to the operator only (R4).
	Path string
	// Source says what named it: "configuration", an environment variable, or
	// "discovered".
	Source string
}

// DiscoverOptions says where to look. The zero value looks where production does.
type DiscoverOptions struct {
	// Path is the executable that the operator configured; it goes before all else.
	Path string
	// Getenv reads the environment; nil means os.Getenv.
	Getenv func(string) string
}

// Discover finds the engine (R1, R2): the configured path, TROUPE_BROWSER,
// CHROME_PATH, then the platform's list. It only looks at files: nothing is run and
// nothing is guessed. An override that names no executable file is an error of its
// own (CauseOverride) and never falls through to the next; no engine at all is
// CauseNoEngine.
func Discover(o DiscoverOptions) (Engine, error) {
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	overrides := []Engine{
		{Path: o.Path, Source: "configuration"},
		{Path: getenv(EnvBrowser), Source: EnvBrowser},
		{Path: getenv(EnvChromePath), Source: EnvChromePath},
	}
	for _, e := range overrides {
		if e.Path == "" {
			continue
		}
		if err := executableFile(e.Path); err != nil {
			return Engine{}, launchError(CauseOverride, fmt.Sprintf("%s names %q: %v", e.Source, e.Path, err))
		}
		return e, nil
	}
	for _, path := range candidates(getenv) {
		if executableFile(path) == nil {
			return Engine{Path: withoutWrapper(path), Source: "discovered"}, nil
		}
	}
	return Engine{}, launchError(CauseNoEngine, "set "+EnvBrowser+" to the executable of a Chromium-family browser")
}

// executableFile returns nil if the path names a file that can be run.
func executableFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return errors.Unwrap(err)
	case !info.Mode().IsRegular():
		return errors.New("not a file")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
		return errors.New("not executable")
	}
	return nil
}

// onPath returns the places at which the PATH may hold the name. Relative entries
// are left out: what is found must not depend on the working directory.
func onPath(getenv func(string) string, name string) []string {
	var places []string
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if filepath.IsAbs(dir) {
			places = append(places, filepath.Join(dir, name))
		}
	}
	return places
}

// Version runs the engine with --version and returns the line it prints, such as
// "Chromium 156.0.8078.108". It does not start a browser. On Windows, where the
// switch opens a window, it fails.
func (e Engine) Version(ctx context.Context) (string, error) {
	if runtime.GOOS == "windows" {
		return "", errors.New("cdp: the version is not known before the browser runs")
	}
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.Path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("cdp: the engine did not tell its version: %w", err)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return strings.TrimSpace(line), nil
}
