package actors

import (
	"context"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// What a shutdown announces reaches subscribers before their channels close, although
// a stop overtakes what waits in the journal's mailbox.
func TestJournal_HearsOfTheEnd(t *testing.T) {
	for range 30 {
		runtime, err := Start(t.Context(), Config{StateDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		events, err := runtime.Subscribe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			runtime.env.Publish(messages.Event{Kind: messages.EventPageOpened})
		}
		runtime.Shutdown(context.Background())
		var last messages.Event
		for e := range events {
			last = e
		}
		if last.Kind != messages.EventShutdown {
			t.Fatalf("the last event is %+v", last)
		}
	}
}
