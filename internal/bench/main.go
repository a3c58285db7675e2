package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// benchTimeout bounds the whole run.
const benchTimeout = 10 * time.Minute

func main() {
	rounds := flag.Int("rounds", 9, "rounds of each measurement")
	memory := flag.Bool("memory", false, "print the resident memory of a runtime with ten pages, and nothing else")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), benchTimeout)
	defer cancel()
	if err := run(ctx, *rounds, *memory); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		cancel()
		os.Exit(1)
	}
}

func run(ctx context.Context, rounds int, memory bool) error {
	site := newSite()
	defer site.close()
	if memory {
		return measureMemory(ctx, site)
	}
	fmt.Printf("%-34s %12s %12s %8s   %s\n", "", "floor", "troupe", "ratio", "")
	if err := measureStart(ctx, site); err != nil {
		return err
	}
	b, err := newBench(ctx, site, rounds)
	if err != nil {
		return err
	}
	defer b.close()
	for _, measure := range []func(context.Context) error{b.clicks, b.fill, b.snapshots} {
		if err := measure(ctx); err != nil {
			return err
		}
	}
	return memoryOfChild(ctx)
}

// memoryOfChild measures in a process of its own, since this one has measured.
func memoryOfChild(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	child := exec.CommandContext(ctx, self, "-memory")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	return child.Run()
}
