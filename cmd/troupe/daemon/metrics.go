package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// metricsText returns what the daemon counted since its start, in the text form of Prometheus. It holds names of actions,
// states and codes, and numbers.
func (d *daemon) metricsText(ctx context.Context) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "/metrics", http.NoBody)
	if err != nil {
		return "", fmt.Errorf("metrics: %w", err)
	}
	answer := &heldResponse{header: http.Header{}, status: http.StatusOK}
	d.metrics.ServeHTTP(answer, request)
	if answer.status != http.StatusOK {
		return "", messages.NewError(messages.CodeStateUnavailable, "The daemon is ending and counts no more.")
	}
	return answer.body.String(), nil
}

// heldResponse keeps the answer of a handler that is asked without a network. Its size is that of the counts, which are
// bounded by the number of actions and codes.
type heldResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is what the handler sets.
func (r *heldResponse) Header() http.Header { return r.header }

// WriteHeader keeps the status.
func (r *heldResponse) WriteHeader(status int) { r.status = status }

// Write keeps a part of the body; it never fails.
func (r *heldResponse) Write(p []byte) (int, error) { return r.body.Write(p) }

// printMetrics prints what the running daemon counted.
func printMetrics(ctx context.Context, a *program.App) error {
	c, err := DialRaw(ctx, a)
	if errors.Is(err, ErrDaemonSilent) {
		return err
	}
	if err != nil {
		fmt.Fprintln(a.Out, "No daemon runs. The verbs start one on demand.")
		return program.SilentError{Status: program.ExitUnavailable}
	}
	defer c.Close()
	answer, err := c.Exchange(ctx, WireRequest{Daemon: "metrics"})
	if err != nil {
		return err
	}
	if answer.Error != nil {
		return answer.Error.Decode()
	}
	var text string
	if err := json.Unmarshal(answer.Daemon, &text); err != nil {
		return fmt.Errorf("the daemon's counts cannot be read: %w", err)
	}
	_, err = fmt.Fprint(a.Out, text)
	return err
}
