package operate

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// VersionCommand is `troupe version`.
func VersionCommand(a *program.App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  troupe version",
		Args:    program.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.Out, "troupe %s (%s, %s/%s)\n", program.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
