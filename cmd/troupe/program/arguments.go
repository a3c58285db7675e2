package program

import (
	"strings"

	"github.com/spf13/cobra"
)

// Misused says what is wrong with a call and shows how it is written.
func Misused(cmd *cobra.Command, what, example string) error {
	first, _, _ := strings.Cut(strings.TrimSpace(example), "\n")
	_, usage, _ := strings.Cut(cmd.Use, " ")
	name := strings.TrimPrefix(cmd.CommandPath(), "troupe ")
	return Usagef("%s: %s. Write it as in: %s\nUsage: %s", name, what, first, strings.TrimSpace(cmd.CommandPath()+" "+usage))
}

// NoArguments refuses arguments where there are none, with an example.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Misused(cmd, "it takes no arguments", cmd.Example)
}

// UnknownVerb refuses a command that is given without one of its subcommands.
func UnknownVerb(says string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usagef("%s: something is missing: %s", cmd.Name(), says)
		}
		return Usagef("%s has no %q: %s", cmd.Name(), ClampWord(args[0]), says)
	}
}

// Exactly demands n arguments and says otherwise what to write.
func Exactly(n int, says string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return UsageError{says}
		}
		return nil
	}
}
