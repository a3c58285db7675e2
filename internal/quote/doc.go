// Package quote shows text of pages so that neither a reader nor a parser can take it for words of ours.
//
// Every text that a page, a server or a person chose goes through here before it stands in a line of ours: names, values,
// titles, addresses, messages, console lines. Whatever stands outside quotation marks is ours. The package knows nothing
// of lines and what they say; FuzzLines of package tools holds every formatter to it.
package quote
