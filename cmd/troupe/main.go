package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

func main() {
	// A reader that goes away must end the command in order and not kill the process. The signal is caught and not
	// ignored, since an ignored one would be ignored by the browser as well.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], program.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
