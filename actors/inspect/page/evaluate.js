// Runs the operator's script as if it stood in the page, waits for its promise, and returns its value as JSON, cut to a
// number of characters, so that a large value never crosses the wire.
// Resolves to JSON: {"none":true} | {"value":string,"size":number}
export async function evaluate(script, limit) {
  const value = await (0, eval)(script);
  if (value === undefined) return JSON.stringify({ none: true });
  let text;
  try { text = JSON.stringify(value); } catch { /* a cycle or a BigInt */ }
  if (typeof text !== "string") text = JSON.stringify(String(value));
  return JSON.stringify({ value: text.slice(0, limit), size: text.length });
}
