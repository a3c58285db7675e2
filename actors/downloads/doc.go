// Package downloads keeps what one browser downloads: the records, which are pure
// data, and the directory that the files lie in.
//
// The browser names each file by the download's GUID in a private directory of the
// runtime (R128). A Book is folded from the browser's events and says what there
// is; a Store gives a finished file the name that the server suggested, made
// harmless, and only when somebody asks (R130). Nothing here reads a clock or
// starts anything; whoever owns the two calls them one after the other.
package downloads
