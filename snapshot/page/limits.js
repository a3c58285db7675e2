// Bounds that only the page functions have. Each says its unit and what happens there.
// Those that Go has as well are in tables.js, which is written from Go.

export const TEXT_NODES = 400; // Nodes read for one text; the rest is left out.
export const DETAIL_CHARS = 80; // Code points of a page's name inside an error text.
export const IDREFS_MAX = 16; // Ids followed from one idref list; the rest is ignored.
export const DEPTH_MAX = 512; // Steps of a climb through ancestors, roots or frames; it ends there.
export const DESCRIBE_HOPS = 8; // Ancestors asked for a name when an error names an element.
export const RECTS_MAX = 8; // Boxes of one element that are tried for a point.
export const ARM_MS = 5000; // A guard nobody reads stops blocking after this time (C25).
export const BORN_SHUT_MS = 1500; // A new document takes no trusted input that long, or until it is opened.
export const EVENTS_MAX = 64; // Events noted by one guard; later ones are judged but not noted.
export const ROOTS_MAX = 64; // Shadow roots and documents watched for mutations at once.
export const TWINS_MAX = 500; // Elements compared to find out whether a lost one was replaced.
export const VALUE_CHARS = 4096; // Characters of a value that is read back; longer ones are cut.
export const WALK_MS = 1500; // Time of one walk; what is left then is reported as unseen.
export const OWNED_MAX = 256; // Elements moved by aria-owns in one document; further ones stay in place.
export const EDGE_STEPS = 2000; // Elements walked beyond a full window to count the controls of its containers; then it ends.
export const URL_BYTES = 512; // Bytes of a link's address.
export const SUSPECTS_MAX = 32; // Elements reported as possible hosts of a closed root; further ones are not asked about.
export const SUSPECT_SIDE = 4; // CSS pixels of both sides from which an empty element can be one.
export const COLD_MS = 250; // A first read of a computed role that took longer is not repeated.
export const GENERATED_MAX = 4352; // Elements asked for text by CSS in one walk; further ones are taken to have none.
export const GENERATED_RULES = 10000; // Rules of one style sheet that are searched for such text; the rest is not.
