package invariant

import (
	"strings"
	"testing"
)

func recovered(f func()) (caught any) {
	defer func() { caught = recover() }()
	f()
	return nil
}

func TestCheckPassesWhatHolds(t *testing.T) {
	if caught := recovered(func() { Check(true, "never shown") }); caught != nil {
		t.Fatalf("a true invariant panicked with %v", caught)
	}
}

// The two builds differ in exactly this, so the test states both and runs in both.
func TestBrokenInvariantPanicsOnlyWhereEnabled(t *testing.T) {
	for name, broken := range map[string]func(){
		"Check":       func() { Check(false, "%d operations in flight", 2) },
		"Unreachable": func() { Unreachable("%d operations in flight", 2) },
	} {
		t.Run(name, func(t *testing.T) {
			caught := recovered(broken)
			if !Enabled {
				if caught != nil {
					t.Fatalf("a build without invariants panicked with %v", caught)
				}
				return
			}
			violation, ok := caught.(*Violation)
			if !ok {
				t.Fatalf("panicked with %T, want *Violation", caught)
			}
			if violation.Message != "2 operations in flight" {
				t.Errorf("message is %q", violation.Message)
			}
			if !strings.HasPrefix(violation.Where, "invariant_test.go:") {
				t.Errorf("the place is %q, want the caller's file and line", violation.Where)
			}
			if !strings.Contains(violation.Error(), violation.Where) {
				t.Errorf("the error text %q does not say where", violation.Error())
			}
		})
	}
}
