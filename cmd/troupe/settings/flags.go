package settings

import (
	"strings"

	"github.com/spf13/pflag"
)

// Where the path of the configuration file is named. It is no setting, since it stands before all of them.
const (
	configFlag     = "config"
	configVariable = "TROUPE_CONFIG"
)

// AddFlags adds the flags of the settings: of those that every command has when command is "", with --config, else of
// those that the named command alone has.
func AddFlags(flags *pflag.FlagSet, command string) {
	if command == "" {
		flags.String(configFlag, "", "configuration file ("+configVariable+")")
	}
	for i := range all {
		if s := &all[i]; s.flag != "" && s.command == command {
			s.addFlag(flags)
		}
	}
}

func (s *setting) addFlag(flags *pflag.FlagSet) {
	switch {
	case s.flagMeans != "":
		flags.Bool(s.flag, false, s.flagSays)
	case s.form == formSwitch:
		flags.Bool(s.flag, false, s.says)
	case s.form == formList:
		flags.StringSlice(s.flag, nil, s.says+" (repeatable)")
	case s.form == formTable:
		flags.StringSlice(s.flag, nil, s.says+", as name=path (repeatable)")
	case s.choices != nil:
		flags.String(s.flag, "", s.says+": "+strings.Join(s.choices, ", "))
	default:
		flags.String(s.flag, "", s.says)
	}
}

// FlagText returns the value of a flag as it is written after --name=.
func FlagText(f *pflag.Flag) string {
	if list, isList := f.Value.(pflag.SliceValue); isList {
		return strings.Join(list.GetSlice(), ",")
	}
	return f.Value.String()
}

// overrideByFlags puts what the given flags say in the place of what the other layers said.
func overrideByFlags(effective Values, flags *pflag.FlagSet) error {
	for i := range all {
		s := &all[i]
		f := flags.Lookup(s.flag)
		if s.flag == "" || f == nil || !f.Changed {
			continue
		}
		text := FlagText(f)
		if s.flagMeans != "" {
			if text != "true" {
				continue
			}
			text = s.flagMeans
		}
		v, err := s.fromText(text, fromFlag+" --"+s.flag)
		if err != nil {
			return err
		}
		effective[s.key] = v
	}
	return nil
}
