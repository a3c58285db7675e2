package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// What the process asks for itself is no caller's act: the journal, and with it the audit,
// holds what callers did.
func TestTheHostsOwnObservationsAreNotAudited(t *testing.T) {
	runtime, err := Start(t.Context(), Config{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Shutdown(t.Context())
	events, err := runtime.Subscribe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	host := messages.Caller{ID: messages.CallerHost, Plane: messages.PlaneOperator, Grants: messages.DefaultGrants()}
	for _, caller := range []messages.Caller{host, host, machinetest.Agent} {
		if _, err := runtime.Do(t.Context(), caller, &messages.ListBrowsers{}); err != nil {
			t.Fatal(err)
		}
	}
	if first := <-events; first.CallerID != machinetest.Agent.ID || first.Action != "browsers" {
		t.Errorf("the first event is %+v", first)
	}
}
