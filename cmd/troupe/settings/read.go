package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"
)

// configBytesMax bounds the configuration file; a larger one is refused.
const configBytesMax = 256 << 10

// Load returns the effective Values: the defaults, then the file, the environment and the flags that were given.
func Load(flags *pflag.FlagSet) (Values, error) {
	effective := Values{}
	for i := range all {
		s := &all[i]
		v, err := s.fromText(s.initial, fromDefault)
		if err != nil && s.initial != "" {
			return nil, err
		}
		effective[s.key] = v
	}
	fromFile, err := readFile(flags)
	if err != nil {
		return nil, err
	}
	maps.Copy(effective, fromFile)
	for i := range all {
		s := &all[i]
		text, set := os.LookupEnv(s.environment())
		if _, inFile := fromFile[s.key]; !set || text == "" || s.fileFirst && inFile {
			continue
		}
		if effective[s.key], err = s.fromText(text, s.environment()); err != nil {
			return nil, err
		}
	}
	return effective, overrideByFlags(effective, flags)
}

// readFile reads the file that --config or TROUPE_CONFIG names, which must exist, or the one at its usual place, which
// may be absent.
func readFile(flags *pflag.FlagSet) (Values, error) {
	path, named := os.Getenv(configVariable), true
	if flag := flags.Lookup(configFlag); flag != nil && flag.Value.String() != "" {
		path = flag.Value.String()
	}
	if path == "" {
		named, path = false, filepath.Join(configHome(), "troupe", "config.toml")
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return Values{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("configuration file: %w", err)
	}
	if info.Size() > configBytesMax {
		return nil, fmt.Errorf("configuration file %s has %d bytes; at most %d are read", path, info.Size(), configBytesMax)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("configuration file: %w", err)
	}
	return parseFile(text, path)
}

// parseFile reads a file's keys. An unknown key is refused, since a misspelt one would silently do nothing.
func parseFile(text []byte, path string) (Values, error) {
	var raw map[string]any
	if err := toml.Unmarshal(text, &raw); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			row, column := at.Position()
			return nil, fmt.Errorf("%s:%d:%d: %w", path, row, column, err)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := Values{}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		s := named(key)
		if s == nil {
			return nil, fmt.Errorf("%s: unknown key %q. The keys are %s", path, key, strings.Join(keys(), ", "))
		}
		v, err := s.fromFile(raw[key], path)
		if err != nil {
			return nil, err
		}
		out[key] = v
	}
	return out, nil
}

// fromFile reads a value as the file's own types have it.
func (s *setting) fromFile(raw any, path string) (value, error) {
	wrong := func(want string) (value, error) { return value{}, fmt.Errorf("%s: %s must be %s", path, s.key, want) }
	switch s.form {
	case formList:
		items, ok := raw.([]any)
		if !ok {
			return wrong("a list of strings")
		}
		v := value{list: []string{}, source: path}
		for _, item := range items {
			text, ok := item.(string)
			if !ok {
				return wrong("a list of strings")
			}
			v.list = append(v.list, text)
		}
		return v, s.check(v)
	case formTable:
		items, ok := raw.(map[string]any)
		if !ok {
			return wrong("a table of names and paths")
		}
		v := value{table: map[string]string{}, source: path}
		for name, item := range items {
			if v.table[name], ok = item.(string); !ok {
				return wrong("a table of names and paths")
			}
		}
		return v, s.check(v)
	}
	switch raw := raw.(type) {
	case string:
		if s.form == formNumber || s.form == formSwitch {
			return wrong("a number or a boolean without quotes")
		}
		return s.fromText(raw, path)
	case bool:
		if s.form == formSwitch {
			return s.fromText(strconv.FormatBool(raw), path)
		}
	case int64:
		if s.form == formNumber {
			return s.fromText(strconv.FormatInt(raw, 10), path)
		}
	}
	return wrong(map[form]string{formText: "a string", formSwitch: "true or false", formNumber: "a number", formDuration: `a string such as "30m"`}[s.form])
}

func keys() []string {
	out := make([]string, len(all))
	for i := range all {
		out[i] = all[i].key
	}
	return out
}

// configHome returns the directory of the configuration file.
func configHome() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home + "/.config"
}
