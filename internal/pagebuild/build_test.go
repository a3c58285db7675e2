package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
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

// The checked-in tables are those that Go goes by.
func TestTablesAreFresh(t *testing.T) {
	t.Parallel()
	for _, table := range tables {
		want, err := tablesModule(table.values())
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../..", table.output))
		if err != nil {
			t.Errorf("%v. Run go generate ./...", err)
		} else if string(got) != want {
			t.Errorf("%s is stale. Run go generate ./...", table.output)
		}
	}
}

// Each kind of value has one form in JavaScript, and others are refused.
func TestLiterals(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		value any
		want  string
	}{
		{1500 * time.Millisecond, "1500"},
		{64 << 10, "65536"},
		{"a \"b\"", `"a \"b\""`},
		{regexp.MustCompile(`^a/\P{L}`), `/^a\/\P{L}/u`},
		{[]string{"b", "a"}, "[\n  \"b\", \"a\",\n]"},
		{map[string]bool{"b": true, "a": true, "c": false}, "new Set([\n  \"a\", \"b\",\n])"},
	} {
		if got, err := literal(row.value); got != row.want || err != nil {
			t.Errorf("literal(%v) is %s, %v, want %s", row.value, got, err, row.want)
		}
	}
	if text, err := literal(1.5); err == nil {
		t.Errorf("a float became %s, want a refusal", text)
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
