package call

import (
	"github.com/troupe-browser/troupe/messages"
)

// Admit checks everything about a call that needs no browser: its arguments, its
// plane and its exact grants. The gateway asks it before anything is sent and the
// browser asks it again before anything is dispatched (R203).
func Admit(caller messages.Caller, command messages.Command) *messages.Error {
	if messages.OperatorOnly(command) && caller.Plane != messages.PlaneOperator {
		return messages.NewError(messages.CodeNoGrant, "%s, or one of its arguments, is for the operator only.", command.Action())
	}
	for _, grant := range messages.RequiredGrants(command) {
		if !caller.Grants.Has(grant) {
			return messages.NewError(messages.CodeNoGrant, "%s needs the grant %s. The operator grants it by name.", command.Action(), grant)
		}
	}
	return messages.Validate(command)
}

// Owns reports whether a caller may use what belongs to owner (C27).
func Owns(caller messages.Caller, owner messages.CallerID) bool {
	return caller.Plane == messages.PlaneOperator || caller.ID == owner
}
