package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// localConnector starts browsers of this machine and dials the configured endpoint.
type localConnector struct{ config kernel.Config }

// NewConnector returns the connector that starts browsers of this machine and dials the configured endpoint.
func NewConnector(config kernel.Config) kernel.Connector { return &localConnector{config: config} }

// Connect implements Connector.
func (l *localConnector) Connect(ctx context.Context, plan kernel.ConnectPlan) (kernel.Connection, error) {
	if plan.Mode == messages.LaunchEndpoint {
		return l.dial(ctx)
	}
	engine, err := cdp.Discover(cdp.DiscoverOptions{Path: l.config.Engine})
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(l.config.StateDir, 0o700); err != nil {
		return nil, messages.NewError(messages.CodeStateUnavailable, "").WithOperator(err.Error())
	}
	launch := cdp.LaunchConfig{
		Engine:          engine,
		ThrowawayParent: filepath.Join(l.config.StateDir, kernel.ThrowawayDirName),
		Headless:        !l.config.Visible,
		NoSandbox:       l.config.NoSandbox,
		Args:            l.config.Args,
		WindowWidth:     plan.Width,
		WindowHeight:    plan.Height,
	}
	owned := &ownedBrowser{ownership: messages.OwnedEphemeral}
	if plan.Mode == messages.LaunchManaged {
		owned.ownership = messages.OwnedManaged
		launch.Headless = l.config.Hidden
		dir := filepath.Join(l.config.StateDir, kernel.BrowserDirName, kernel.ProfilesDirName, plan.Profile)
		if owned.lock, err = lockProfile(dir); err != nil {
			return nil, err
		}
		launch.DataDir = filepath.Join(dir, kernel.ProfileDataName)
	}
	if owned.process, err = cdp.Launch(ctx, launch); err != nil {
		owned.unlock()
		return nil, err
	}
	return owned, nil
}

func (l *localConnector) dial(ctx context.Context) (kernel.Connection, error) {
	transport, err := cdp.Dial(ctx, cdp.EndpointConfig{URL: l.config.Endpoint, AllowRemote: l.config.AllowRemoteEndpoint})
	if err != nil {
		return nil, err
	}
	return &endpointBrowser{transport: transport}, nil
}

// ownedBrowser is a browser process that was started here.
type ownedBrowser struct {
	process   *cdp.Process
	ownership messages.Ownership
	lock      *os.File // of a managed profile, held until the browser is gone
}

// Transport implements Connection.
func (b *ownedBrowser) Transport() cdp.Transport { return b.process.Transport() }

// Ownership implements Connection.
func (b *ownedBrowser) Ownership() messages.Ownership { return b.ownership }

// Done implements Connection.
func (b *ownedBrowser) Done() <-chan struct{} { return b.process.Done() }

// Product returns what the browser says about itself.
func (b *ownedBrowser) Product() string { return b.process.Version().Product }

// Close implements Connection.
func (b *ownedBrowser) Close(ctx context.Context, graceful bool) error {
	err := b.process.Close(ctx, graceful)
	b.unlock()
	return err
}

func (b *ownedBrowser) unlock() {
	if b.lock != nil {
		_ = b.lock.Close() // closing gives the lock back; it may have been closed before
	}
}

// endpointBrowser is a browser of somebody else behind a DevTools endpoint. It is
// left running (R7).
type endpointBrowser struct{ transport cdp.Transport }

// Transport implements Connection.
func (b *endpointBrowser) Transport() cdp.Transport { return b.transport }

// Ownership implements Connection.
func (b *endpointBrowser) Ownership() messages.Ownership { return messages.AttachedEndpoint }

// Done implements Connection.
func (b *endpointBrowser) Done() <-chan struct{} { return nil }

// Close implements Connection.
func (b *endpointBrowser) Close(context.Context, bool) error { return b.transport.Close() }

// startError returns the error of a failed connect in the product's terms.
func startError(err error) *messages.Error {
	var known *messages.Error
	if errors.As(err, &known) {
		return known
	}
	switch {
	case errors.Is(err, context.Canceled):
		return messages.NewError(messages.CodeCancelled, "")
	case errors.Is(err, context.DeadlineExceeded):
		return messages.NewError(messages.CodeLaunchTimeout, "")
	}
	return messages.NewError(messages.CodeLaunchFailed, "").WithOperator(err.Error())
}

// Describe looks for the engine and answers GetEngine or GetTargets.
func Describe(env *kernel.Environment, c *call.Call, targets *messages.Targets) {
	found := &messages.Engine{}
	engine, err := cdp.Discover(cdp.DiscoverOptions{Path: env.Config.Engine})
	if err != nil {
		refusal := startError(err)
		found.Code, found.Reason = refusal.Code, refusal.Detail
	} else {
		found.Available, found.Path, found.Source = true, engine.Path, engine.Source
	}
	if product := env.EngineProduct.Load(); product != nil {
		found.Product = *product
	}
	if targets == nil {
		if found.Available {
			// A version that can't be read is only unknown.
			found.Version, _ = engine.Version(c.Context)
		}
		c.Finish(found, nil)
		return
	}
	targets.Engine = found.EngineState
	targets.Capabilities.Launch = found.Available || env.Config.Endpoint != ""
	c.Finish(targets, nil)
}
