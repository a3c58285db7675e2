package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pagebuild:", err)
		os.Exit(1)
	}
}

// run writes the tables, and then every bundle, of the module that the working directory belongs to.
func run() error {
	file, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return fmt.Errorf("the go command does not name go.mod: %w", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(file)))
	for _, table := range tables {
		text, err := tablesModule(table.values())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(table.output)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, b := range bundles {
		script, err := b.build(root)
		if err != nil {
			return err
		}
		output := filepath.Join(root, filepath.FromSlash(b.output))
		if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(output, []byte(script), 0o644); err != nil {
			return err
		}
	}
	return nil
}
