package cdp

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// sharedMemoryMin is the free space in bytes that /dev/shm must have to be used
// by the browser, which otherwise crashes on large pages. Debian's own launcher uses
// the same figure.
const sharedMemoryMin = 4_080_218_931

// ownSwitches are set by the runtime alone; an operator's argument that repeats one
// is refused, because it would take the browser out of the runtime's hands.
var ownSwitches = []string{
	"remote-debugging-pipe", "remote-debugging-port", "remote-debugging-address",
	"remote-debugging-io-pipes", "user-data-dir", "headless",
}

// checkArguments refuses arguments that are no switches or are the runtime's own.
func checkArguments(args []string) error {
	for _, a := range args {
		name, isSwitch := strings.CutPrefix(a, "--")
		name, _, _ = strings.Cut(name, "=")
		if !isSwitch || name == "" || slices.Contains(ownSwitches, name) {
			return launchError(CauseArgument, fmt.Sprintf("argument %q", a))
		}
	}
	return nil
}

// arguments returns the command line of the browser, without the executable.
func (c *LaunchConfig) arguments(dataDir string, pipe []string) []string {
	args := slices.Concat(pipe, []string{
		"--user-data-dir=" + dataDir,
		"--no-first-run",
		"--no-default-browser-check",
		// Nothing may be fetched or reported behind the user's back: it costs time
		// at start and shows up as traffic that no page caused.
		"--disable-background-networking",
		"--disable-component-update",
		"--disable-sync",
		"--disable-default-apps",
		"--disable-client-side-phishing-detection",
		"--disable-domain-reliability",
		"--disable-breakpad",
		"--no-pings",
		"--metrics-recording-only",
		// No dialogs of the browser's own that a page's user would have to answer.
		"--disable-search-engine-choice-screen",
		"--disable-hang-monitor",
		"--password-store=basic",
		// Pages in the background must run as a watched page does.
		"--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows",
		"--disable-renderer-backgrounding",
		"--disable-quic",
		fmt.Sprintf("--window-size=%d,%d", c.WindowWidth, c.WindowHeight),
	})
	if runtime.GOOS == "darwin" {
		args = append(args, "--use-mock-keychain")
	}
	if c.Headless {
		args = append(args,
			"--headless=new",
			"--disable-gpu",
			"--hide-scrollbars", // they differ between systems and only cover content
			"--mute-audio",
			"--force-color-profile=srgb",
		)
	}
	if c.NoSandbox {
		args = append(args, "--no-sandbox")
	}
	if free, known := sharedMemoryFree(); known && free < sharedMemoryMin {
		args = append(args, "--disable-dev-shm-usage")
	}
	args = append(args, mergeFeatures(c.Args)...)
	return append(args, "about:blank")
}

// The features that every browser gets. ComputedAccessibilityInfo lets the page
// walker read the browser's own roles and names and, set this way, shows no bar.
var (
	enabledFeatures  = []string{"ComputedAccessibilityInfo"}
	disabledFeatures = []string{"Translate", "MediaRouter", "OptimizationHints", "AutofillServerCommunication", "InterestFeedContentSuggestions", "CertificateTransparencyComponentUpdater"}
)

// mergeFeatures returns the operator's arguments with their feature lists joined to
// ours, because the browser takes only the last of several lists. A feature
// that the operator names is taken out of our opposite list.
func mergeFeatures(args []string) []string {
	enable, disable := slices.Clone(enabledFeatures), slices.Clone(disabledFeatures)
	var rest []string
	for _, a := range args {
		if list, ok := strings.CutPrefix(a, "--enable-features="); ok {
			enable, disable = join(enable, disable, list)
		} else if list, ok := strings.CutPrefix(a, "--disable-features="); ok {
			disable, enable = join(disable, enable, list)
		} else {
			rest = append(rest, a)
		}
	}
	out := []string{}
	if len(enable) > 0 {
		out = append(out, "--enable-features="+strings.Join(enable, ","))
	}
	if len(disable) > 0 {
		out = append(out, "--disable-features="+strings.Join(disable, ","))
	}
	return append(out, rest...)
}

// join adds the features of a comma-separated list to one list and removes them
// from its opposite.
func join(to, from []string, list string) (longer, shorter []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name == "" {
			continue
		}
		// A feature may carry parameters: Name<Trial or Name:param/value.
		plain := name
		if i := strings.IndexAny(name, "<:"); i >= 0 {
			plain = name[:i]
		}
		from = slices.DeleteFunc(from, func(f string) bool { return f == plain })
		if !slices.Contains(to, name) {
			to = append(to, name)
		}
	}
	return to, from
}
