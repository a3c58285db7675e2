package page

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// downloadsRoot is the name of the runtime's own upload root: what was downloaded
// can be uploaded again (R134).
const downloadsRoot = "downloads"

// fileRoots resolves uploads to files below the operator's roots. It implements
// effect.FileRoots, holds nothing open, and is safe to use from any runner.
type fileRoots struct{ roots map[string]string }

// newFileRoots returns the roots for one browser, whose own downloads are one of them.
func newFileRoots(config kernel.Config, browser messages.BrowserID) *fileRoots {
	roots := map[string]string{downloadsRoot: engine.DownloadStore(config, browser).Dir}
	for name, dir := range config.UploadRoots {
		if name != downloadsRoot {
			roots[name] = dir
		}
	}
	return &fileRoots{roots: roots}
}

// Resolve checks an upload and returns the file's absolute path, free of links
// (R134, C24): normal components only, inside the root also after links are
// followed, no name that looks like a secret's, a regular file of at most
// messages.UploadBytesMax. An empty root is the only one that the operator
// configured.
func (f *fileRoots) Resolve(root, path string) (string, *messages.Error) {
	dir, refusal := f.directory(root)
	if refusal != nil {
		return "", refusal
	}
	if refusal := messages.CheckUploadPath(path); refusal != nil {
		return "", refusal
	}
	if messages.SecretName(path) {
		return "", messages.NewError(messages.CodeUploadSensitivePath, "")
	}
	opened, err := os.OpenRoot(dir)
	if err != nil {
		return "", messages.NewError(messages.CodeUploadProjectUnavailable, "").WithOperator(err.Error())
	}
	defer func() { _ = opened.Close() }() // only read from
	info, err := opened.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", messages.NewError(messages.CodeUploadFileUnavailable, "")
	case err != nil && leavesRoot(dir, path):
		return "", messages.NewError(messages.CodeUploadPathEscape, "")
	case err != nil:
		return "", messages.NewError(messages.CodeUploadFileUnavailable, "").WithOperator(err.Error())
	case !info.Mode().IsRegular():
		return "", messages.NewError(messages.CodeUploadFileInvalid, "")
	case info.Size() > messages.UploadBytesMax:
		return "", messages.NewError(messages.CodeUploadFileTooLarge, "")
	}
	return realPath(dir, path, info)
}

func (f *fileRoots) directory(root string) (string, *messages.Error) {
	if root == "" {
		for name := range f.roots {
			if name == downloadsRoot {
				continue
			}
			if root != "" {
				return "", messages.NewError(messages.CodeUploadProjectUnavailable, "There are several upload roots. Name one in root.")
			}
			root = name
		}
	}
	dir := f.roots[root]
	if dir == "" {
		return "", messages.NewError(messages.CodeUploadProjectUnavailable, "")
	}
	return dir, nil
}

// realPath returns the path without links, once it is proved to be the same file
// and still inside the root.
func realPath(dir, path string, seen fs.FileInfo) (string, *messages.Error) {
	base, err := filepath.EvalSymlinks(dir)
	if err == nil {
		base, err = filepath.Abs(base)
	}
	if err != nil {
		return "", messages.NewError(messages.CodeUploadProjectUnavailable, "").WithOperator(err.Error())
	}
	full, err := filepath.EvalSymlinks(filepath.Join(base, filepath.FromSlash(path)))
	if err != nil {
		return "", messages.NewError(messages.CodeUploadFileUnavailable, "").WithOperator(err.Error())
	}
	inside, err := filepath.Rel(base, full)
	if err != nil || !filepath.IsLocal(inside) {
		return "", messages.NewError(messages.CodeUploadPathEscape, "")
	}
	if messages.SecretName(filepath.ToSlash(inside)) {
		return "", messages.NewError(messages.CodeUploadSensitivePath, "")
	}
	secret, err := keyInside(full, seen)
	switch {
	case err != nil:
		return "", messages.NewError(messages.CodeUploadFileUnavailable, "")
	case secret:
		return "", messages.NewError(messages.CodeUploadSensitivePath, "The file holds a private key, whatever its name is.")
	}
	if !utf8.ValidString(full) {
		return "", messages.NewError(messages.CodeUploadPathUnrepresentable, "")
	}
	return full, nil
}

// keyInside reports whether the file begins as a private key does (C24). It fails when
// the file can't be read or is another than the one that was looked at.
func keyInside(path string, seen fs.FileInfo) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // only read from
	if now, err := file.Stat(); err != nil || !os.SameFile(seen, now) {
		return false, errors.Join(err, fs.ErrNotExist)
	}
	head := make([]byte, messages.SecretHeadBytes)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return messages.SecretContent(head[:n]), nil
}

// leavesRoot reports whether a path that could not be opened inside the root leads
// out of it.
func leavesRoot(dir, path string) bool {
	base, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	full, err := filepath.EvalSymlinks(filepath.Join(base, filepath.FromSlash(path)))
	if err != nil {
		return false
	}
	inside, err := filepath.Rel(base, full)
	return err != nil || !filepath.IsLocal(inside)
}
