// Watches for one condition in the document of the isolated world that it runs in and resolves when it holds, or after
// the budget. It changes nothing, and its observers end with it.
// Returns JSON: {"met":true} | {"met":false} | {"bad":true} for a selector that cannot be read.
export const wait = (kind, wanted, budget, gap, backstop) => new Promise((resolve) => {
  const began = performance.now();
  const fold = (text) => (text || "").replace(/\s+/g, " ").toLowerCase();
  const needle = fold(wanted).trim();
  const observer = new MutationObserver(() => soon());
  const watched = new Set();
  const signals = ["load", "transitionend", "animationend", "toggle", "readystatechange"];
  let ended = false, timer = 0, due = Infinity, last = -Infinity, cost = 0;

  function watch(root) {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    for (const name of signals) root.addEventListener(name, soon, true);
  }

  // The parts of a document or shadow root whose text is laid out by themselves.
  function holds(root) {
    watch(root);
    const parts = root.body ? [root.body] : [...root.children];
    for (const part of parts) {
      if (part.checkVisibility() && fold(part.innerText).includes(needle)) return true;
    }
    for (const e of root.querySelectorAll("input[type=button],input[type=submit],input[type=reset]")) {
      if (fold(e.value).includes(needle) && e.checkVisibility({ visibilityProperty: true })) return true;
    }
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot && holds(e.shadowRoot)) return true;
      if ((e.localName === "iframe" || e.localName === "frame") && e.checkVisibility()) {
        let inner = null;
        try { inner = e.contentDocument; } catch { /* another origin's document is out of reach */ }
        if (inner && holds(inner)) return true;
      }
    }
    return false;
  }

  function met() {
    switch (kind) {
      case "text": return holds(document);
      case "gone": return !holds(document);
      case "selector": watch(document); return document.querySelector(wanted) !== null;
      case "loading": watch(document); return document.readyState !== "complete";
      case "complete": watch(document); return document.readyState === "complete" && location.protocol !== "chrome-error:";
      default: watch(document); return document.readyState === "complete";
    }
  }

  function end(result) {
    ended = true;
    clearTimeout(timer);
    observer.disconnect();
    for (const root of watched) for (const name of signals) root.removeEventListener(name, soon, true);
    removeEventListener("load", soon, true);
    resolve(JSON.stringify(result));
  }

  function look() {
    const now = performance.now();
    due = Infinity;
    let result = false;
    try { result = met(); } catch (e) {
      if (e instanceof DOMException && kind === "selector") return end({ bad: true });
      // A document that is being replaced throws: not yet.
    }
    cost = performance.now() - now;
    last = performance.now();
    if (result) return end({ met: true });
    if (last - began >= budget) return end({ met: false });
    at(Math.min(Math.max(backstop, 4 * cost), budget - (last - began)));
  }

  // at schedules a look, unless an earlier one is scheduled.
  function at(delay) {
    const when = performance.now() + delay;
    if (ended || when >= due) return;
    clearTimeout(timer);
    due = when;
    timer = setTimeout(look, delay);
  }

  // soon looks after a change, never more often than the gap, and never so often that a page is kept busy by it.
  function soon() { at(Math.max(0, last + Math.max(gap, 4 * cost) - performance.now())); }

  addEventListener("load", soon, true);
  look();
});
