package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// Every command has a help text with an example.
func TestEveryCommandHasAnExample(t *testing.T) {
	a := &program.App{Streams: program.Streams{Out: io.Discard, Err: io.Discard}}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Example == "" || c.Short == "" {
			t.Errorf("%s has no example or no short text", c.CommandPath())
		}
		for _, line := range strings.Split(c.Example, "\n") {
			if line != "" && !strings.Contains(line, "troupe") {
				t.Errorf("%s: the example %q is no command line", c.CommandPath(), line)
			}
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(rootCommand(a))
}
