package operate

import (
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// ConfigCommand is `troupe config`, which prints each setting with the layer that said it.
func ConfigCommand(a *program.App) *cobra.Command {
	var asJSON, about bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the effective configuration and where each value came from",
		Long: "Print every setting with its value and the layer that said it. A flag beats the environment (TROUPE_ and the\n" +
			"key in upper case), which beats the file: --config, TROUPE_CONFIG, or troupe/config.toml below the XDG\n" +
			"configuration directory. For the browser's path alone the file comes before the environment.",
		Example: "  troupe config\n  troupe config --about\n  TROUPE_SANDBOX=off troupe config",
		Args:    program.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				encoder := json.NewEncoder(a.Out)
				encoder.SetIndent("", "  ")
				return encoder.Encode(slices.Collect(a.Settings.All()))
			}
			w := tabwriter.NewWriter(a.Out, 0, 8, 2, ' ', 0)
			for s := range a.Settings.All() {
				if s.Key == "state_dir" && s.Text == "" {
					s.Text = a.State
				}
				if about {
					fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, s.Text, s.Says)
				} else {
					fmt.Fprintf(w, "%s\t%s\t(%s)\n", s.Key, s.Text, s.Source)
				}
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&about, "about", false, "say what each setting does")
	return cmd
}
