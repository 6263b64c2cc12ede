// One question at a time: the next one is already here, answers wait in this browser until the server has saved them.
"use strict";
const box = document.getElementById("answering");
const audit = encodeURIComponent(box.dataset.audit), place = `justesse:${box.dataset.audit}:${box.dataset.person}`;
const csrf = document.querySelector("meta[name=csrf]").content;
const at = id => document.getElementById(id);
const ask = at("ask"), others = at("others"), undo = at("undo"), grading = at("grading"), note = at("note"), search = at("search"), other = at("other");
const answered = new Map(); // rows answered on this page, with their question as it was shown
let coming = [], kept = [], sending = null, pause = 1000, timer = 0, last = null;

try { kept = JSON.parse(localStorage.getItem(place) || "[]"); } catch { kept = []; }
function keep() { try { localStorage.setItem(place, JSON.stringify(kept)); } catch { /* the answers wait in memory */ } }
function key() { return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join(""); }
function say(text) { at("said").textContent = text; }
function trouble(text) { at("trouble").textContent = text; at("trouble").hidden = !text; }
function parsed(html) { return new DOMParser().parseFromString(html, "text/html").querySelector("article"); }
function current() { return at("question").querySelector("article"); }
function rowOf(article) { return Number(article.dataset.row); }

function show(article, ended, message) {
  at("question").replaceChildren(...(article ? [article] : []));
  ask.hidden = !article;
  if (others) { others.hidden = !article; others.querySelector("details").open = false; if (search) { search.value = ""; filter(); } }
  const end = at("ended"), words = article ? "" : message || "The next question is on its way.", news = message && words !== end.textContent;
  end.hidden = !!article; end.textContent = words;
  note.value = ""; note.closest("details").open = false;
  if (article) { const head = article.querySelector("h1"); head.focus({ preventScroll: true }); scrollTo(0, 0); } else if (news) end.focus(); // read out once
}

function waitingWords() {
  at("waiting").textContent = kept.length ? `· not sent yet: ${kept.length}` : "";
}

function answer(value) {
  const article = current();
  if (!article) return;
  const row = rowOf(article);
  kept.push({ key: key(), row, note: note.value.replaceAll("\0", "").trim(), ...value });
  keep(); answered.set(row, article.cloneNode(true)); last = row; undo.hidden = false;
  at("own").textContent = Number(at("own").textContent) + 1;
  waitingWords();
  coming = coming.filter(each => !answered.has(rowOf(each)));
  show(coming.shift() || null);
  send();
}

async function post(path, body) {
  const reply = await fetch(`/api/audits/${audit}/${path}`, {
    method: "POST", headers: { "content-type": "application/json", "x-csrf-token": csrf }, body: JSON.stringify(body),
    signal: AbortSignal.timeout(20000),
  });
  if (reply.status >= 500) throw new Error(`status ${reply.status}`);
  const data = await reply.json().catch(() => ({ detail: reply.statusText }));
  return { ok: reply.ok, status: reply.status, data };
}

function take(data) {
  const articles = data.questions.map(each => parsed(each.html)).filter(each => !answered.has(rowOf(each)));
  const now = current();
  coming = articles.filter(each => !now || rowOf(each) !== rowOf(now));
  if (!now) show(coming.shift() || null, data.ended, data.message);
  else if (!data.questions.length && data.ended) show(null, data.ended, data.message);
  undo.hidden = !data.undo && !kept.length;
  at("own").textContent = data.own + kept.length;
  for (const each of coming) each.querySelectorAll("img").forEach(image => { new Image().src = image.getAttribute("src"); });
  clearTimeout(timer);
  if (data.ended === "waiting" || data.ended === "paused") timer = setTimeout(refresh, 4000);
}

// A refused answer is none: its question is shown again, with the note, unless it is no longer asked.
function askAgain(gone, data) {
  if (!gone) return;
  const before = answered.get(gone.row);
  answered.delete(gone.row);
  if (!before || !data.questions.some(each => each.row === gone.row)) return;
  show(before);
  note.value = gone.note || "";
}

// Sends what is kept, in order; what was sent before a connection broke is sent again with the same key.
async function send() {
  if (sending) return sending;
  sending = (async () => {
    while (kept.length) {
      const batch = kept.slice(0, 50);
      let reply;
      try { reply = await post("answers", { answers: batch }); } catch {
        trouble(`No connection. ${kept.length === 1 ? "1 answer is" : `${kept.length} answers are`} kept in this browser and will be sent again.`);
        clearTimeout(timer); timer = setTimeout(send, pause); pause = Math.min(pause * 2, 10000);
        return false;
      }
      pause = 1000;
      if (reply.status === 401) { trouble("Your session has ended. Your answers are kept in this browser: log in again in another tab, then load this page."); return false; }
      if (!reply.ok && !reply.data.receipts) { trouble(reply.data.detail); return false; }
      const seen = new Set(reply.data.receipts.map(each => each.key));
      const sent = new Map(kept.map(each => [each.key, each]));
      kept = kept.filter(each => !seen.has(each.key)); keep();
      const refused = reply.data.receipts.filter(each => !each.saved);
      trouble(refused.length ? refused[0].refused : "");
      waitingWords();
      for (const each of refused) askAgain(sent.get(each.key), reply.data);
      take(reply.data);
      say(refused.length ? "Not saved." : reply.data.questions.length ? "Saved. Next question." : "Saved.");
    }
    return true;
  })();
  try { return await sending; } finally { sending = null; }
}

