// Package pagetest is the rig of the tests that drive a page of real Chromium below the actors: one browser for a test
// package, and in it, for each test, a page of a browser context that no other test has at the time, set up as the page
// actor sets up its own. Its counterpart is package cdptest, whose browser is a script in memory.
package pagetest
