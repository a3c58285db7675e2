package page

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// What may be uploaded: regular files inside the root, also after links (R134).
func TestFileRoots(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	write := func(dir, name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, "private.txt")
	write(root, "a.txt")
	write(root, "dir/b.txt")
	write(root, ".env")
	write(root, ".ssh/known")
	write(root, "server.key")
	if err := os.WriteFile(filepath.Join(root, "plain.txt"), []byte("-----BEGIN OPENSSH PRIVATE KEY-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	write(root, "Login Data (1)")
	link("a.txt", "inner")
	link(filepath.Join(outside, "private.txt"), "outer")
	link(outside, "outerdir")
	link("server.key", "innocent.txt")
	link("missing", "broken")
	if err := os.Truncate(filepath.Join(root, "dir/b.txt"), messages.UploadBytesMax); err != nil {
		t.Fatal(err)
	}
	write(root, "large")
	if err := os.Truncate(filepath.Join(root, "large"), messages.UploadBytesMax+1); err != nil {
		t.Fatal(err)
	}
	files := newFileRoots(kernel.Config{StateDir: t.TempDir(), UploadRoots: map[string]string{"docs": root}}, "br_x")
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"a.txt": "a.txt", "inner": "a.txt", "dir/b.txt": "dir/b.txt"} {
		got, refusal := files.Resolve("", path)
		if refusal != nil || got != filepath.Join(real, want) {
			t.Errorf("%s gives %q, %v", path, got, refusal)
		}
	}
	for path, want := range map[string]messages.Code{
		"../a": messages.CodeInvalidUploadPath, "/etc/passwd": messages.CodeInvalidUploadPath, "dir//b.txt": messages.CodeInvalidUploadPath,
		"nothing": messages.CodeUploadFileUnavailable, "broken": messages.CodeUploadFileUnavailable, "dir": messages.CodeUploadFileInvalid,
		"outer": messages.CodeUploadPathEscape, "outerdir/private.txt": messages.CodeUploadPathEscape, "large": messages.CodeUploadFileTooLarge,
		".env": messages.CodeUploadSensitivePath, ".ssh/known": messages.CodeUploadSensitivePath, "server.key": messages.CodeUploadSensitivePath,
		"innocent.txt": messages.CodeUploadSensitivePath, "plain.txt": messages.CodeUploadSensitivePath, "Login Data (1)": messages.CodeUploadSensitivePath,
	} {
		if _, refusal := files.Resolve("docs", path); refusal == nil || refusal.Code != want {
			t.Errorf("%s is refused with %v, want %s", path, refusal, want)
		}
	}
	if _, refusal := files.Resolve("other", "a.txt"); refusal == nil || refusal.Code != messages.CodeUploadProjectUnavailable {
		t.Errorf("an unknown root: %v", refusal)
	}
	two := newFileRoots(kernel.Config{UploadRoots: map[string]string{"docs": root, "more": outside}}, "br_x")
	if _, refusal := two.Resolve("", "a.txt"); refusal == nil || refusal.Code != messages.CodeUploadProjectUnavailable {
		t.Errorf("no root named of two: %v", refusal)
	}
}
