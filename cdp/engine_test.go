//go:build linux

package cdp

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// program makes an executable file.
func program(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDiscoverOrder(t *testing.T) {
	dir := t.TempDir()
	configured := program(t, filepath.Join(dir, "configured"), "")
	own := program(t, filepath.Join(dir, "own"), "")
	chromePath := program(t, filepath.Join(dir, "chrome-path"), "")
	chromium := program(t, filepath.Join(dir, "bin", "chromium"), "")
	chrome := program(t, filepath.Join(dir, "late", "google-chrome"), "")
	brave := program(t, filepath.Join(dir, "brave", "brave-browser"), "")
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	list := func(paths ...string) string {
		joined := ""
		for _, p := range paths {
			joined += filepath.Dir(p) + string(os.PathListSeparator)
		}
		return joined
	}
	for _, row := range []struct {
		name       string
		configured string
		env        map[string]string
		want       string
		source     string
		cause      Cause
		code       messages.Code
	}{
		{name: "the configured path is first", configured: configured, env: map[string]string{EnvBrowser: own}, want: configured, source: "configuration"},
		{name: "then our variable", env: map[string]string{EnvBrowser: own, EnvChromePath: chromePath}, want: own, source: EnvBrowser},
		{name: "then the common one", env: map[string]string{EnvBrowser: "", EnvChromePath: chromePath, "PATH": list(chromium)}, want: chromePath, source: EnvChromePath},
		{name: "then the list, in its own order", env: map[string]string{"PATH": list(brave, chromium, chrome)}, want: chrome, source: "discovered"},
		{name: "what is not executable is passed over", env: map[string]string{"PATH": list(chromium)}, want: chromium, source: "discovered"},
		{name: "Brave is last", env: map[string]string{"PATH": list(brave)}, want: brave, source: "discovered"},
		{name: "no engine", env: map[string]string{"PATH": list(plain)}, cause: CauseNoEngine, code: messages.CodeEngineUnavailable},
		{name: "relative entries do not count", env: map[string]string{"PATH": "."}, cause: CauseNoEngine, code: messages.CodeEngineUnavailable},
		{name: "an override that is not there", env: map[string]string{EnvBrowser: filepath.Join(dir, "none"), "PATH": list(chromium)}, cause: CauseOverride, code: messages.CodeEngineOverride},
		{name: "an override that is a directory", configured: dir, cause: CauseOverride, code: messages.CodeEngineOverride},
		{name: "an override that cannot be run", env: map[string]string{EnvChromePath: plain}, cause: CauseOverride, code: messages.CodeEngineOverride},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := Discover(DiscoverOptions{Path: row.configured, Getenv: func(name string) string { return row.env[name] }})
			if row.cause == "" {
				if err != nil || got.Path != row.want || got.Source != row.source {
					t.Fatalf("got %+v, %v", got, err)
				}
				return
			}
			var e *LaunchError
			if !errors.As(err, &e) || e.Cause != row.cause || e.Report.Code != row.code || e.Report.State != messages.NotStarted {
				t.Fatalf("got %+v, %v", got, err)
			}
		})
	}
}

// Debian's script is passed over only where nothing of the machine's owner is lost.
func TestUnwrapDebian(t *testing.T) {
	dir := t.TempDir()
	script := program(t, filepath.Join(dir, "bin", "chromium"), "#!/bin/sh\n")
	binary := program(t, filepath.Join(dir, "lib", "chromium"), "\x7fELF")
	config := filepath.Join(dir, "conf")
	for _, name := range debianOwnConfig {
		program(t, filepath.Join(config, name), "")
	}
	if got := unwrapDebian(script, binary, config); got != binary {
		t.Errorf("got %s", got)
	}
	if got := unwrapDebian(script, binary, filepath.Join(dir, "no-conf")); got != binary {
		t.Errorf("without a configuration: %s", got)
	}
	if got := unwrapDebian(script, script, config); got != script {
		t.Errorf("what it starts is no binary: %s", got)
	}
	if got := unwrapDebian(binary, binary, config); got != binary {
		t.Errorf("what is found is no script: %s", got)
	}
	program(t, filepath.Join(config, "proxy"), "")
	if got := unwrapDebian(script, binary, config); got != script {
		t.Errorf("with a setting of the owner: %s", got)
	}
}
