// seen: the guard's verdict, given at the moment at which the input has arrived.
//
// The answers of input commands come late: a link that was clicked may have
// been followed by then, and the record would be gone with the document. And an
// evaluation sent along with the input may overtake it, so that the guard would
// be read, and thereby ended, too early. So this call goes out with the input and
// waits in the page: for the event that was announced, or for poke(), which the
// runtime sends once the browser has answered every input.
//
// An input that the guard stopped is never reported early: what follows of the
// gesture is still on its way and has to be stopped too.

let poking = null;

// soon runs a function in a task of its own, since listeners further in may still
// stop the event that is being dispatched.
const soon = (f) => {
  if (globalThis.scheduler && scheduler.postTask) scheduler.postTask(f, { priority: "user-blocking" });
  else setTimeout(f);
};

export function seen(args) {
  let changed = () => {};
  const armed = troupe.watch(args.token, () => soon(() => changed()));
  if (!armed) return { ok: true, armed: false };
  const arrived = () => !armed.blocked && ((args.clicks > 0 && armed.gestures >= args.clicks) || (args.event && armed.events.includes(args.event)));
  return new Promise((resolve) => {
    let open = true;
    const done = () => {
      if (!open) return;
      open = false;
      poking = null;
      resolve(JSON.parse(troupe.verdict(args.token)));
    };
    changed = () => {
      if (arrived()) done();
    };
    poking = done;
    if (arrived()) done();
  });
}

export function poke() {
  if (poking) poking();
  return { ok: true };
}

export const ready = () => ({ ok: true });

// heard is seen for a key that goes to whatever has the focus, where no guard is
// up: it waits for the key's arrival in this document, or for poke(). A frame's
// own keys are not heard here, which is no sign against them.
export function heard(args) {
  return new Promise((resolve) => {
    const onKey = (event) => {
      if (!event.isTrusted) return;
      // Told at once: a dialog of the page's handler holds everything else back.
      if (typeof troupeSaw === "function") troupeSaw(JSON.stringify({ token: 0, presses: 1, clicks: 0, inputs: 0, drops: 0, event: "+" + event.type }));
      soon(done);
    };
    const done = () => {
      poking = null;
      removeEventListener(args.event, onKey, true);
      resolve({ ok: true });
    };
    addEventListener(args.event, onKey, true);
    poking = done;
  });
}
