package cdp

import (
	protocol "github.com/chromedp/cdproto/cdp"
)

// The typed commands and events of cdproto run on a session.
var _ protocol.Session = (*Session)(nil)
