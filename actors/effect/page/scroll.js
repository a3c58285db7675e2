// scrolled: wait until nothing scrolls any more, as long as SCROLL_CAP_MS.

const SCROLL_CAP_MS = 700; // A smooth scroll takes up to half a second.
const SCROLL_QUIET_MS = 90; // Time without a scroll event that ends the wait.

export function scrolled() {
  return new Promise((resolve) => {
    const start = performance.now();
    let last = start;
    let timer = 0;
    const onScroll = () => {
      last = performance.now();
    };
    const done = () => {
      clearInterval(timer);
      removeEventListener("scroll", onScroll, true);
      resolve({ ok: true });
    };
    addEventListener("scroll", onScroll, { capture: true, passive: true });
    timer = setInterval(() => {
      const now = performance.now();
      if (now - last >= SCROLL_QUIET_MS || now - start >= SCROLL_CAP_MS) done();
    }, 15);
  });
}
