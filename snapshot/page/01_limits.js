// Bounds of the page functions. Each says its unit and what happens there.

const TEXT_BYTES = 512; // UTF-8 bytes of a name or text; longer ones are cut (R35).
const TEXT_NODES = 400; // Nodes read for one text; the rest is left out.
const DETAIL_CHARS = 80; // Code points of a page's name inside an error text.
const IDREFS_MAX = 16; // Ids followed from one idref list; the rest is ignored.
const DEPTH_MAX = 512; // Steps of a climb through ancestors, roots or frames; it ends there.
const DESCRIBE_HOPS = 8; // Ancestors asked for a name when an error names an element.
const FRAMES_MAX = 32; // Frames entered (R105); further ones are reported as unseen.
const NODES_MAX = 4352; // Elements registered in one generation (R49); more get index -1.
const RECTS_MAX = 8; // Boxes of one element that are tried for a point.
const ARM_MS = 5000; // A guard nobody reads stops blocking after this time (C25).
const OWN_INPUT_MS = 1500; // Default window of our own input (R159).
const BORN_SHUT_MS = 1500; // A new document takes no trusted input that long, or until it is opened.
const EVENTS_MAX = 64; // Events noted by one guard; later ones are judged but not noted.
const ROOTS_MAX = 64; // Shadow roots and documents watched for mutations at once.
const TWINS_MAX = 500; // Elements compared to find out whether a lost one was replaced.
const SETTLE_CAP_MS = 1500; // Ceiling of one settle (R76); it then says that it did not settle.
const VALUE_CHARS = 4096; // Characters of a value that is read back; longer ones are cut.
