package verbs

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/internal/quote"
	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// CookiesCommand is `troupe cookies` with its subcommands.
func CookiesCommand(a *program.App) *cobra.Command {
	c := &messages.GetCookies{}
	var values bool
	cookies := command(a, verb{
		use: "cookies BROWSER", short: "List the page's cookies; needs browser:inspect",
		long:    "List the cookies of the page's address, or with --all those of the browser: names, sizes and flags, and with\n--values what they hold. What is printed signs somebody in; don't share it.",
		example: "  troupe --grant browser:inspect cookies browser:1\n  troupe cookies browser:1 --all --values\n  troupe cookies set browser:1 theme dark\n  troupe cookies clear browser:1",
		least:   1, most: 1, onPage: true,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().BoolVar(&c.All, "all", false, "those of the whole browser")
			cmd.Flags().BoolVar(&values, "values", false, "show the values")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c.PageAddress = page
			return s.observe(ctx, c, func(reply messages.Reply) error { return s.printCookies(reply, values) })
		},
	})
	cookies.AddCommand(cookieSetCommand(a),
		cookieChange(a, "delete BROWSER NAME", "Delete a cookie", "  troupe cookies delete browser:1 theme", 2, messages.CookieDelete),
		cookieChange(a, "clear BROWSER", "Delete every cookie of the browser", "  troupe cookies clear browser:1", 1, messages.CookieClear))
	return cookies
}

func (s *session) printCookies(reply messages.Reply, values bool) error {
	list, ok := reply.(*messages.CookieList)
	if !ok {
		return wrongReply(ok, nil)
	}
	header := []string{"NAME", "DOMAIN", "PATH", "SIZE", "EXPIRES", "FLAGS"}
	if values {
		header = append(header, "VALUE")
	}
	var rows [][]string
	for _, c := range list.Cookies {
		expires := "session"
		if !c.Expires.IsZero() {
			expires = c.Expires.Local().Format(time.DateTime)
		}
		row := []string{program.Said(c.Name), program.Cell(c.Domain), program.Cell(quote.Address(c.Path)), strconv.Itoa(c.Size), expires, program.Yes(c.HTTPOnly, "http-only ") + program.Yes(c.Secure, "secure ") + c.SameSite}
		if values {
			row = append(row, program.Said(c.Value))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		fmt.Fprintln(s.app.Out, "No cookies.")
	}
	return program.Table(s.app.Out, header, rows)
}

func cookieSetCommand(a *program.App) *cobra.Command {
	c := &messages.MutateCookies{Change: messages.CookieSet}
	var expires time.Duration
	return command(a, verb{
		use: "set BROWSER NAME VALUE", short: "Set a cookie; needs browser:storage",
		example: "  troupe cookies set browser:1 theme dark\n  troupe cookies set browser:1 id 7 --domain example.com --expires 24h --secure",
		least:   3, most: 3, onPage: true,
		flags: func(cmd *cobra.Command) {
			f := cmd.Flags()
			f.StringVar(&c.URL, "url", "", "address that it belongs to; the page's by default")
			f.StringVar(&c.Cookie.Domain, "domain", "", "domain")
			f.StringVar(&c.Cookie.Path, "path", "", "path")
			f.StringVar(&c.Cookie.SameSite, "same-site", "", "strict, lax or none")
			f.BoolVar(&c.Cookie.Secure, "secure", false, "send it over https only")
			f.BoolVar(&c.Cookie.HTTPOnly, "http-only", false, "hide it from scripts")
			f.DurationVar(&expires, "expires", 0, "forget it after so long; at the browser's end by default")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c.PageAddress, c.Cookie.Name, c.Cookie.Value = page, args[1], args[2]
			if expires > 0 {
				c.Cookie.Expires = time.Now().Add(expires)
			}
			return s.act(ctx, c)
		},
	})
}

func cookieChange(a *program.App, use, short, example string, count int, change messages.CookieChange) *cobra.Command {
	return command(a, verb{
		use: use, short: short + "; needs browser:storage", example: example, least: count, most: count, onPage: true,
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c := &messages.MutateCookies{PageAddress: page, Change: change}
			if len(args) > 1 {
				c.Cookie.Name = args[1]
			}
			return s.act(ctx, c)
		},
	})
}

