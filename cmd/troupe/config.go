package main

import (
	"encoding/json"
	"fmt"
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
				return a.printConfigJSON()
			}
			w := tabwriter.NewWriter(a.out, 0, 8, 2, ' ', 0)
			for i := range allSettings {
				s := &allSettings[i]
				v := a.settings[s.key]
				shown := v.show()
				if s.key == "state_dir" && shown == "" {
					shown = a.state
				}
				if about {
					fmt.Fprintf(w, "%s\t%s\t%s\n", s.key, shown, s.says)
				} else {
					fmt.Fprintf(w, "%s\t%s\t(%s)\n", s.key, shown, v.source)
				}
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&about, "about", false, "say what each setting does")
	return cmd
}

func (a *app) printConfigJSON() error {
	type shown struct {
		Key    string `json:"key"`
		Value  any    `json:"value"`
		Source string `json:"source"`
	}
	out := []shown{}
	for i := range allSettings {
		v := a.settings[allSettings[i].key]
		entry := shown{allSettings[i].key, v.text, v.source}
		switch {
		case v.table != nil:
			entry.Value = v.table
		case allSettings[i].form == formList:
			entry.Value = append([]string{}, v.list...)
		}
		out = append(out, entry)
	}
	encoder := json.NewEncoder(a.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}
