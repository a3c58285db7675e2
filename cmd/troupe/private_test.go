package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/internal/filelock"
	"github.com/troupe-browser/troupe/messages"
)

// Only one process holds the lock.
func TestLockFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockFile(path); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("the second gives %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := lockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestSocketPathIsChecked(t *testing.T) {
	if _, err := listenPrivate(filepath.Join(t.TempDir(), strings.Repeat("x", 120))); err == nil || !strings.Contains(err.Error(), "--state-dir") {
		t.Errorf("a path that is too long gives %v", err)
	}
}

// Only files below the working directory are staged, whatever the path or a link says; the copy is private.
func TestStage(t *testing.T) {
	workspace, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside.txt")
	t.Chdir(workspace)
	write := func(name string, size int) {
		t.Helper()
		if err := os.WriteFile(name, make([]byte, size), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, 1)
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	write("sub/good.txt", 5)
	write("large.bin", messages.UploadBytesMax+1)
	if err := os.Symlink(outside, "link.txt"); err != nil {
		t.Fatal(err)
	}
	a := &app{state: t.TempDir()}
	if err := a.cleanStaging(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub/good.txt", "./sub/../sub/good.txt", filepath.Join(workspace, "sub/good.txt")} {
		staged, err := a.stage(name)
		if err != nil {
			t.Errorf("%s gives %v", name, err)
			continue
		}
		if messages.CheckUploadPath(staged) != nil || filepath.Base(staged) != "good.txt" {
			t.Errorf("%s is staged as %s", name, staged)
		}
		if info, err := os.Stat(filepath.Join(a.stagingDirectory(), staged)); err != nil || info.Size() != 5 || info.Mode().Perm() != 0o600 {
			t.Errorf("the copy is %v, %v", info, err)
		}
	}
	for name, want := range map[string]messages.Code{
		"../outside.txt": messages.CodeUploadPathEscape, outside: messages.CodeUploadPathEscape, "link.txt": messages.CodeUploadFileUnavailable,
		"missing.txt": messages.CodeUploadFileUnavailable, "sub": messages.CodeUploadFileInvalid, "large.bin": messages.CodeUploadFileTooLarge,
	} {
		_, err := a.stage(name)
		var refused *messages.Error
		if !errors.As(err, &refused) || refused.Code != want {
			t.Errorf("%s gives %v, want %s", name, err, want)
		}
	}
}

// A text of a page cannot write on the terminal, break the table, or pass for a column of ours.
func TestSaid(t *testing.T) {
	for given, want := range map[string]string{
		"Orders":                      `"Orders"`,
		"x\npg_2  complete  \"Bank\"": `"x\npg_2  complete  \"Bank\""`,
		strings.Repeat("x", 200):      `"` + strings.Repeat("x", 100) + `"...`,
	} {
		if got := said(given); got != want {
			t.Errorf("%q becomes %s, want %s", given, got, want)
		}
	}
	if got, want := indented("a\ntroupe: done\x1b[0m"), "  a\n  troupe: done\\x1b[0m"; got != want {
		t.Errorf("a body is shown as %q, want %q", got, want)
	}
}

// A text cannot write on the terminal or break the table.
func TestCell(t *testing.T) {
	for given, want := range map[string]string{
		"plain":                   "plain",
		"two\nlines\tand a tab":   `two\nlines\tand a tab`,
		"\x1b[31mred\x07\u009b1m": `\x1b[31mred\a\u009b1m`,
		"evil\u202egnp.exe":       `evil\u202egnp.exe`,
		strings.Repeat("x", 200):  strings.Repeat("x", 100) + "...",
		strings.Repeat("漢", 60):   strings.Repeat("漢", 50) + "...",
	} {
		if got := cell(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}

// The search for marked secrets is worth something only when it finds one that leaked.
func TestSecretIsFound(t *testing.T) {
	text := `{"message":"no option \"` + strings.ToUpper(secret("a-b2")) + `\""}`
	if got := secretFound.FindAllString(text, -1); len(got) != 1 || !strings.EqualFold(got[0], secret("a-b2")) {
		t.Errorf("found %q", got)
	}
}
