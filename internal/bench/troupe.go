package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"
)

// product is the runtime behind its tool boundary, as an MCP session has it.
type product struct {
	dir     string
	runtime *actors.Runtime
	facade  *tools.Facade
	caller  messages.Caller
	page    messages.PageAddress
}

func startProduct(ctx context.Context, url string) (*product, error) {
	dir, err := os.MkdirTemp("", "troupe-bench-")
	if err != nil {
		return nil, err
	}
	p := &product{dir: dir, caller: messages.Caller{ID: "bench", Plane: messages.PlaneOperator, Grants: messages.DefaultGrants()}}
	p.runtime, err = actors.Start(ctx, actors.Config{StateDir: dir, NoSandbox: sandboxOff()})
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	p.facade = tools.NewFacade(p.runtime)
	reply, err := p.runtime.Do(ctx, p.caller, &messages.Launch{URL: url})
	if err != nil {
		p.close()
		return nil, err
	}
	receipt := reply.(*messages.Receipt)
	p.page = messages.PageAddress{BrowserID: receipt.BrowserID, PageID: receipt.PageID}
	return p, nil
}

func (p *product) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	p.runtime.Shutdown(ctx)
	_ = os.RemoveAll(p.dir)
}

// call makes one tool call on the page and returns its structure.
func (p *product) call(ctx context.Context, tool string, arguments map[string]any) (tools.Result, error) {
	arguments["browser_id"], arguments["page_id"] = string(p.page.BrowserID), string(p.page.PageID)
	data, err := json.Marshal(arguments)
	if err != nil {
		return tools.Result{}, err
	}
	result := p.facade.Call(ctx, p.caller, tool, data)
	if result.IsError {
		return result, fmt.Errorf("%s: %s", arguments["action"], result.Text)
	}
	return result, nil
}

func (p *product) open(ctx context.Context, url string) error {
	_, err := p.call(ctx, tools.Control, map[string]any{"action": "navigate", "url": url})
	return err
}

// snapshot takes one and returns it with its size in bytes.
func (p *product) snapshot(ctx context.Context, projection string) (*messages.Snapshot, int, error) {
	result, err := p.call(ctx, tools.Observe, map[string]any{"action": "snapshot", "projection": projection})
	if err != nil {
		return nil, 0, err
	}
	snapshot, _ := result.Reply.(*messages.Snapshot)
	return snapshot, len(result.Structured), nil
}

// ids returns the element ids of the nodes that admit an action.
func ids(s *messages.Snapshot, action messages.Action) []string {
	var out []string
	for _, node := range s.Nodes {
		for _, a := range node.Actions {
			if a == action {
				out = append(out, string(node.ElementID))
			}
		}
	}
	return out
}
