// Text as labels are compared. Nothing here needs a document.

// norm is how labels are compared: exactly, but for the forms of one character
// and for white space (R90).
export const norm = (text) => (text || "").normalize("NFKC").replace(/[\u200b-\u200d\u2060\ufeff]/g, "").replace(/\s+/g, " ").trim();
