package verbs

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/internal/quote"
	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// OpenCommand is `troupe open`, which starts a browser on an address.
func OpenCommand(a *program.App) *cobra.Command {
	var agent, workspace, profile string
	var width, height, ownerPID int
	var detached, blank, held bool
	return command(a, verb{
		use:   "open [URL]",
		short: "Open a browser at an address, or at what the working directory seems to serve",
		long: "Open a browser. Without an address the ports that the workspace declares (vite.config.*, package.json, .env*)\n" +
			"and the customary ones are tried, and the best that listens is opened.",
		example: "  troupe open http://localhost:3000\n  troupe open example.com --width 1600 --height 900\n  troupe open --blank\n  troupe open",
		most:    1,
		flags: func(cmd *cobra.Command) {
			f := cmd.Flags()
			f.StringVar(&agent, "agent", "", "agent that owns the browser; its end closes it (TROUPE_OWNER)")
			f.IntVar(&ownerPID, "owner-pid", 0, "process whose end closes the browser (TROUPE_OWNER_PID)")
			f.BoolVar(&detached, "detached", false, "give the browser no owner")
			f.StringVar(&workspace, "workspace", "", "directory to guess the address from; the working directory by default")
			f.IntVar(&width, "width", 0, "width of the viewport; with --height")
			f.IntVar(&height, "height", 0, "height of the viewport; with --width")
			f.BoolVar(&blank, "blank", false, "open an empty page")
			f.StringVar(&profile, "profile", "", "use a managed profile of this name, which stays")
			f.BoolVar(&held, "held", false, "keep the browser while a viewer or a heartbeat uses it, without a bound on its life")
			cmd.PreRun = func(*cobra.Command, []string) {
				switch {
				case detached:
					a.Owner, a.OwnerPID = "", 0
				case agent != "":
					a.Owner = messages.OwnerID(agent)
				}
			}
		},
		run: func(ctx context.Context, s *session, args []string) error {
			address, err := s.address(ctx, args, blank, workspace)
			if err != nil {
				return err
			}
			if (width == 0) != (height == 0) {
				return program.Usagef("--width and --height go together, as in: troupe open --width 1280 --height 800")
			}
			if ownerPID == 0 {
				ownerPID = a.OwnerPID
			}
			launch := &messages.Launch{URL: address, Width: width, Height: height, Held: held, OwnerPID: ownerPID}
			if profile != "" {
				launch.Mode, launch.Profile = messages.LaunchManaged, profile
			}
			return s.open(ctx, launch)
		},
	})
}

// address carries out the plan of R20.
func (s *session) address(ctx context.Context, args []string, blank bool, workspace string) (string, error) {
	given := ""
	if len(args) > 0 {
		given = args[0]
	}
	plan, err := planAddress(given, blank)
	if err != nil || !plan.guess {
		return plan.url, err
	}
	if workspace == "" {
		// Without a working directory only the customary ports are tried.
		workspace, _ = os.Getwd()
	}
	if address := guessAddress(ctx, workspace, listens); address != "" {
		return address, nil
	}
	return "", program.Usagef("nothing listens on the ports that are customary or declared here; name an address or --blank, as in: troupe open http://localhost:3000")
}

// open launches and says under which short reference the browser is found.
func (s *session) open(ctx context.Context, launch *messages.Launch) error {
	reply, err := s.do(ctx, launch)
	receipt, ok := reply.(*messages.Receipt)
	if err != nil && !ok {
		return err
	}
	if !ok {
		return missing(nil)
	}
	stopped := messages.AsError(err)
	if stopped == nil {
		stopped = shortfall(receipt)
	}
	if s.json || receipt.ExecutionState != messages.Completed {
		if err := s.printReceipt(launch, receipt, stopped, nil); err != nil {
			return err
		}
		if stopped != nil {
			return program.SilentError{Status: program.ExitStatus(stopped)}
		}
		return nil
	}
	opened, err := s.browser(ctx, string(receipt.BrowserID))
	if err != nil {
		return err
	}
	fmt.Fprintf(s.app.Out, "%s  %s\n", opened.Short, opened.BrowserID)
	if err := s.printPages(ctx, opened); err != nil || stopped == nil {
		return err
	}
	fmt.Fprintf(s.app.Out, "%s. %s\nThe browser stays open; close it with: troupe close %s\n", stopped.Code, stopped.Detail, opened.Short)
	return program.SilentError{Status: program.ExitStatus(stopped)}
}

