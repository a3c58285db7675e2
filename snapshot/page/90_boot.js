// Installation: the listeners, the watch over password fields, and the one
// global of our world. Its names are the contract with the Go side and are
// described in 00_api.js.

listen();
watchTypes(home);

// document.open() removes listeners but not observers, and it replaces the
// root: put the listeners back before scripts of the new content go on.
new MutationObserver(listen).observe(home, { childList: true });

// renewed is the global of the document that has taken this window over.
function renewed() {
  boot();
  return Object.getOwnPropertyDescriptor(globalThis, "troupe").value;
}

// Every call is answered by the outermost world that we can reach, where the
// registry is: a caller may hold the world of an inner frame.
const call = (name, f) => (...args) => {
  if (replaced()) return renewed()[name](...args);
  const state = core();
  return state === own ? f(...args) : state.api[name](...args);
};
const textOf = (f) => (...args) => JSON.stringify(f(...args));

const texts = { begin, check, aim, reaim, focus, verdict, expect, human, open, read, cool };
const plain = {
  snap: (options) => {
    const text = snap(options);
    return typeof text === "string" ? text : JSON.stringify(text);
  },
  register,
  grip,
  handle: (args) => {
    const held = grip(args);
    return held.ok ? held.node : JSON.stringify(held);
  },
  settle: (options) => settle(options).then(JSON.stringify),
};

const api = { home, core: own, secrets, guard: { onTrusted, holdWheel } };
for (const [name, f] of Object.entries(texts)) api[name] = call(name, textOf(f));
for (const [name, f] of Object.entries(plain)) api[name] = call(name, f);
own.api = api;

Object.defineProperty(globalThis, "troupe", {
  configurable: true, // A window that is used again for a new document gets a new one.
  value: Object.freeze(api),
});
