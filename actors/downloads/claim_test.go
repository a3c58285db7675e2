package downloads

import (
	"os"
	"path/filepath"
	"testing"
)

// What goes with its browser is removed by the next start when the process is gone, and only then: the lock of the claim
// is the proof, and a directory without a claim is nobody's to remove by it.
func TestSweepClaimed(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "downloads")
	store := func(name string) Store { return Store{Dir: filepath.Join(parent, name)} }
	var lives, gone, empty Claim
	for _, c := range []struct {
		claim *Claim
		store Store
	}{{&lives, store("br_lives")}, {&gone, store("br_gone")}, {&empty, store("br_empty")}} {
		if err := c.claim.Take(c.store); err != nil {
			t.Fatal(err)
		}
		if err := c.store.Prepare(); err != nil {
			t.Fatal(err)
		}
	}
	if err := store("br_unclaimed").Prepare(); err != nil {
		t.Fatal(err)
	}
	store("br_gone").put(t, "left.txt", "x")
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, store("br_gone").Path("link")); err != nil {
		t.Fatal(err)
	}
	// The end of a process closes its files and does nothing else.
	for _, c := range []*Claim{&gone, &empty} {
		if err := c.file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	swept, err := SweepClaimed(parent)
	if err != nil || swept != (Swept{Removed: 2, Kept: 1}) {
		t.Errorf("swept %+v, %v", swept, err)
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if len(left) != 3 || left[0] != "br_lives" || left[1] != "br_lives.session" || left[2] != "br_unclaimed" {
		t.Errorf("left are %v", left)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Errorf("what a link pointed to is gone: %v", err)
	}
	if err := store("br_lives").Discard(); err != nil {
		t.Fatal(err)
	}
	lives.Release(store("br_lives"))
	if _, err := os.Stat(store("br_lives").Dir + claimSuffix); !os.IsNotExist(err) {
		t.Errorf("after the release the claim is there: %v", err)
	}
	if swept, err := SweepClaimed(filepath.Join(parent, "none")); err != nil || swept != (Swept{}) {
		t.Errorf("of a parent that is not there %+v, %v", swept, err)
	}
}
