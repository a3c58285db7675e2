package verbs

import (
	"cmp"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// The default address of `troupe open` (R20, R21). Which address is meant is a pure rule over three inputs, and which
// ports are worth asking is a pure scan over texts; only the last step, one short connect to each, uses the network. A
// wrong guess costs a wrong tab and nothing else.

const (
	// discoveryCandidatesMax bounds the ports that are asked; further ones are left out, the least likely first.
	discoveryCandidatesMax = 24
	// discoveryHeadBytes is how much is read of the head of a declaration file.
	discoveryHeadBytes = 64 << 10
	// discoveryConnect bounds each connect. All run at the same time.
	discoveryConnect = 250 * time.Millisecond
	// discoveryPortMin is the lowest port that is asked: below it are the system's services.
	discoveryPortMin = 1024
	portMax          = 65535
)

// addressPlan is what open is to do: go to an address, open an empty page, or guess.
type addressPlan struct {
	url   string
	blank bool
	guess bool
}

// planAddress is the rule of R20.
func planAddress(given string, blank bool) (addressPlan, error) {
	switch {
	case blank && given != "":
		return addressPlan{}, program.Usagef("give an address or --blank, not both, as in: troupe open http://localhost:3000")
	case blank:
		return addressPlan{blank: true}, nil
	case given == "":
		return addressPlan{guess: true}, nil
	}
	address, err := normalizeURL(given)
	if err != nil {
		return addressPlan{}, err
	}
	return addressPlan{url: address, blank: address == ""}, nil
}

// customaryPorts are tried after what the workspace declares, in this order.
var customaryPorts = []int{3000, 5173, 8080, 8000, 4200, 4321, 5000, 3001, 8888, 1313, 4000, 9000, 6006, 5174, 8081, 7860, 8501}

// declaredPort finds a number that stands where a port is declared. It scans and does not parse: the files are program
// text of many dialects.
var declaredPort = regexp.MustCompile(`(?i)(?:\bport\b["']?\s*[:=]\s*["']?|--port[ =]|-p[ =]|localhost:|127\.0\.0\.1:|[A-Z0-9]_?PORT\s*=\s*["']?|^PORT\s*=\s*["']?)(\d{2,5})\b`)

// portsIn returns the ports that a declaration's text names, in their order and each once; those that are out of range
// are left out.
func portsIn(text string) []int {
	var out []int
	for line := range strings.Lines(text) {
		for _, match := range declaredPort.FindAllStringSubmatch(line, -1) {
			port, err := strconv.Atoi(match[1])
			if err == nil && port >= discoveryPortMin && port <= portMax && !slices.Contains(out, port) {
				out = append(out, port)
			}
		}
	}
	return out
}

// candidates ranks the ports: what the workspace declares, in the order of its files, before the customary ones.
func candidates(declarations []string) []int {
	var out []int
	add := func(ports []int) {
		for _, port := range ports {
			if len(out) < discoveryCandidatesMax && !slices.Contains(out, port) {
				out = append(out, port)
			}
		}
	}
	for _, text := range declarations {
		add(portsIn(text))
	}
	add(customaryPorts)
	return out
}

// declarations reads the heads of the files in the workspace's root that can declare a port, in a fixed order.
func declarations(workspace string) []string {
	var names []string
	for _, pattern := range []string{"vite.config.*", "package.json", ".env*"} {
		found, err := filepath.Glob(filepath.Join(workspace, pattern))
		if err != nil {
			continue // the pattern is a constant
		}
		slices.SortFunc(found, func(a, b string) int { return cmp.Compare(a, b) })
		names = append(names, found...)
	}
	var out []string
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if text := head(name); text != "" {
			out = append(out, text)
		}
	}
	return out
}

func head(name string) string {
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(file, discoveryHeadBytes))
	if err != nil {
		return ""
	}
	return string(text)
}

// listens reports whether something takes a connection on a loopback port.
func listens(ctx context.Context, port int) bool {
	ctx, cancel := context.WithTimeout(ctx, discoveryConnect)
	defer cancel()
	for _, host := range []string{"127.0.0.1", "::1"} {
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		if err == nil {
			_ = connection.Close() // nothing was said on it
			return true
		}
	}
	return false
}

// guessAddress asks every candidate at the same time and returns the address of the best-ranked one that listens, not of
// the quickest; "" when none does. An empty workspace leaves the customary ports.
func guessAddress(ctx context.Context, workspace string, listens func(context.Context, int) bool) string {
	var declared []string
	if workspace != "" {
		declared = declarations(workspace)
	}
	ports := candidates(declared)
	open := make([]bool, len(ports))
	var asked sync.WaitGroup
	for i, port := range ports {
		asked.Go(func() { open[i] = listens(ctx, port) })
	}
	asked.Wait()
	if i := slices.Index(open, true); i >= 0 {
		return "http://localhost:" + strconv.Itoa(ports[i]) + "/"
	}
	return ""
}
