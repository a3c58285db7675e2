package page

import (
	"context"

	"github.com/troupe-browser/troupe/actors/diagnostics"
	"github.com/troupe-browser/troupe/actors/effect"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/inspect"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// observer answers the observations of a page other than snapshots and pictures.
type observer struct {
	page        target.Page
	link        *engine.Link
	diagnostics *diagnosticsHub
	caller      messages.Caller
}

// observe answers one observation.
func (o *observer) observe(ctx context.Context, command messages.Command) (messages.Reply, *messages.Error) {
	if refusal := o.foreign(command); refusal != nil {
		return nil, refusal
	}
	switch c := command.(type) {
	case *messages.WaitFor:
		return answered(inspect.Wait(ctx, o.page, c))
	case *messages.ReadField:
		return answered(inspect.Field(ctx, o.page, c))
	case *messages.GetCookies:
		return answered(inspect.Cookies(ctx, o.page, c))
	case *messages.GetStorage:
		return answered(inspect.Storage(ctx, o.page, c))
	case *messages.GetNetworkRequest:
		return o.request(ctx, c)
	case *messages.GetConsole, *messages.GetNetwork, *messages.GetDiagnostics:
		answer := o.diagnostics.ask(ctx, command, o.view())
		return answer.reply, answer.err
	}
	return nil, messages.NewError(messages.CodeNotSupported, "")
}

// answered turns a runner's answer into the form of an operation, which knows no
// reply that is a nil of a type.
func answered[R messages.Reply](reply R, err error) (messages.Reply, *messages.Error) {
	if err != nil {
		return nil, messages.AsError(err)
	}
	return reply, nil
}

// view says what of the ledgers the caller sees (C4, C20, C21).
func (o *observer) view() diagnostics.View {
	return diagnostics.View{Operator: o.caller.Plane == messages.PlaneOperator}
}

// request answers with one record of the ledger, and its body when it is asked for.
func (o *observer) request(ctx context.Context, command *messages.GetNetworkRequest) (messages.Reply, *messages.Error) {
	answer := o.diagnostics.ask(ctx, command, o.view())
	detail, ok := answer.reply.(*messages.NetworkDetail)
	if !ok || answer.err != nil {
		return nil, answer.err
	}
	if command.Body {
		inspect.RequestBody(ctx, o.page, answer.body, detail)
	}
	return detail, nil
}

// foreign refuses what is never done on a browser that is not ours: credentials
// and storage are the user's there (C3), and so is what runs in their tabs (C1).
func (o *observer) foreign(command messages.Command) *messages.Error {
	switch c := command.(type) {
	case *messages.WaitFor:
		if c.Function != "" && o.link.Engine.Ownership == messages.AttachedExternal {
			return messages.NewError(messages.CodeExternalBrowserOwnership, "")
		}
	case *messages.GetNetworkRequest, *messages.GetCookies, *messages.GetStorage:
		return foreignRefusal(o.link)
	}
	return nil
}

func foreignRefusal(link *engine.Link) *messages.Error {
	switch link.Engine.Ownership {
	case messages.OwnedEphemeral, messages.OwnedManaged:
		return nil
	}
	return messages.NewError(messages.CodeExternalBrowserOwnership, "")
}

// runEffect carries out one effect of the page.
func (r *runner) runEffect(ctx context.Context, env effect.Env, command messages.Effect) messages.Reply {
	job := inspect.Job{Page: env.Page, Progress: r.progress, Operation: env.Operation}
	switch c := command.(type) {
	case *messages.MutateCookies:
		if refusal := foreignRefusal(r.spec.Link); refusal != nil {
			return messages.Refusal(env.Operation, refusal)
		}
		return inspect.MutateCookies(ctx, job, c)
	case *messages.MutateStorage:
		if refusal := foreignRefusal(r.spec.Link); refusal != nil {
			return messages.Refusal(env.Operation, refusal)
		}
		return inspect.MutateStorage(ctx, job, c)
	case *messages.Evaluate:
		if r.spec.Link.Engine.Ownership == messages.AttachedExternal {
			return messages.Refusal(env.Operation, messages.NewError(messages.CodeExternalBrowserOwnership, ""))
		}
		return inspect.Evaluate(ctx, job, c)
	case *messages.ClearDiagnostics:
		return r.clearDiagnostics(ctx, c)
	}
	return effect.Run(ctx, env, command)
}

// clearDiagnostics empties the page's ledgers behind everything that the browser
// has said so far (R144, R145).
func (r *runner) clearDiagnostics(ctx context.Context, command *messages.ClearDiagnostics) messages.Reply {
	operation := r.operation.call.Operation
	if refusal := r.progress.Begin(ctx); refusal != nil {
		return messages.Refusal(operation, refusal)
	}
	if answer := r.diagnostics.ask(ctx, command, diagnostics.View{}); answer.err != nil {
		return messages.Refusal(operation, answer.err.AsUnknown())
	}
	r.progress.End(true)
	return &messages.Receipt{ExecutionState: messages.Completed, OperationID: operation}
}
