// Package tools is the model facade: the tools that a language model sees, and the MCP server that offers them.
//
// It owns the closed argument objects of observe_browser, control_browser and inspect_browser, their schemas, the exact
// grant of each action, and the form of every answer. It holds a messages.Gateway and
// nothing else of the runtime, so that which host answers never shows, and it knows no browser, page or protocol.
//
// A call takes one way, in Facade.Call:
//
//	arguments ──▶ closed object ──▶ command ──▶ Validate ──▶ grants ──▶ Gateway.Do ──▶ projection ──▶ Result
//	               refused by name               refused      refused                  operator's facts go
//
// The table of package messages says which arguments an action takes. The parser, the schema, the description that a model
// reads and the tests all come from it, so that none of them can disagree with another.
//
// # What a host sees
//
// The structured content of a result is the contract: the objects of the tool contract, complete. The text content beside
// it is for people and for hosts that hand only text to their model. It is no second copy of the structure: a receipt is
// one to a few lines, a snapshot one line per node with its ref, so a model can work from the text alone at about a fifth
// of the bytes. A picture is image content, and the structure holds only its measures.
package tools
