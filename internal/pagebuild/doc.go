// Command pagebuild bundles the page-side ES modules into the scripts that the
// binary embeds. `go generate ./...` runs it. Its output is checked in, so that
// a build of the runtime needs neither it nor esbuild; a test here fails when an
// output is stale. It knows where the modules are, and nothing of what they do.
package main
