// The seams between the modules of the page side, and between its two bundles. Each field is described where it is made.

/** What the browser's or our own computation says an element is (identity.js). */
interface Identity { role: string; name: string }

/** A registered element (registry.js). */
interface ElementRecord { node: Element; doc: Document; lite: Identity; ax: Identity | null }

/** Why something was not done. Proved to precede any effect unless touched (registry.js). */
interface Refusal { ok: false; code: string; detail: string; by?: string; touched?: boolean; node?: any }

/** The fence held (registry.js). */
interface Grip { ok: true; node: any; record: ElementRecord }

/** The answer of aim and reaim (aim.js). x and y are CSS pixels of the top document's visual viewport. */
interface AimAnswer { ok: true; token: number; x: number; y: number; via?: "self" | "label"; moving?: boolean; moved?: boolean; to_x?: number; to_y?: number }

/** The armed guard of one effect (guard.js), as far as others may read it. */
interface GuardRecord { token: number; clicks: number; events: string[]; blocked: Refusal | null; listener: (() => void) | null }

/** One node of a snapshot's answer (snap.js). */
interface SnapshotNode {
  i: number; role: string; name?: string; tag?: string; type?: string; actions?: string[]; value?: string; secret?: boolean;
  label?: string; placeholder?: string; description?: string; url?: string; options?: string[]; options_cut?: boolean; options_off?: number[]; unseen?: boolean;
  required?: boolean; disabled?: boolean; readonly?: boolean; invalid?: boolean; checked?: boolean | "mixed"; expanded?: boolean;
  selected?: boolean; pressed?: boolean | "mixed"; level?: number; hint?: string; depth: number; group?: string; section?: string;
}

/** What the effects use of the world's global (api.js). Texts are JSON. */
interface Troupe {
  core: any;
  secrets: WeakSet<Element>;
  grip(args: object): Grip | Refusal;
  register(node: Element, generation: number, ax?: boolean): number;
  forget(node: Element, generation: number): void;
  read(index: number, generation?: number): string;
  expect(ms?: number): string;
  verdict(token: number): string;
  watchNode(node: Element): void;
  mutationCount(): number;
  watch(token: number, listener: () => void): GuardRecord | null;
}

declare var troupe: Troupe;
/** The runtime's binding; there only where the runtime asked for it. */
declare var troupeSaw: ((payload: string) => void) | undefined;
/** The function that is the bundle (world.js). */
declare function boot(): void;
