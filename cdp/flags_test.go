package cdp

import (
	"slices"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	config := LaunchConfig{Headless: true, Args: []string{"--proxy-server=p:1", "--enable-features=A,Translate"}}
	config.fill()
	args := config.arguments("/data", []string{"--remote-debugging-pipe"})
	for _, want := range []string{"--remote-debugging-pipe", "--user-data-dir=/data", "--headless=new", "--window-size=1280,800", "--proxy-server=p:1"} {
		if !slices.Contains(args, want) {
			t.Errorf("%s is missing in %v", want, args)
		}
	}
	if slices.Contains(args, "--no-sandbox") {
		t.Error("the sandbox was turned off")
	}
	seen := map[string]bool{}
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if seen[name] {
			t.Errorf("%s is there twice; the browser takes the last", name)
		}
		seen[name] = true
	}
	if args[len(args)-1] != "about:blank" {
		t.Errorf("the last argument is %s", args[len(args)-1])
	}
	config = LaunchConfig{NoSandbox: true}
	config.fill()
	args = config.arguments("/data", nil)
	if !slices.Contains(args, "--no-sandbox") {
		t.Error("the sandbox was not turned off")
	}
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--headless") || a == "--mute-audio" }) {
		t.Errorf("a visible browser got %v", args)
	}
}

func TestMergeFeatures(t *testing.T) {
	for _, row := range []struct {
		args            []string
		enable, disable string // that must be there
		not             string // that must be nowhere in the other list
	}{
		{nil, "ComputedAccessibilityInfo", "Translate", ""},
		{[]string{"--enable-features=A,,B:p/1"}, "ComputedAccessibilityInfo,A,B:p/1", "Translate", ""},
		{[]string{"--enable-features=Translate<Trial"}, "ComputedAccessibilityInfo,Translate<Trial", "MediaRouter", "Translate"},
		{[]string{"--disable-features=ComputedAccessibilityInfo", "--disable-features=C"}, "", "Translate", "ComputedAccessibilityInfo"},
	} {
		var enable, disable string
		for _, a := range mergeFeatures(row.args) {
			if list, ok := strings.CutPrefix(a, "--enable-features="); ok {
				enable += list
			} else if list, ok := strings.CutPrefix(a, "--disable-features="); ok {
				disable += list
			}
		}
		if enable != row.enable || !strings.Contains(disable, row.disable) {
			t.Errorf("%v: enable %s, disable %s", row.args, enable, disable)
		}
		if row.not == "Translate" && slices.Contains(strings.Split(disable, ","), row.not) {
			t.Errorf("%v: %s is still disabled", row.args, row.not)
		}
		if row.not == "ComputedAccessibilityInfo" && strings.Contains(enable, row.not) {
			t.Errorf("%v: %s is still enabled", row.args, row.not)
		}
	}
}

func TestCheckArguments(t *testing.T) {
	for _, bad := range []string{
		"--remote-debugging-port=0", "--remote-debugging-pipe", "--user-data-dir=/x", "--headless", "--headless=old",
		"http://a.test/", "-x", "--", "--=x", "",
	} {
		if err := checkArguments([]string{"--fine", bad}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if err := checkArguments([]string{"--proxy-server=p:1", "--load-extension=/x", "--no-sandbox"}); err != nil {
		t.Error(err)
	}
}
