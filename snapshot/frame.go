package snapshot

// FrameFact is what identifies one frame of a page while it is read (R104-R106).
type FrameFact struct {
	ID, Parent string
	// World is the unique id of our isolated world in it, "" outside our process.
	World string
}
