import assert from "node:assert/strict";
import { test } from "node:test";

import { isWeekday, monthOf, plainDigits, speak } from "./months.js";

test("every short form in use is its month", () => {
  for (const [text, want] of [
    ["Sep", 9], ["Sept", 9], ["Sept.", 9], ["SEPT", 9], ["SEP", 9], ["September", 9], ["June", 6], ["Jun", 6], ["Febr.", 2], ["Octob", 10],
    ["Mar", 3], ["May", 5], ["Ma", 0], ["Ju", 0], ["9", 0], ["", 0], ["Set", 0], ["Ok", 0], ["Today", 0],
  ]) assert.equal(monthOf(text), want, text);
});

test("names of other languages are read, in the page's and in any", () => {
  for (const [text, want] of [
    ["März", 3], ["MÄRZ", 3], ["Marz", 3], ["août", 8], ["AOUT", 8], ["Février", 2], ["settembre", 9], ["septiembre", 9], ["setembro", 9], ["augustus", 8],
    ["września", 9], ["ноябрь", 11], ["ноября", 11], ["Kasım", 11], ["KASIM", 11], ["marraskuu", 11], ["lipiec", 7], ["9월", 9], ["十一月", 11], ["11月", 11],
    ["نوفمبر", 11], ["Νοέμβριος", 11], ["พฤศจิกายน", 11], ["tháng 11", 0], ["13月", 0],
  ]) assert.equal(monthOf(text), want, text);
  for (const [language, text, want] of [["fr", "févr.", 2], ["fr", "FEVR", 2], ["fr", "juil", 7], ["fr", "jui", 0], ["it", "set", 9], ["tr", "Ara", 12], ["pl", "paź", 10], ["cs", "listopad", 11], ["hr", "listopad", 10], ["vi", "Tháng 11", 11], ["de-AT", "Jänner", 1], ["xx-none!", "May", 5]]) {
    speak(language);
    assert.equal(monthOf(text), want, `${language} ${text}`);
  }
  speak("en");
  assert.equal(monthOf("listopad"), 0, "October in one language, November in another");
  assert.equal(monthOf("Ara"), 0);
  assert.equal(monthOf("Ara", true), 12);
  assert.equal(monthOf("Set", true), 9);
});

test("each language's own names lead back to their months", () => {
  for (const language of ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "ro", "hu", "sv", "da", "nb", "fi", "tr", "ru", "uk", "bg", "el", "ko", "ja", "zh", "id", "lt", "ca", "is"]) {
    for (const width of ["long", "short"]) {
      for (let month = 0; month < 12; month++) {
        const name = new Intl.DateTimeFormat(language, { month: width, timeZone: "UTC" }).format(new Date(Date.UTC(2024, month, 15)));
        if (/^\d+$/.test(name)) continue;
        speak(language);
        assert.equal(monthOf(name), month + 1, `${language} ${name}`);
        assert.equal(monthOf(name.toLocaleUpperCase(language)), month + 1, `${language} ${name} in capitals`);
      }
    }
  }
  speak("en");
});

test("days of the week and digits of other scripts are known", () => {
  for (const text of ["Mo", "Tue", "mar", "LUN", "Wednesday", "ср", "日"]) assert.equal(isWeekday(text), true, text);
  for (const text of ["March", "2026", "Today", ""]) assert.equal(isWeekday(text), false, text);
  assert.equal(plainDigits("٢٠٢٦ ۲۰۲۶ २०२६ ๒๐๒๖"), "2026 2026 2026 2026");
});
