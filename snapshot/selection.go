package snapshot

import "github.com/troupe-browser/troupe/messages"

// View is what was asked of a snapshot.
type View struct {
	Mode       messages.SnapshotMode
	Projection messages.Projection
	Query      messages.Query
	// Offset and Max cut the window; Max 0 means the projection's default.
	Offset, Max int
	// Depth is the deepest listed node, counted in listed ancestors; 0 means
	// messages.SnapshotDepthMax.
	Depth int
	// Broad adds hints to nodes without a name (R228).
	Broad bool
}

// Selection is the window of a snapshot: indices of the tree's nodes in document
// order, and what the window left out.
type Selection struct {
	View
	Nodes []int
	// Depths gives for each selected node the number of listed ancestors.
	Depths        []int
	AutoCompacted bool
	Truncated     bool
	Next          *int
	// DeepCut counts the nodes that the depth limit hid.
	DeepCut int
}

// compactBytes is the estimate above which auto compacts: 3/4 of the limit (R46).
const compactBytes = messages.SnapshotBytesMax * 3 / 4

// Select filters a tree by mode and query and cuts the window (R45-R50, R55).
func Select(t *Tree, v View) *Selection {
	v = defaults(v)
	s := &Selection{View: v, Truncated: t.Truncated}
	listed, depths := list(t)
	full := make([]int, 0, len(listed))
	interactive := make([]int, 0, len(listed))
	horizon, estimate := 0, 0
	match := newMatcher(v.Query)
	for k, i := range listed {
		if horizon++; horizon > messages.QueryHorizonNodes {
			s.Truncated = true
			break
		}
		if depths[k] > v.Depth {
			s.DeepCut++
			continue
		}
		n := &t.Nodes[i]
		if !v.Query.Empty() && !match.matches(n) {
			continue
		}
		full = append(full, k)
		estimate += s.weight(n)
		if len(n.Actions) > 0 || isControl(n) {
			interactive = append(interactive, k)
		}
	}
	s.Truncated = s.Truncated || s.DeepCut > 0
	chosen := full
	switch v.Mode {
	case messages.ModeInteractive:
		chosen = interactive
	case messages.ModeAuto:
		if v.Query.Empty() && (t.Compact || s.compacts(len(full), estimate)) {
			s.AutoCompacted, chosen = true, interactive
		}
	}
	s.cut(chosen, listed, depths)
	return s
}

// compacts decides for auto (R46). The tree projection is compact by itself and
// has a cap of its own. There, what is not compacted fits into one window, so
// whoever asks for a later window is paging through a compacted answer.
func (s *Selection) compacts(nodes, estimate int) bool {
	if s.Truncated || nodes > s.Max {
		return true
	}
	if s.Projection == messages.ProjectionTree {
		return estimate > outlineCompactBytes || s.Offset > 0
	}
	return nodes > messages.SnapshotNodesDefault || estimate > compactBytes
}

// outlineCompactBytes is the estimate above which auto compacts the tree
// projection.
const outlineCompactBytes = 24 << 10

// cut takes the window out of the chosen nodes.
func (s *Selection) cut(chosen, listed, depths []int) {
	from := min(s.Offset, len(chosen))
	to := min(from+s.Max, len(chosen))
	for _, k := range chosen[from:to] {
		s.Nodes = append(s.Nodes, listed[k])
		s.Depths = append(s.Depths, depths[k])
	}
	if to < len(chosen) {
		s.more(to)
	}
}

// more says that the window ends at an offset although there are further nodes.
// Beyond the horizon of paging there is no next offset (R50).
func (s *Selection) more(offset int) {
	s.Truncated, s.Next = true, nil
	if offset <= messages.NodeOffsetMax {
		s.Next = &offset
	}
}

// Keep shortens the window to its first n nodes, because the budget ended there.
func (s *Selection) keep(n int) {
	if n >= len(s.Nodes) {
		return
	}
	s.Nodes, s.Depths = s.Nodes[:n], s.Depths[:n]
	s.more(s.Offset + n)
}

func defaults(v View) View {
	if v.Mode == "" {
		v.Mode = messages.ModeAuto
	}
	limit, usual := messages.SnapshotNodesMax, messages.SnapshotNodesDefault
	switch v.Projection {
	case messages.ProjectionTree:
		limit, usual = messages.TreeNodesMax, messages.TreeNodesMax
	case messages.ProjectionFlat:
		limit, usual = messages.FlatElementsMax, messages.FlatElementsMax
	default:
		v.Projection = messages.ProjectionSemantic
	}
	if v.Max <= 0 {
		v.Max = usual
	}
	v.Max = min(v.Max, limit)
	if v.Depth <= 0 || v.Depth > messages.SnapshotDepthMax {
		v.Depth = messages.SnapshotDepthMax
	}
	v.Offset = max(v.Offset, 0)
	return v
}

// list gives the nodes that stand for something, in document order, with the
// number of listed nodes above each.
func list(t *Tree) (listed, depths []int) {
	depth := make([]int, len(t.Nodes)) // of the nearest listed node at or above, plus one
	for i := range t.Nodes {
		n := &t.Nodes[i]
		above := 0
		if n.Parent >= 0 {
			above = depth[n.Parent]
		}
		depth[i] = above
		if !stands(n) {
			continue
		}
		depth[i] = above + 1
		listed = append(listed, i)
		depths = append(depths, above)
	}
	return listed, depths
}

// prune removes the nodes that were kept only because something about them might
// have mattered and, as Admit found, does not. Their children move up.
func prune(t *Tree) {
	to := make([]int, len(t.Nodes)) // where a node went, or its nearest kept ancestor
	kept := t.Nodes[:0]
	for i := range t.Nodes {
		n := t.Nodes[i]
		if n.Parent >= 0 {
			n.Parent = to[n.Parent]
		}
		if !stands(&n) && n.Facts&(EditingHost|Draggable|Tabbable) == 0 {
			to[i] = n.Parent
			continue
		}
		to[i] = len(kept)
		kept = append(kept, n)
	}
	t.Nodes = kept
}

// stands reports whether a node is listed at all: what has an action, a name or a
// role that says something.
func stands(n *Node) bool {
	if n.Role == TextRole || len(n.Actions) > 0 {
		return true
	}
	if inlineRoles[n.Role] {
		return false
	}
	return !emptyRoles[n.Role] || n.Name != "" && n.Role != "rowgroup"
}

// weight estimates the bytes of a node in the projection.
func (s *Selection) weight(n *Node) int {
	if s.Projection == messages.ProjectionTree {
		size := 12 + len(n.Role) + len(n.Name) + len(n.Label)
		if n.Role == TextRole {
			size = 4 + len(n.Name)
		}
		if n.Value != nil {
			size += 6 + len(*n.Value)
		}
		return size
	}
	size := 48 + len(n.Role) + len(n.Name) + len(n.Description) + len(n.Placeholder) + len(n.Label) + len(n.Group) + len(n.Section)
	if n.Value != nil {
		size += 10 + len(*n.Value)
	}
	if len(n.Actions) > 0 {
		size += 64
	}
	for _, a := range n.Actions {
		size += len(a) + 3
	}
	for _, o := range n.Options {
		size += len(o) + 3
	}
	return size
}
