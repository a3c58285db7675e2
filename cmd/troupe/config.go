package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func (a *app) configCommand() *cobra.Command {
	var asJSON, about bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the effective configuration and where each value came from",
		Long: "Print every setting with its value and the layer that said it. A flag beats the environment (TROUPE_ and the\n" +
			"key in upper case), which beats the file: --config, TROUPE_CONFIG, or troupe/config.toml below the XDG\n" +
			"configuration directory. For the browser's path alone the file comes before the environment.",
		Example: "  troupe config\n  troupe config --about\n  TROUPE_SANDBOX=off troupe config",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				encoder := json.NewEncoder(a.out)
				encoder.SetIndent("", "  ")
				return encoder.Encode(slices.Collect(a.settings.All()))
			}
			w := tabwriter.NewWriter(a.out, 0, 8, 2, ' ', 0)
			for s := range a.settings.All() {
				if s.Key == "state_dir" && s.Text == "" {
					s.Text = a.state
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
