package messages

// Measure returns what the audit may know of a command's arguments: presence,
// counts and byte lengths, never a value (R98, R206).
func Measure(c Command) ArgumentMeasures {
	var m ArgumentMeasures
	if e, ok := c.(ElementEffect); ok {
		m.HasElement = e.Target() != ""
	}
	switch c := c.(type) {
	case *Launch:
		m.HasURL = c.URL != ""
	case *NewPage:
		m.HasURL = c.URL != ""
	case *Navigate:
		m.HasURL = true
	case *InputText:
		m.TextBytes = len(c.Text)
	case *SetValue:
		m.ValueBytes = len(c.Value)
	case *SelectOption:
		m.ValueBytes = len(c.Option)
	case *SelectChoice:
		m.PathDepth = len(c.ChoicePath)
	case *SetDate:
		m.HasDate, m.ValueBytes = true, len(c.Value)
	case *UploadFile:
		m.HasFile = true
	case *PressKey:
		m.HasModifier = len(c.Modifiers) > 0
	case *Click:
		m.HasModifier = len(c.Modifiers) > 0
	case *HandleDialog:
		m.TextBytes = len(c.PromptText)
	case *Batch:
		m.Operations = len(c.Operations)
	case *TakeSnapshot:
		m.HasQuery = !c.Query.Empty()
	case *Evaluate:
		m.TextBytes = len(c.Script)
	}
	return m
}
