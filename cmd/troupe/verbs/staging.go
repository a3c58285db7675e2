package verbs

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// The command line may upload from the directory that it is run in (R230), but the daemon, which reads the file, was
// started somewhere else. So the verb opens the file through its own directory, where no path can lead out of it, and
// hands the daemon a copy in a private directory of the state, which is one of the runtime's upload roots. The page reads
// the copy when its form is sent; it is removed when the next daemon starts.

// stage copies a file from below the working directory and returns the copy's path in the staging root.
func stage(a *program.App, name string) (string, error) {
	workspace, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the working directory: %w", err)
	}
	if filepath.IsAbs(name) {
		if name, err = filepath.Rel(workspace, name); err != nil {
			return "", messages.NewError(messages.CodeUploadPathEscape, "")
		}
	}
	if !filepath.IsLocal(name) {
		return "", messages.NewError(messages.CodeUploadPathEscape, "Only files below the directory that the command is run in can be uploaded.")
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return "", fmt.Errorf("the working directory: %w", err)
	}
	defer func() { _ = root.Close() }() // it was only read
	source, err := root.Open(name)
	if err != nil {
		return "", messages.NewError(messages.CodeUploadFileUnavailable, "%s cannot be opened below the working directory.", filepath.Base(name))
	}
	defer func() { _ = source.Close() }() // it was only read
	info, err := source.Stat()
	switch {
	case err != nil || !info.Mode().IsRegular():
		return "", messages.NewError(messages.CodeUploadFileInvalid, "")
	case info.Size() > messages.UploadBytesMax:
		return "", messages.NewError(messages.CodeUploadFileTooLarge, "")
	}
	return copyStaged(a, source, filepath.Base(name))
}

func copyStaged(a *program.App, source io.Reader, base string) (string, error) {
	part := rand.Text()
	dir := filepath.Join(a.StagingDirectory(), part)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("staged uploads: %w", err)
	}
	staged, err := os.OpenFile(filepath.Join(dir, base), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fmt.Errorf("staged uploads: %w", err)
	}
	n, err := io.Copy(staged, io.LimitReader(source, messages.UploadBytesMax+1))
	if err = errors.Join(err, staged.Close()); err != nil {
		return "", fmt.Errorf("staged uploads: %w", err)
	}
	if n > messages.UploadBytesMax {
		return "", messages.NewError(messages.CodeUploadFileTooLarge, "")
	}
	return part + "/" + base, nil
}
