package program

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
)

// StagingRoot is the name of that upload root.
const StagingRoot = "cli"

// StagingDirectory is where the verbs put copies of what they upload. The daemon has it as an upload root.
func (a *App) StagingDirectory() string { return filepath.Join(a.State, "uploads") }

// CleanStaging makes the directory empty and private.
func (a *App) CleanStaging() error {
	if err := os.RemoveAll(a.StagingDirectory()); err != nil {
		return fmt.Errorf("staged uploads: %w", err)
	}
	return settings.PrivateDirectory(a.StagingDirectory())
}
