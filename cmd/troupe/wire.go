package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/troupe-browser/troupe/messages"
)

// host is a running runtime: its gateway and its end.
type host struct {
	gateway messages.Gateway
	stop    func(context.Context) error
}

// throwawayParent is the directory below which the runtime keeps what does not outlive a browser.
func (a *app) throwawayParent() string { return filepath.Join(a.state, "throwaway") }

func (a *app) start(ctx context.Context, entry string) (*host, error) {
	return nil, errors.New("the runtime is not there yet")
}

type driver struct {
	messages.Gateway
	caller messages.Caller
}

func (h *host) driver(plane messages.Plane, grants messages.GrantSet) *driver {
	return &driver{Gateway: h.gateway, caller: messages.Caller{ID: "driver", Plane: plane, Grants: grants, Owner: owner()}}
}
func (d *driver) leave() { d.Gateway.Leave(d.caller.ID) }
