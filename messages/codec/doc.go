// Package codec carries commands and replies over a wire as JSON, by the names of
// the action table in package messages: between the command line and its daemon,
// and wherever else a Gateway is reached from another process.
//
// It knows package messages alone, so that a command which is in the table crosses
// every wire. Both ends compare Version before the first command.
package codec
