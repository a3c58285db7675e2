package actors

import (
	"context"
	"testing"

	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// What a call costs without a browser: admission, ticket, one actor, audit event.
func BenchmarkDo(b *testing.B) {
	runtime, err := Start(context.Background(), Config{StateDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { runtime.Shutdown(context.Background()) })
	b.ReportAllocs()
	for b.Loop() {
		if _, err := runtime.Do(context.Background(), machinetest.Agent, &messages.ListBrowsers{}); err != nil {
			b.Fatal(err)
		}
	}
}