// StorageCommand is `troupe storage` with its subcommands.
func StorageCommand(a *program.App) *cobra.Command {
	storage := command(a, verb{
		use: "storage BROWSER local|session [KEY]", short: "Read the page's web storage; needs browser:inspect",
		example: "  troupe --grant browser:inspect storage browser:1 local\n  troupe storage browser:1 session cart\n  troupe storage set browser:1 local theme dark",
		least:   2, most: 3, onPage: true,
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c := &messages.GetStorage{PageAddress: page, Area: messages.StorageArea(args[1])}
			if len(args) == 3 {
				c.Key = args[2]
			}
			return s.observe(ctx, c, func(reply messages.Reply) error { return s.printStorage(reply, c.Key) })
		},
	})
	storage.AddCommand(
		storageChange(a, "set BROWSER local|session KEY VALUE", "Write a key", "  troupe storage set browser:1 local theme dark", 4,
			func(c *messages.MutateStorage, args []string) { c.Key, c.Value = args[2], args[3] }),
		storageChange(a, "delete BROWSER local|session KEY", "Remove a key", "  troupe storage delete browser:1 local theme", 3,
			func(c *messages.MutateStorage, args []string) { c.Key, c.Remove = args[2], true }),
		storageChange(a, "clear BROWSER local|session", "Remove every key", "  troupe storage clear browser:1 local", 2,
			func(c *messages.MutateStorage, _ []string) { c.Clear = true }))
	return storage
}

// printStorage prints the bare value where one key was asked for (R214).
func (s *session) printStorage(reply messages.Reply, key string) error {
	list, ok := reply.(*messages.StorageEntries)
	if !ok {
		return wrongReply(ok, nil)
	}
	if key != "" && len(list.Entries) == 1 {
		_, err := fmt.Fprintln(s.app.Out, quote.Lines(list.Entries[0].Value))
		return err
	}
	var rows [][]string
	for _, e := range list.Entries {
		rows = append(rows, []string{program.Said(e.Key), program.Said(e.Value) + program.Yes(e.Truncated, " (cut)")})
	}
	if len(rows) == 0 {
		fmt.Fprintln(s.app.Out, "Nothing.")
	}
	return program.Table(s.app.Out, []string{"KEY", "VALUE"}, rows)
}

func storageChange(a *program.App, use, short, example string, count int, set func(*messages.MutateStorage, []string)) *cobra.Command {
	return command(a, verb{
		use: use, short: short + "; needs browser:storage", example: example, least: count, most: count, onPage: true,
		run: func(ctx context.Context, s *session, args []string) error {
			page, err := s.pageOf(ctx, args[0])
			if err != nil {
				return err
			}
			c := &messages.MutateStorage{PageAddress: page, Area: messages.StorageArea(args[1])}
			set(c, args)
			return s.act(ctx, c)
		},
	})
}

// DownloadsCommand is `troupe downloads`.
func DownloadsCommand(a *program.App) *cobra.Command {
	c := &messages.ListDownloads{}
	var forget bool
	downloads := command(a, verb{
		use: "downloads BROWSER", short: "List the browser's downloads",
		example: "  troupe downloads browser:1\n  troupe downloads browser:1 --wait 1m\n  troupe downloads cancel browser:1 dl_3\n  troupe downloads browser:1 --clear",
		least:   1, most: 1,
		flags: func(cmd *cobra.Command) {
			cmd.Flags().DurationVar(&c.Wait, "wait", 0, "wait so long for running ones")
			cmd.Flags().BoolVar(&forget, "clear", false, "forget the ended ones and remove their files")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			browser, err := s.browser(ctx, args[0])
			if err != nil {
				return err
			}
			if forget {
				if c.Wait != 0 {
					return program.Usagef("--clear takes no --wait, as in: troupe downloads browser:1 --clear")
				}
				return s.act(ctx, &messages.ClearDownloads{BrowserID: browser.BrowserID})
			}
			c.BrowserID = browser.BrowserID
			return s.observe(ctx, c, s.printDownloads)
		},
	})
	downloads.AddCommand(command(a, verb{
		use: "cancel BROWSER ID", short: "Cancel a running download", example: "  troupe downloads cancel browser:1 dl_3", least: 2, most: 2,
		run: func(ctx context.Context, s *session, args []string) error {
			browser, err := s.browser(ctx, args[0])
			if err != nil {
				return err
			}
			return s.act(ctx, &messages.CancelDownload{BrowserID: browser.BrowserID, DownloadID: messages.DownloadID(args[1])})
		},
	}))
	return downloads
}

func (s *session) printDownloads(reply messages.Reply) error {
	list, ok := reply.(*messages.DownloadList)
	if !ok {
		return wrongReply(ok, nil)
	}
	var rows [][]string
	for _, d := range list.Downloads {
		size := program.BytesText(d.Received)
		if d.State == messages.DownloadInProgress && d.Total > 0 {
			size += " of " + program.BytesText(d.Total)
		}
		where := d.Path
		if where == "" {
			where = d.Suggested
		}
		rows = append(rows, []string{string(d.DownloadID), string(d.State), size, program.Said(where)})
	}
	if len(rows) == 0 {
		fmt.Fprintln(s.app.Out, "No downloads.")
	}
	return program.Table(s.app.Out, []string{"ID", "STATE", "SIZE", "FILE"}, rows)
}
