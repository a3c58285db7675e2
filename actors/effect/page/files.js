// upload_file: the input behind the element, and the proof that a file arrived.

import { refuse, tagOf } from "./controls.js";

// inputOf is the file input that the element is, or the only one that it holds
// or that its label names.
export function inputOf(el) {
  if (tagOf(el) === "input" && el.type === "file") return el;
  if (tagOf(el) === "label" && el.control && el.control.type === "file") return el.control;
  const inner = Array.from(el.querySelectorAll("input[type=file]"));
  return inner.length === 1 ? inner[0] : null;
}

// arrivals notes what file inputs held when their change event came, since a
// page may empty the input in its handler.
const arrivals = new WeakMap();

addEventListener(
  "change",
  (event) => {
    const el = /** @type {any} */ (event.composedPath()[0]);
    if (el && el.files) arrivals.set(el, Array.from(el.files, (file) => ({ name: file.name, size: file.size })));
  },
  { capture: true },
);

// unasked is a sentence for a file of a kind that the input does not ask for, ""
// for one that it does. The browser's own chooser would only not offer it.
export function unasked(input, files) {
  const kinds = input.accept.split(",").map((kind) => kind.trim().toLowerCase()).filter(Boolean);
  if (kinds.length === 0) return "";
  const fits = (name) =>
    kinds.some((kind) => {
      if (kind.startsWith(".")) return name.endsWith(kind);
      const ending = name.slice(name.lastIndexOf(".") + 1);
      const [group, sort] = kind.split("/");
      return sort === "*" ? (GROUPS[group] || []).includes(ending) : sort === ending || (SORTS[ending] || "") === kind;
    });
  return files.every((file) => fits(file.name.toLowerCase())) ? "" : `The input asks for ${kinds.join(", ").slice(0, 80)}.`;
}

const GROUPS = {
  image: ["png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "avif", "ico"],
  audio: ["mp3", "wav", "ogg", "m4a", "flac", "aac"],
  video: ["mp4", "webm", "mov", "mkv", "avi"],
  text: ["txt", "csv", "html", "htm", "css", "md", "xml"],
};
const SORTS = { jpg: "image/jpeg", txt: "text/plain", htm: "text/html", svg: "image/svg+xml", md: "text/markdown", js: "text/javascript" };

export function planFiles(el, files) {
  const input = inputOf(el);
  if (!input) return { refusal: refuse("element_not_actionable", "the element holds no file input") };
  if (files.length > 1 && !input.multiple) return { refusal: refuse("invalid_control_value", "the input takes one file") };
  return { input };
}

export function fileInput(args) {
  const held = troupe.grip(args);
  const input = held.ok ? inputOf(held.node) : null;
  if (input) troupe.watchNode(input);
  return input;
}

// taken tells whether exactly these files arrived at the input.
export function taken(args) {
  const held = troupe.grip({ i: args.i, g: args.g });
  const input = held.ok ? inputOf(held.node) : null;
  const seen = (input && arrivals.get(input)) || [];
  const same = seen.length === args.files.length && seen.every((file, at) => file.name === args.files[at].name && file.size === args.files[at].size);
  return { ok: true, taken: same };
}
