package verbs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

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
	a := &program.App{State: t.TempDir()}
	if err := a.CleanStaging(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub/good.txt", "./sub/../sub/good.txt", filepath.Join(workspace, "sub/good.txt")} {
		staged, err := stage(a, name)
		if err != nil {
			t.Errorf("%s gives %v", name, err)
			continue
		}
		if messages.CheckUploadPath(staged) != nil || filepath.Base(staged) != "good.txt" {
			t.Errorf("%s is staged as %s", name, staged)
		}
		if info, err := os.Stat(filepath.Join(a.StagingDirectory(), staged)); err != nil || info.Size() != 5 || info.Mode().Perm() != 0o600 {
			t.Errorf("the copy is %v, %v", info, err)
		}
	}
	for name, want := range map[string]messages.Code{
		"../outside.txt": messages.CodeUploadPathEscape, outside: messages.CodeUploadPathEscape, "link.txt": messages.CodeUploadFileUnavailable,
		"missing.txt": messages.CodeUploadFileUnavailable, "sub": messages.CodeUploadFileInvalid, "large.bin": messages.CodeUploadFileTooLarge,
	} {
		_, err := stage(a, name)
		var refused *messages.Error
		if !errors.As(err, &refused) || refused.Code != want {
			t.Errorf("%s gives %v, want %s", name, err, want)
		}
	}
}
