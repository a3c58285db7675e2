package inspect

import (
	"context"
	"encoding/json"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// wireCookie is a cookie as the protocol has it.
type wireCookie struct {
	Name         string          `json:"name"`
	Value        string          `json:"value"`
	Domain       string          `json:"domain,omitzero"`
	Path         string          `json:"path,omitzero"`
	Expires      float64         `json:"expires,omitzero"`
	Size         int             `json:"size,omitzero"`
	HTTPOnly     bool            `json:"httpOnly,omitzero"`
	Secure       bool            `json:"secure,omitzero"`
	SameSite     string          `json:"sameSite,omitzero"`
	PartitionKey json.RawMessage `json:"partitionKey,omitzero"`
	URL          string          `json:"url,omitzero"`
}

// Cookies lists the cookies that the page and its frames would send, or with All
// those of the whole browser context (R146). Values are not redacted: who may ask
// was granted it (R148, C3). At most CookiesShownMax are listed, by domain, path
// and name.
func Cookies(ctx context.Context, page target.Page, command *messages.GetCookies) (*messages.CookieList, error) {
	var found []wireCookie
	var err error
	if command.All {
		found, err = everyCookie(ctx, &page)
	} else {
		found, err = readCookies(ctx, page.Session, "Network.getCookies", nil)
	}
	if err != nil {
		return nil, call.Observation(err)
	}
	out := &messages.CookieList{Cookies: []messages.Cookie{}}
	size := 0
	for _, c := range found {
		size += len(c.Name) + len(c.Value) + len(c.Domain) + len(c.Path)
		if len(out.Cookies) == messages.CookiesShownMax || size > cookieBytesMax {
			out.Truncated = true
			break
		}
		out.Cookies = append(out.Cookies, c.cookie())
	}
	return out, nil
}

// everyCookie returns the cookies of the page's browser context.
func everyCookie(ctx context.Context, page *target.Page) ([]wireCookie, error) {
	_, _, browserContext, err := addressOf(ctx, page)
	if err != nil {
		return nil, err
	}
	params := map[string]any{}
	if browserContext != "" {
		params["browserContextId"] = browserContext
	}
	return readCookies(ctx, page.Browser, "Storage.getCookies", params)
}

// readCookies asks for cookies and puts them into a stable order.
func readCookies(ctx context.Context, s *cdp.Session, method string, params map[string]any) ([]wireCookie, error) {
	var answer struct {
		Cookies []wireCookie `json:"cookies"`
	}
	if err := s.Execute(ctx, method, params, &answer); err != nil {
		return nil, err
	}
	sort.SliceStable(answer.Cookies, func(i, j int) bool {
		a, b := &answer.Cookies[i], &answer.Cookies[j]
		if a.Domain != b.Domain {
			return a.Domain < b.Domain
		}
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		return a.Name < b.Name
	})
	return answer.Cookies, nil
}

func (c *wireCookie) cookie() messages.Cookie {
	out := messages.Cookie{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure,
		SameSite: strings.ToLower(c.SameSite), Size: c.Size,
	}
	// The protocol gives -1 for a cookie that ends with the session.
	if c.Expires > 0 && c.Expires < math.MaxInt32*128 {
		whole, part := math.Modf(c.Expires)
		out.Expires = time.Unix(int64(whole), int64(part*1e9)).UTC()
	}
	return out
}

// AllCookies as the domain of a clear means every cookie of the browser context.
const AllCookies = "*"

// MutateCookies sets, deletes or clears cookies (R146). Without a URL and a domain
// those of the page's address are meant; a page without one is refused with the
// fix, since the protocol would drop such a cookie without a word. A clear takes
// those that its URL, domain or the page would send; AllCookies takes all.
func MutateCookies(ctx context.Context, job Job, command *messages.MutateCookies) *messages.Receipt {
	c := command.Cookie
	wire := wireCookie{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure, URL: command.URL,
	}
	if c.SameSite != "" {
		wire.SameSite = strings.ToUpper(c.SameSite[:1]) + c.SameSite[1:]
	}
	if !c.Expires.IsZero() {
		wire.Expires = float64(c.Expires.UnixMilli()) / 1000
	}
	if wire.URL == "" && wire.Domain == "" {
		url, _, _, err := addressOf(ctx, &job.Page)
		if err != nil {
			return job.refuse(call.Observation(err))
		}
		wire.URL = url
	}
	if wire.Domain == "" && !hasCookies(wire.URL) {
		return job.refuse(messages.NewError(messages.CodeStorageUnavailable,
			"A cookie needs an http or https address, and this page has none. Navigate to the site first, or give url or domain."))
	}
	switch command.Change {
	case messages.CookieSet:
		return job.setCookie(ctx, wire)
	case messages.CookieDelete:
		return job.deleteCookies(ctx, []wireCookie{wire})
	}
	return job.clearCookies(ctx, wire)
}

func hasCookies(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

func (j *Job) setCookie(ctx context.Context, cookie wireCookie) *messages.Receipt {
	var answer struct {
		Success *bool `json:"success"`
	}
	return j.done(j.effect(ctx, "Network.setCookie", cookie, &answer, func() *messages.Error {
		if answer.Success != nil && !*answer.Success {
			return badCookie()
		}
		return nil
	}))
}

func badCookie() *messages.Error {
	return messages.NewError(messages.CodeInvalidValue,
		"The browser refused the cookie, so nothing was set: name, domain, path, secure and same_site must go together and with the address.")
}

// deleteCookies deletes each cookie by name and address. Nothing to delete is no
// failure.
func (j *Job) deleteCookies(ctx context.Context, cookies []wireCookie) *messages.Receipt {
	page := call.Page{Caller: ctx, Session: j.Page.Session}
	single := call.Single{Progress: j.Progress, Page: page}
	return j.done(single.Do(ctx, func(live func() bool) error {
		for i, c := range cookies {
			err := j.Page.Session.SendIf(ctx, live, "Network.deleteCookies", c.address()).Wait(nil)
			if err != nil && i > 0 {
				return page.Failure(err, call.Later)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// address names a cookie for its deletion.
func (c *wireCookie) address() map[string]any {
	params := map[string]any{"name": c.Name}
	for name, value := range map[string]string{"url": c.URL, "domain": c.Domain, "path": c.Path} {
		if value != "" {
			params[name] = value
		}
	}
	if len(c.PartitionKey) > 0 {
		params["partitionKey"] = c.PartitionKey
	}
	return params
}

func (j *Job) clearCookies(ctx context.Context, scope wireCookie) *messages.Receipt {
	if scope.Domain == AllCookies {
		return j.done(j.effect(ctx, "Network.clearBrowserCookies", nil, nil, anyAnswer))
	}
	var found []wireCookie
	var err error
	if scope.Domain != "" {
		found, err = everyCookie(ctx, &j.Page)
	} else {
		found, err = readCookies(ctx, j.Page.Session, "Network.getCookies", map[string]any{"urls": []string{scope.URL}})
	}
	if err != nil {
		return j.refuse(call.Observation(err))
	}
	var doomed []wireCookie
	for _, c := range found {
		if scope.Domain == "" || withinDomain(c.Domain, scope.Domain) {
			doomed = append(doomed, wireCookie{Name: c.Name, Domain: c.Domain, Path: c.Path, PartitionKey: c.PartitionKey})
		}
	}
	return j.deleteCookies(ctx, doomed)
}

// withinDomain reports whether a cookie's domain is the given one or below it.
func withinDomain(cookie, domain string) bool {
	cookie, domain = strings.TrimPrefix(cookie, "."), strings.TrimPrefix(domain, ".")
	return cookie == domain || strings.HasSuffix(cookie, "."+domain)
}
