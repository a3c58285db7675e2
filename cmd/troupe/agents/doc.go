// Package agents is what agents and programs use: MCP on the standard streams, and tool calls as lines of JSON.
package agents
