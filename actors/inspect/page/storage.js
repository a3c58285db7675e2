// Reads or changes one of the two web storages at the page's own origin.
// change: "" reads one key, or all when the key is null; "set", "remove", "clear" change.
// Returns JSON: {"entries":[{key,value,cut}],"cut":bool} | {"done":true} | {"refused":"unavailable"|"quota"}
export function storage(area, change, key, value, valueMax, totalMax) {
  let storage = null;
  try { storage = area === "local" ? window.localStorage : window.sessionStorage; } catch { /* an opaque origin has none */ }
  if (!storage) return JSON.stringify({ refused: "unavailable" });
  switch (change) {
    case "set":
      try { storage.setItem(key, value); } catch { return JSON.stringify({ refused: "quota" }); }
      return JSON.stringify({ done: true });
    case "remove":
      storage.removeItem(key);
      return JSON.stringify({ done: true });
    case "clear":
      storage.clear();
      return JSON.stringify({ done: true });
  }
  const names = [];
  if (key !== null) {
    if (storage.getItem(key) !== null) names.push(key);
  } else {
    for (let i = 0; i < storage.length; i++) names.push(storage.key(i));
    names.sort();
  }
  const encoder = new TextEncoder();
  const entries = [];
  let total = 0;
  for (const name of names) {
    const whole = storage.getItem(name) ?? "";
    const entry = { key: name.slice(0, valueMax), value: whole.slice(0, valueMax), cut: whole.length > valueMax || name.length > valueMax };
    total += encoder.encode(JSON.stringify(entry)).length;
    if (total > totalMax) return JSON.stringify({ entries, cut: true });
    entries.push(entry);
  }
  return JSON.stringify({ entries, cut: false });
}
