package cdp_test

import (
	"context"
	"fmt"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/troupe-browser/troupe/cdp"
)

// Start a browser, ask it something with a typed command of cdproto, end it.
func Example() {
	engine, err := cdp.Discover(cdp.DiscoverOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	process, err := cdp.Launch(ctx, cdp.LaunchConfig{Engine: engine, ThrowawayParent: "/run/user/1000/troupe", Headless: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	conn := cdp.NewConn(process.Transport(), cdp.Options{})
	targets, err := protocol.Call(ctx, conn.Root(), target.GetTargets, target.GetTargetsParams{})
	fmt.Println(len(targets.TargetInfos), err)
	// The browser first: what it still has to say while it ends is read.
	if err := process.Close(ctx, false); err != nil {
		fmt.Println(err)
	}
	if err := conn.Close(); err != nil {
		fmt.Println(err)
	}
}
