package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// demoPageWait bounds how long the demo waits for the page's own word on what happened to it.
const demoPageWait = 3 * time.Second

// DemoCommand is `troupe demo`, which shows the product on pages of its own.
func DemoCommand(a *program.App) *cobra.Command {
	var shot string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Drive a small site on this machine and print every receipt",
		Long: "Serve a small site on the loopback interface and drive it as an agent would: open a form, fill it, submit it,\n" +
			"answer the dialog, follow the popup, take a picture, close. Each receipt is printed and compared with what the\n" +
			"page itself recorded; the status is not 0 when one of them is not true.",
		Example: "  troupe demo\n  troupe demo --no-sandbox --screenshot booking.png",
		Args:    program.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			site, err := fixtures.Start()
			if err != nil {
				return err
			}
			return errors.Join(a.WithHost(cmd.Context(), "demo", func(ctx context.Context, h *program.Host) error {
				return demo(ctx, a, h, site, shot)
			}), site.Close())
		},
	}
	cmd.Flags().StringVar(&shot, "screenshot", "", "file that keeps the picture; without it nothing is left behind")
	return cmd
}

// stage is one run of the demo.
type stage struct {
	app     *program.App
	facade  *tools.Facade
	caller  messages.Caller
	site    *fixtures.Server
	step    int
	untrue  []string
	browser string
	page    string
	refs    map[string]string // name of a control -> its ref in the last snapshot
}

// demo stops at the first call that it cannot go on without; an untrue receipt is noted and the demo goes on.
func demo(ctx context.Context, a *program.App, h *program.Host, site *fixtures.Server, shot string) error {
	driver := h.Driver(messages.PlaneModel, a.Grants(messages.DefaultGrants()))
	defer driver.End()
	s := &stage{app: a, facade: tools.NewFacade(driver), caller: driver.Caller, site: site}
	started := time.Now()
	for _, act := range []func(context.Context) error{
		s.open, s.fill, s.submit, s.confirm, s.followPopup, s.refusals,
		func(ctx context.Context) error { return s.picture(ctx, shot) }, s.leave,
	} {
		if err := act(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.Out, "\n%d calls in %v. ", s.step, time.Since(started).Round(time.Millisecond))
	if len(s.untrue) > 0 {
		fmt.Fprintf(a.Out, "%d receipts were not true:\n", len(s.untrue))
		for _, text := range s.untrue {
			fmt.Fprintf(a.Out, "  %s\n", text)
		}
		return program.SilentError{Status: program.ExitFailed}
	}
	fmt.Fprintln(a.Out, "Every receipt was true.")
	return nil
}

// say makes one call and prints it with its answer.
func (s *stage) say(ctx context.Context, about, tool string, arguments map[string]any) tools.Result {
	s.step++
	data, err := json.Marshal(arguments)
	if err != nil {
		data = []byte("{}")
	}
	result := s.facade.Call(ctx, s.caller, tool, data)
	fmt.Fprintf(s.app.Out, "\n%2d. %s\n    %s\n      %s\n", s.step, about, data, strings.ReplaceAll(result.Text, "\n", "\n      "))
	return result
}

func (s *stage) observe(ctx context.Context, about, action string, more ...any) tools.Result {
	return s.say(ctx, about, tools.Observe, s.arguments(action, more))
}

// act performs an effect and holds its receipt against what must be true.
func (s *stage) act(ctx context.Context, about, action string, more ...any) *messages.Receipt {
	result := s.say(ctx, about, tools.Control, s.arguments(action, more))
	receipt, ok := result.Reply.(*messages.Receipt)
	if !ok {
		receipt = &messages.Receipt{}
	}
	return receipt
}

// arguments adds the browser and the page to those that are named in pairs; a nil leaves one out.
func (s *stage) arguments(action string, more []any) map[string]any {
	arguments := map[string]any{"action": action}
	if s.browser != "" {
		arguments["browser_id"] = s.browser
	}
	if s.page != "" {
		arguments["page_id"] = s.page
	}
	for i := 0; i+1 < len(more); i += 2 {
		arguments[fmt.Sprint(more[i])] = more[i+1]
	}
	for name, v := range arguments {
		if v == nil {
			delete(arguments, name)
		}
	}
	return arguments
}

// must notes an untrue receipt.
func (s *stage) must(holds bool, format string, args ...any) {
	if holds {
		return
	}
	text := fmt.Sprintf("step %d: %s", s.step, fmt.Sprintf(format, args...))
	s.untrue = append(s.untrue, text)
	fmt.Fprintf(s.app.Out, "      NOT TRUE: %s\n", text)
}

func (s *stage) completed(r *messages.Receipt) {
	s.must(r.ExecutionState == messages.Completed, "the state is %q (%s)", r.ExecutionState, r.Code)
}

// pageSays waits until the page itself has recorded an effect.
func (s *stage) pageSays(ctx context.Context, page, effect string) {
	ctx, cancel := context.WithTimeout(ctx, demoPageWait)
	defer cancel()
	_, err := s.site.WaitEffects(ctx, page, effect, 1)
	s.must(err == nil, "the page did not record %q", effect)
}

// pageDoesNotSay holds that the page has recorded no such effect.
func (s *stage) pageDoesNotSay(page, effect string) {
	for _, name := range s.site.Names(page) {
		s.must(name != effect, "the page recorded %q", effect)
	}
}
