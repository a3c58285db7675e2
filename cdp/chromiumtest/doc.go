// Package chromiumtest starts real Chromium for the tests of packages that speak the
// DevTools protocol below the actors, and opens pages in it. It is the counterpart of
// package cdptest, whose browser is a script in memory.
package chromiumtest
