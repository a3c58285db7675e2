// The document that this world was booted for, and what to do once another one has taken its window over.
//
// The browser uses the window of a frame's first, empty document again for the document that replaces it, when both are
// of one origin: it neither makes a new world then nor runs the bundle again. The bundle is therefore one function,
// `boot` (internal/pagebuild wraps it so), which the world runs again as soon as a call or an event finds the document
// changed. Everything begins anew, because elements and listeners went with the old document.

export const home = globalThis.document;

// replaced tells that the browser has used this window again for another document.
export const replaced = () => globalThis.document !== home;

// renewed is the global of the document that has taken this window over.
export function renewed() {
  boot();
  return Object.getOwnPropertyDescriptor(globalThis, "troupe").value;
}
