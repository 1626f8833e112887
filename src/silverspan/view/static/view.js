// Everything works without this script; it adds keys, selection by mouse, and a panel that opens in place.
"use strict";

const main = document.getElementById("main");
const text = document.getElementById("text");
const panel = document.getElementById("why");
const dialog = document.getElementById("keys");
const keysOn = document.getElementById("keys-on");

// Toggles are remembered while the browser is open.
function remember(box) {
  const name = "silverspan." + box.id;
  const known = sessionStorage.getItem(name);
  if (known !== null) box.checked = known === "1";
  box.addEventListener("change", () => sessionStorage.setItem(name, box.checked ? "1" : "0"));
}
document.querySelectorAll("[data-keep], #keys-on").forEach(remember);

for (const button of document.querySelectorAll("[data-keys]")) {
  button.hidden = false;
  button.addEventListener("click", () => dialog.showModal());
}

// After a decision the page stays where it was.
const place = "silverspan.scroll";
for (const form of document.querySelectorAll("form[method=post]")) keepPlace(form);
function keepPlace(form) {
  form.addEventListener("submit", () => sessionStorage.setItem(place, location.pathname + " " + scrollY));
}
const before = (sessionStorage.getItem(place) || "").split(" ");
sessionStorage.removeItem(place);
if (before[0] === location.pathname) scrollTo({ top: Number(before[1]), behavior: "instant" });

// Why this label: the panel is fetched, the address follows.
const spans = () => [...document.querySelectorAll(".row.gold a, .row.silver a")];

async function show(at, label, focus) {
  const asked = new URLSearchParams({ at, layers: main.dataset.layers });
  if (label) asked.set("label", label);
  const answer = await fetch(main.dataset.document + "/why?" + asked, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  panel.innerHTML = await answer.text(); // our own page, in which all text is escaped
  panel.querySelectorAll("form[method=post]").forEach(keepPlace);
  panel.scrollTop = 0;
  history.replaceState(null, "", main.dataset.document + "?" + asked);
  for (const link of document.querySelectorAll(".row a[aria-current]")) link.removeAttribute("aria-current");
  for (const link of document.querySelectorAll(".row a"))
    if (link.dataset.at === at && (!label || link.dataset.label === label)) link.setAttribute("aria-current", "true");
  mark(at);
  if (focus) panel.focus({ preventScroll: true });
}

function mark(at) {
  const [start, end] = at.split("-").map(Number);
  for (const w of text.querySelectorAll(".w")) w.classList.toggle("picked", w.dataset.t >= start && w.dataset.t < end);
}

if (text) {
  document.addEventListener("click", event => {
    const close = event.target.closest("a.close");
    if (close) sessionStorage.setItem(place, location.pathname + " " + scrollY);
    const link = event.target.closest(".row a, a.step");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const asked = new URL(link.href).searchParams;
    show(asked.get("at"), asked.get("label"), true);
  });
  document.addEventListener("pointerup", () => setTimeout(() => {
    const selection = getSelection();
    if (selection.isCollapsed || !text.contains(selection.anchorNode) || !text.contains(selection.focusNode)) return;
    const words = [...text.querySelectorAll(".w")].filter(w => selection.containsNode(w, true));
    const numbers = words.map(w => Number(w.dataset.t));
    if (!numbers.length) return;
    selection.removeAllRanges();
    show(Math.min(...numbers) + "-" + (Math.max(...numbers) + 1), "", false);
  }));
  const asked = new URLSearchParams(location.search).get("at");
  if (asked && /^\d+-\d+$/.test(asked)) {
    mark(asked);
    if (before[0] !== location.pathname) text.querySelector(".picked")?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }
  const current = text.querySelector(".row a[aria-current]");
  if (current && before[0] === location.pathname) current.focus({ preventScroll: true });
}

// A cursor over the words: arrow keys, with Shift to select, Enter to ask.
let cursor = null;
let anchor = null;
function moveCursor(step, extend) {
  const words = [...text.querySelectorAll(".w")];
  if (!words.length) return;
  if (cursor === null) {
    const picked = words.findIndex(w => w.classList.contains("picked"));
    cursor = anchor = Math.max(picked, 0);
  } else {
    cursor = Math.min(Math.max(cursor + step, 0), words.length - 1);
    if (!extend) anchor = cursor;
  }
  const [low, high] = [Math.min(cursor, anchor), Math.max(cursor, anchor)];
  words.forEach((w, i) => {
    w.classList.toggle("cursor", i === cursor);
    w.classList.toggle("picked", i >= low && i <= high);
  });
  words[cursor].scrollIntoView({ block: "nearest", behavior: "instant" });
  const status = document.querySelector(".said");
  status.classList.add("hidden");
  status.textContent = words.slice(low, high + 1).map(w => w.textContent).join(" ");
}
if (text) text.addEventListener("keydown", event => {
  if (event.target !== text || event.ctrlKey || event.metaKey || event.altKey) return;
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 };
  if (event.key in steps) moveCursor(steps[event.key], event.shiftKey);
  else if (event.key === "Enter" && cursor !== null) show(Math.min(cursor, anchor) + "-" + (Math.max(cursor, anchor) + 1), "", true);
  else return;
  event.preventDefault();
});

// Single keys, unless somebody is typing or has switched them off.
function press(key) {
  const found = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!found) return false;
  if (found.tagName === "FORM") found.requestSubmit(found.querySelector("button"));
  else found.click();
  return true;
}
function step(by) {
  const all = spans();
  if (!all.length) return;
  const now = all.findIndex(link => link.getAttribute("aria-current"));
  const next = all[now < 0 ? (by > 0 ? 0 : all.length - 1) : (now + by + all.length) % all.length];
  next.focus();
  show(next.dataset.at, next.dataset.label, false);
}
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  if (event.key === "?") dialog.showModal();
  else if (event.key === "Escape") { if (!press("Escape")) return; }
  else if (!keysOn.checked) return;
  else if (event.key === "j" || event.key === "k") text && step(event.key === "j" ? 1 : -1);
  else if (event.key === "s" && text) { text.focus(); moveCursor(0, false); }
  else if (event.key === "n" && main.dataset.next) location.assign(main.dataset.next);
  else if (event.key === "/" && document.getElementById("search")) document.getElementById("search").focus();
  else if (/^[1-9]$/.test(event.key)) {
    const button = document.querySelector(`[data-digit="${event.key}"]`);
    if (!button) return;
    button.click();
  }
  else if (!(["a", "x", "f", "z", "[", "]", "{", "}"].includes(event.key) && press(event.key))) return;
  event.preventDefault();
});
