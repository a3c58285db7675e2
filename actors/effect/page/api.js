// Installation in our isolated world, beside the world's own `troupe`. Each
// function takes one JSON argument and returns JSON text.

import { heard, poke, ready, seen } from "./arrival.js";
import { change, number, prepare } from "./change.js";
import { choice } from "./choice.js";
import { date } from "./date.js";
import { observe } from "./expectations.js";
import { fileInput, taken } from "./files.js";
import { resume } from "./procedure.js";
import { scrolled } from "./scroll.js";

const text = (f) => (args) => {
  const answer = f(args);
  return answer instanceof Promise ? answer.then(JSON.stringify) : JSON.stringify(answer);
};

Object.defineProperty(globalThis, "troupeActs", {
  configurable: true,
  value: Object.freeze({
    home: globalThis.document,
    ready: text(ready),
    choice: text(choice),
    date: text(date),
    resume: text(resume),
    seen: text(seen),
    heard: text(heard),
    poke: text(poke),
    prepare: text(prepare),
    change: text(change),
    observe: text(observe),
    number: text(number),
    scrolled: text(scrolled),
    fileInput, // returns the node itself, for a handle
    taken: text(taken),
  }),
});
