// A talk between a page function and the runtime. What a custom control needs,
// one has to find out by looking, and the looking belongs in the page; the input
// has to be trusted and guarded, and that belongs to the runtime. So a procedure
// runs here as one asynchronous function and asks for each input:
//
//   begin   nothing but that the effect may begin (before the page is changed here)
//   press   a click on an element        hover   the pointer on an element
//   type    text into an element         key     a key, on an element or the focus
//   nudge   a key that does nothing by itself, on the focus
//
// Each is answered with {ok}, and the procedure ends with {code, detail} or
// without a code. One procedure runs at a time; an operation has the page alone.

let exchange = null;

export function converse(procedure) {
  const mine = { out: null, back: null };
  exchange = mine;
  const first = new Promise((resolve) => {
    mine.out = resolve;
  });
  const ask = (instruction) =>
    new Promise((answered) => {
      mine.back = answered;
      mine.out({ ok: true, ...instruction });
    });
  procedure(ask).then(
    (end) => mine.out({ ok: true, do: "end", ...end }),
    (error) => mine.out(error instanceof End ? { ok: true, do: "end", ...error.end } : { ok: true, do: "end", code: "form_control_script_failed", detail: "the page function failed" }),
  );
  return first;
}

// End ends a procedure from inside.
export class End {
  constructor(code, detail) {
    this.end = { code, detail };
  }
}

// resume answers the last instruction and waits for the next.
export function resume(answer) {
  const mine = exchange;
  if (!mine || !mine.back) return { ok: true, do: "end", code: "form_control_result_invalid", detail: "no procedure waits for an answer" };
  const next = new Promise((resolve) => {
    mine.out = resolve;
  });
  const back = mine.back;
  mine.back = null;
  back(answer);
  return next;
}
