// Reads the text or the source of the document or of one element, cut to a number of characters. What is or was a
// password is left out of both.
// Returns JSON: {"value":string,"cut":bool} | {"missing":true} | {"bad":true} for a selector that cannot be read.
export function field(field, selector, limit) {
  const known = globalThis.troupe && globalThis.troupe.secrets;
  const secret = (e) => e.localName === "input" && (e.type === "password" || Boolean(known && known.has(e)));
  const valued = (root) => [root, ...root.querySelectorAll("input[value]")];
  /** @type {any} */
  let element = field === "text" ? document.body || document.documentElement : document.documentElement;
  if (selector) {
    try { element = document.querySelector(selector); } catch { return JSON.stringify({ bad: true }); }
  }
  if (!element) return JSON.stringify(selector ? { missing: true } : { value: "", cut: false });
  let text = "";
  if (field === "html") {
    const found = valued(element);
    if (found.some(secret)) {
      element = element.cloneNode(true);
      valued(element).forEach((copy, i) => { if (secret(found[i])) copy.removeAttribute("value"); });
    }
    text = element.outerHTML;
  } else if (["input", "textarea", "select"].includes(element.localName)) {
    if (!secret(element)) text = element.value;
  } else {
    text = element.innerText ?? element.textContent;
  }
  text = String(text ?? "");
  return JSON.stringify({ value: text.slice(0, limit), cut: text.length > limit });
}