// ListCommand is `troupe list`.
func ListCommand(a *program.App) *cobra.Command {
	return command(a, verb{
		use:     "list",
		short:   "List the browsers and their pages",
		example: "  troupe list\n  troupe list --json",
		run: func(ctx context.Context, s *session, _ []string) error {
			reply, err := s.do(ctx, &messages.ListBrowsers{})
			list, ok := reply.(*messages.BrowserList)
			if err != nil || !ok {
				return errors.Join(err, wrongReply(ok, err))
			}
			if s.json {
				return s.printAll(ctx, list)
			}
			if len(list.Browsers) == 0 {
				fmt.Fprintln(s.app.Out, "No browser. Open one with: troupe open")
			}
			for _, b := range list.Browsers {
				fmt.Fprintf(s.app.Out, "%s  %s  %s  %s  %s%s\n", b.Short, b.BrowserID, b.Ownership, b.State, program.Cell(b.Profile), ownedBy(b.Owner))
				if err := s.printPages(ctx, b); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

func ownedBy(owner messages.OwnerID) string {
	if owner == "" {
		return ""
	}
	return "  of " + program.Cell(string(owner))
}

// listed is a browser with its pages, as --json has it.
type listed struct {
	messages.BrowserSummary
	PageList []messages.PageSummary `json:"page_list"`
}

func (s *session) printAll(ctx context.Context, list *messages.BrowserList) error {
	all := []listed{}
	for _, b := range list.Browsers {
		pages, err := s.pages(ctx, b.BrowserID)
		if err != nil {
			return err
		}
		all = append(all, listed{b, append([]messages.PageSummary{}, pages...)})
	}
	return s.print(envelope{Result: map[string]any{"browsers": all}})
}

func (s *session) pages(ctx context.Context, browser messages.BrowserID) ([]messages.PageSummary, error) {
	reply, err := s.do(ctx, &messages.ListPages{BrowserID: browser})
	list, ok := reply.(*messages.PageList)
	if err != nil || !ok {
		return nil, errors.Join(err, wrongReply(ok, err))
	}
	return list.Pages, nil
}

func (s *session) printPages(ctx context.Context, browser messages.BrowserSummary) error {
	pages, err := s.pages(ctx, browser.BrowserID)
	if err != nil {
		return err
	}
	var rows [][]string
	for i, p := range pages {
		notes := program.Yes(p.Presented, "presented ") + program.Yes(p.Crashed, "crashed ") + program.Yes(p.Busy, "busy ") + program.Yes(p.Temporary, "temporary ")
		if p.Dialog != nil && p.Dialog.Open {
			notes += "dialog:" + string(p.Dialog.Kind)
		}
		rows = append(rows, []string{fmt.Sprintf("  %d", i+1), string(p.PageID), string(p.LoadState), program.Said(p.Title), program.Cell(quote.Address(p.URL)), notes})
	}
	return program.Table(s.app.Out, []string{"  #", "PAGE", "LOAD", "TITLE", "URL", ""}, rows)
}

// CloseCommand is `troupe close`.
func CloseCommand(a *program.App) *cobra.Command {
	var all bool
	var agent string
	return command(a, verb{
		use:     "close BROWSER",
		short:   "Close a browser, one of its pages with --page, or all of one's own with --all",
		example: "  troupe close browser:1\n  troupe close browser:1 --page 2\n  troupe close --all\n  troupe close --agent reviewer",
		most:    1, onPage: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().BoolVar(&all, "all", false, "close every browser of the same owner")
			cmd.Flags().StringVar(&agent, "agent", "", "close every browser of this agent")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			switch {
			case len(args) == 1 && !all && agent == "":
				return s.close(ctx, args[0])
			case len(args) > 0 || all && agent != "" || s.page != "":
				return program.Usagef("close takes a browser, --all or --agent, one of them, as in: troupe close browser:1")
			case agent != "":
				return s.act(ctx, &messages.EndOwner{OwnerID: messages.OwnerID(agent)})
			case all:
				return s.closeAll(ctx)
			}
			return program.Usagef("name a browser, as in: troupe close browser:1\nThe list command shows them; --all closes every one.")
		},
	})
}

func (s *session) close(ctx context.Context, address string) error {
	if s.page != "" {
		page, err := s.pageOf(ctx, address)
		if err != nil {
			return err
		}
		return s.act(ctx, &messages.ClosePage{PageAddress: page})
	}
	browser, err := s.browser(ctx, address)
	if err != nil {
		return err
	}
	return s.act(ctx, &messages.CloseBrowser{BrowserID: browser.BrowserID})
}

// closeAll closes every browser of this command's owner. The first failure does not keep the others open.
func (s *session) closeAll(ctx context.Context) error {
	reply, err := s.do(ctx, &messages.ListBrowsers{})
	list, ok := reply.(*messages.BrowserList)
	if err != nil || !ok {
		return errors.Join(err, wrongReply(ok, err))
	}
	closed := []messages.BrowserID{}
	var failed error
	for _, b := range list.Browsers {
		if b.Owner != s.app.Owner {
			continue
		}
		if _, err := s.do(ctx, &messages.CloseBrowser{BrowserID: b.BrowserID}); err != nil {
			failed = err
			continue
		}
		closed = append(closed, b.BrowserID)
		if !s.json {
			fmt.Fprintf(s.app.Out, "closed %s\n", b.Short)
		}
	}
	switch {
	case failed != nil:
		return failed
	case s.json:
		return s.print(envelope{Result: map[string]any{"closed": closed}})
	case len(closed) == 0:
		fmt.Fprintln(s.app.Out, "There is none to close.")
	}
	return nil
}
