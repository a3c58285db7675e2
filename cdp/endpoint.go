package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

const (
	// dialTimeout bounds connecting to an endpoint, with everything that belongs to
	// it. A context can only shorten it.
	dialTimeout = 10 * time.Second

	// versionReplyMax bounds what is read of an endpoint's description, in bytes;
	// a longer one is no browser's.
	versionReplyMax = 64 << 10

	// browserPath begins the path of a browser-level socket.
	browserPath = "/devtools/browser/"
)

// EndpointConfig names a DevTools endpoint that the operator configured (R7, R13).
type EndpointConfig struct {
	// URL is http(s)://host:port, whose description is read for the socket's
	// address, or the ws(s):// address itself.
	URL string
	// AllowRemote lifts the rule that the endpoint must be on this machine (R12).
	// An endpoint gives full control of the browser and of every file it can read.
	AllowRemote bool
}

// Dial connects to an endpoint. Unless AllowRemote, the host must be a loopback
// address or "localhost", in the configured address and in the one that the
// endpoint reports, and the address that is really connected to must be a loopback
// address too. Proxies are never used and no redirect is followed. The error is a
// *LaunchError.
func Dial(ctx context.Context, config EndpointConfig) (Transport, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	u, err := url.Parse(config.URL)
	if err != nil || u.Host == "" {
		return nil, launchError(CauseEndpointInvalid, fmt.Sprintf("endpoint %q", config.URL))
	}
	if err := checkHost(u, config.AllowRemote); err != nil {
		return nil, err
	}
	switch u.Scheme {
	case "ws", "wss":
	case "http", "https":
		if u, err = reportedSocket(ctx, u, config.AllowRemote); err != nil {
			return nil, err
		}
	default:
		return nil, launchError(CauseEndpointInvalid, fmt.Sprintf("endpoint of scheme %q", u.Scheme))
	}
	return dialSocket(ctx, u, config.AllowRemote)
}

// checkHost applies the loopback rule to the host of an address. Other names are
// not resolved to find out: what they mean can change between check and use.
func checkHost(u *url.URL, allowRemote bool) error {
	host := u.Hostname()
	if allowRemote || strings.EqualFold(host, "localhost") {
		return nil
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.Unmap().IsLoopback() {
		return nil
	}
	return launchError(CauseEndpointRemote, fmt.Sprintf("host %q", host))
}

// dialer returns the dialer of all connections to an endpoint. What a name such as
// "localhost" was resolved to is checked at the last moment.
func dialer(allowRemote bool) *net.Dialer {
	d := &net.Dialer{}
	if !allowRemote {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			remote, err := netip.ParseAddrPort(address)
			if err != nil || !remote.Addr().Unmap().IsLoopback() {
				return errors.New("the endpoint's name does not stand for this machine")
			}
			return nil
		}
	}
	return d
}

// reportedSocket asks an endpoint for the address of its browser socket and puts it
// to the same rule.
func reportedSocket(ctx context.Context, u *url.URL, allowRemote bool) (*url.URL, error) {
	transport := &http.Transport{
		Proxy: nil, DialContext: dialer(allowRemote).DialContext, DisableKeepAlives: true,
	}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath("json", "version").String(), nil)
	if err != nil {
		return nil, launchError(CauseEndpointInvalid, err.Error())
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, launchError(CauseConnect, err.Error())
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, versionReplyMax+1))
	if err != nil {
		return nil, launchError(CauseConnect, err.Error())
	}
	if response.StatusCode != http.StatusOK || len(data) > versionReplyMax {
		return nil, launchError(CauseConnect, fmt.Sprintf("the endpoint answered with status %d and %d bytes", response.StatusCode, len(data)))
	}
	var description struct {
		Socket string `json:"webSocketDebuggerUrl"`
	}
	if err := json.Unmarshal(data, &description); err != nil {
		return nil, launchError(CauseConnect, "the endpoint's description is not JSON")
	}
	socket, err := url.Parse(description.Socket)
	if err != nil || socket.Host == "" || (socket.Scheme != "ws" && socket.Scheme != "wss") ||
		!strings.HasPrefix(socket.Path, browserPath) {
		return nil, launchError(CauseEndpointInvalid, fmt.Sprintf("the endpoint reports the socket %q", description.Socket))
	}
	return socket, checkHost(socket, allowRemote)
}
