package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The checked-in scripts are those that the modules give.
func TestBundlesAreFresh(t *testing.T) {
	t.Parallel()
	for _, b := range bundles {
		want, err := b.build("../..")
		if err != nil {
			t.Errorf("%s: %v", b.entry, err)
			continue
		}
		got, err := os.ReadFile(filepath.Join("../..", b.output))
		if err != nil {
			t.Errorf("%v. Run go generate ./...", err)
		} else if string(got) != want {
			t.Errorf("%s is stale. Run go generate ./...", b.output)
		}
	}
}

// A bundle that imports what no module exports is not built.
func TestMissingExportFails(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"a.js": `import { gone } from "./b.js"; gone();`, "b.js": `export const here = 1;`} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := bundle{entry: "a.js"}.build(root)
	if err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("the build says %v, want an error that names gone", err)
	}
}
