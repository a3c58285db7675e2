package collect

// The page functions of the accessibility collector. Reading a tree and
// registering its nodes are several calls; these functions tell what changed in
// between. They run in our isolated world, hold nothing strongly after the
// release of their handle, and change nothing. A form or a document lets the page
// shadow its properties with named elements, so what may be one of them is read
// through the prototypes.

const safeAccess = `
  const getter = (proto, name) => {
    const get = Object.getOwnPropertyDescriptor(proto, name).get;
    return (node) => get.call(node);
  };
  const parentOf = getter(Node.prototype, "parentNode"), typeOf = getter(Node.prototype, "nodeType");
  const viewOf = getter(Document.prototype, "defaultView"), connected = getter(Node.prototype, "isConnected");
  const localName = getter(Element.prototype, "localName"), ownerOf = getter(Node.prototype, "ownerDocument");
  const attribute = (node, name) => Element.prototype.getAttribute.call(node, name);
  const rootOf = (node) => Node.prototype.getRootNode.call(node);
`

// watchExpression begins to watch what names depend on, in the main document, the
// frames of its origin and open shadow roots, at most 64 of them. It returns a
// handle. Nodes in a root that is not watched count as touched.
const watchExpression = `(() => {` + safeAccess + `
  const attributes = ["role", "alt", "title", "value", "placeholder", "type", "label", "for", "id", "hidden", "href", "contenteditable",
    "aria-label", "aria-labelledby", "aria-hidden", "aria-roledescription"];
  const touched = new Set(), roots = new Set();
  const note = (records) => { for (const record of records) touched.add(record.target); };
  const observer = new MutationObserver(note);
  const all = (root) => (typeOf(root) === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(root, "*");
  const shadow = getter(Element.prototype, "shadowRoot"), inner = getter(HTMLIFrameElement.prototype, "contentDocument");
  const add = (root) => {
    if (roots.size >= 64 || roots.has(root)) return;
    roots.add(root);
    observer.observe(root, {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: attributes});
    for (const el of all(root)) {
      const own = shadow(el);
      if (own) add(own);
      if (localName(el) === "iframe") {
        try { const doc = inner(el); if (doc) add(doc); } catch {}
      }
    }
  };
  add(document);
  const up = (node) => parentOf(node) || (typeOf(node) === 11 && node.host) || null;
  const byID = (root, id) => (typeOf(root) === 9 ? Document : DocumentFragment).prototype.getElementById.call(root, id);
  const depends = (node, marked, unwatched) => {
    if (marked.has(node)) return true;
    if (!roots.has(rootOf(node))) return unwatched;
    for (const label of node.labels || []) if (marked.has(label)) return true;
    const ids = attribute(node, "aria-labelledby");
    return Boolean(ids) && ids.split(/\s+/).some((id) => id && marked.has(byID(rootOf(node), id)));
  };
  return {
    // take gives a test for the nodes that were touched until now, and forgets
    // them. unwatched is its answer for a node in a root that is not watched.
    take(unwatched) {
      note(observer.takeRecords());
      const marked = new Set();
      for (const target of touched) for (let at = target; at && !marked.has(at); at = up(at)) marked.add(at);
      touched.clear();
      return (node) => {
        try { return depends(node, marked, unwatched); } catch { return true; }
      };
    },
    stop() { observer.disconnect(); touched.clear(); roots.clear(); },
  };
})()`

// registerFunction stores nodes in the registry of the page. The documents that
// the tree was read from stand before the nodes.
const registerFunction = `function(watch, generation, ax, count, ...rest) {` + safeAccess + `
  const documents = rest.slice(0, count), nodes = rest.slice(count);
  const shown = (doc, at) => {
    if (at === 0) return doc === document;
    const view = viewOf(doc);
    return Boolean(view) && view.document === doc;
  };
  const secret = (n) => {
    if (!/^(input|textarea)$/.test(localName(n))) return false;
    let known = troupe.secrets;
    try { known = viewOf(ownerOf(n)).troupe.secrets || known; } catch {}
    if (known.has(n) || n.type === "password") return true;
    if (/\b(current|new)-password\b/i.test(attribute(n, "autocomplete") || "")) return true;
    const security = getComputedStyle(n).webkitTextSecurity;
    return Boolean(security) && security !== "none";
  };
  const touched = watch.take(true);
  return JSON.stringify({
    documents: documents.every(shown),
    index: nodes.map((n) => typeOf(n) === 1 && connected(n) ? troupe.register(n, generation, ax) : -1),
    secret: nodes.map(secret),
    touched: nodes.map(touched),
  });
}`

// touchedFunction tells which registered nodes were touched since the
// registration, and ends the watch.
const touchedFunction = `function(watch, indices, generation) {
  const touched = watch.take(false);
  watch.stop();
  return JSON.stringify({touched: indices.map((i) => {
    const held = troupe.grip({g: generation, i});
    return !held.ok || touched(held.node);
  })});
}`
