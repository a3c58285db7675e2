// What makes a widget keep what was chosen in it: the button of its own popup that says
// so, and the fields that a calendar without one of its own writes to.

import { barred, roleWord } from "./entries.js";
import { above, inside, page, shown, walk } from "./surfaces.js";
import { norm } from "./text.js";

// COMMITS are the words of such buttons, folded to lower case, in common languages.
const COMMITS = new Set([
  "ok", "okay", "apply", "confirm", "done", "set", "select", "choose", "übernehmen", "bestätigen", "fertig", "anwenden", "auswählen", "wählen",
  "valider", "appliquer", "confirmer", "terminé", "choisir", "aceptar", "aplicar", "confirmar", "listo", "hecho", "seleccionar", "elegir",
  "applica", "conferma", "fatto", "seleziona", "scegli", "concluir", "concluído", "selecionar", "escolher", "toepassen", "bevestigen", "gereed", "klaar", "kiezen",
  "zastosuj", "potwierdź", "gotowe", "wybierz", "použít", "potvrdit", "hotovo", "vybrat", "alkalmaz", "kész", "rendben", "aplică", "gata",
  "använd", "klar", "välj", "bekräfta", "anvend", "vælg", "bruk", "velg", "valmis", "käytä", "valitse", "tamam", "uygula", "onayla", "seç",
  "ок", "готово", "применить", "подтвердить", "выбрать", "застосувати", "вибрати", "εντάξει", "εφαρμογή", "确定", "确认", "应用", "完成", "選択", "確定", "確認", "套用",
  "決定", "適用", "完了", "확인", "적용", "완료", "선택", "موافق", "تم", "تطبيق", "אישור", "החל", "ठीक है", "ตกลง", "เสร็จสิ้น", "đồng ý", "áp dụng", "terapkan", "selesai",
]);
const UP_MAX = 12; // Elements above an entry in which its popup may be.

// commitButton is the one enabled button in the roots that makes a widget keep what was
// chosen; null without one, or where it cannot be told which.
export function commitButton(roots) {
  const found = new Set();
  walk(roots, (el) => {
    if (!el.matches("button,[role=button],a,input[type=button],input[type=submit]")) return undefined;
    const said = norm(el.localName === "input" ? el.value : el.textContent || el.getAttribute("aria-label") || "").toLowerCase();
    if (COMMITS.has(said) && shown(el) && !barred(el) && !el.disabled) found.add(el);
    return "skip";
  });
  return found.size === 1 ? [...found][0] : null;
}

// dialogAround is the dialog that an element is in, where that holds nothing but it: no
// field of another kind.
export function dialogAround(el) {
  for (let at = el, hops = 0; at && at !== page.body && hops < UP_MAX; at = above(at), hops++) {
    if (at.localName === "dialog" || /^(alert)?dialog$/.test(roleWord(at)) || at.getAttribute("aria-modal") === "true") return at;
  }
  return null;
}

// popupAround is the popup that came up with an entry in it: the dialog, else as far up
// as all is new.
export function popupAround(entry, marks) {
  const dialog = dialogAround(entry);
  if (dialog) return marks.isNew(dialog) ? dialog : null;
  let found = null;
  for (let at = above(entry), hops = 0; at && at !== page.body && hops < UP_MAX && marks.isNew(at) && !marks.before.has(at); at = above(at), hops++) found = at;
  return found;
}

const FIELDS_MAX = 256; // Fields that are noted.

// Outside are the fields of a page outside of a calendar, with what they showed before:
// a calendar that a field opened is gone when a day is chosen, and the field shows it.
export class Outside {
  constructor(surface) {
    this.before = new Map();
    walk([page.body], (el) => {
      if (el === surface) return "skip";
      if (this.before.size < FIELDS_MAX && el.matches("input,textarea,button,output,[role=combobox],[role=button],[aria-haspopup]") && !inside(surface, el) && shown(el)) {
        this.before.set(el, textIn(el));
      }
      return undefined;
    });
  }

  // tookOver tells whether one of the fields shows now what it did not before.
  tookOver(shows) {
    for (const [el, was] of this.before) if (el.isConnected && shown(el) && textIn(el) !== was && shows(textIn(el)) && !shows(was)) return true;
    return false;
  }
}

const textIn = (el) => norm(el.localName === "input" || el.localName === "textarea" ? el.value : el.textContent);