async function refresh() {
  if (kept.length) { send(); return; }
  try {
    const reply = await post("questions", {});
    if (reply.ok) { trouble(""); take(reply.data); } else trouble(reply.data.detail);
  } catch { clearTimeout(timer); timer = setTimeout(refresh, pause); pause = Math.min(pause * 2, 10000); }
}

async function takeBack() {
  if (!await send() && kept.length) { // offline: the last answer has not left this browser
    const gone = kept.pop(); keep(); waitingWords();
    const now = current();
    if (now) coming.unshift(now);
    const before = answered.get(gone.row); answered.delete(gone.row);
    at("own").textContent = Number(at("own").textContent) - 1;
    if (before) show(before);
    say("Answer taken back.");
    return;
  }
  try {
    const reply = await post("undo", { key: key() });
    if (!reply.ok) { trouble(reply.data.detail); return; }
    for (const each of reply.data.questions) answered.delete(each.row);
    show(null); take(reply.data); say("Answer taken back. Answer the question again.");
  } catch { trouble("No connection. Try again in a moment."); }
}

function filter() {
  const words = search.value.trim().toLowerCase();
  let first = null, n = 0;
  for (const option of other.options) {
    option.hidden = !!words && !option.value.toLowerCase().includes(words);
    if (option.hidden) continue;
    n += 1; first ??= option;
  }
  at("matches").textContent = !words ? "" : n ? `${n} of ${other.options.length} classes. Enter answers with the chosen one.` : "No class matches.";
  if (words && first) first.selected = true;
}

ask.addEventListener("submit", event => {
  event.preventDefault();
  const button = event.submitter;
  if (button && button.name) answer({ [button.name]: button.value });
});
grading.addEventListener("submit", event => {
  event.preventDefault();
  const fields = [...current().querySelectorAll("[name=credit]")], names = [...current().querySelectorAll("[name=named]")];
  if (!fields.some(field => field.value.trim())) { trouble("Give one of the answers a credit from 0 to 1, or choose another answer."); fields[0].focus(); return; }
  answer({ credits: Object.fromEntries(fields.map((field, at) => [names[at].value, Number(field.value || 0)])) });
});
undo.addEventListener("submit", event => { event.preventDefault(); takeBack(); });
if (others) {
  at("searching").hidden = false;
  search.addEventListener("input", filter);
  search.addEventListener("keydown", event => { if (event.key === "Enter") { event.preventDefault(); others.requestSubmit(); } });
  others.addEventListener("submit", event => {
    event.preventDefault();
    if (other.selectedOptions.length && !other.selectedOptions[0].hidden) answer({ class_name: other.value });
  });
}
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  const field = event.target.closest("textarea, input:not([type=checkbox]), select");
  if (event.key === "Escape" && field) { field.blur(); return; }
  if (field || !current()) { if (!field && event.key.toLowerCase() === "u" && !undo.hidden) takeBack(); return; }
  const pressed = event.key.toLowerCase();
  const button = [...current().querySelectorAll("[data-key]")].find(each => each.dataset.key === pressed);
  if (button) { event.preventDefault(); button.click(); }
  else if (pressed === "u" && !undo.hidden) { event.preventDefault(); takeBack(); }
  else if (pressed === "m") { event.preventDefault(); note.closest("details").open = true; note.focus(); }
  else if (pressed === "p" && current().querySelector(".credits")) { event.preventDefault(); current().querySelector(".credits").open = true; current().querySelector("[name=credit]").focus(); }
  else if (pressed === "o" && others) { event.preventDefault(); others.querySelector("details").open = true; search.focus(); }
});
addEventListener("online", () => { pause = 1000; send(); });

const ready = at("next").content.querySelector("article");
if (ready) coming = [ready.cloneNode(true)];
const inQueue = new Set(kept.map(each => each.row));
if (kept.length) {
  for (const each of kept) answered.set(each.row, null);
  if (current() && inQueue.has(rowOf(current()))) show(coming.filter(each => !inQueue.has(rowOf(each)))[0] || null);
  waitingWords(); send();
} else if (box.dataset.ended === "waiting" || box.dataset.ended === "paused") timer = setTimeout(refresh, 4000);
