// The kiosk's page. If the browser has modemd's extension, it asks modemd itself and shows each step
// as it happens. Otherwise it gets a ticket from its backend and goes to modemd-web with it.

import { Modemd } from "./modemd.js";
import { words } from "./words.js";
import { rows, waterfall } from "./waterfall.js";

const at = (id) => document.getElementById(id);
const sections = ["asking", "working", "result"];
const answers = ["verified", "notVerified", "cancelled"];

// --- words

let language = navigator.language.startsWith("de") ? "de" : "en";
let shown = null; // the result on the page
let steps = [];

function say(word, values = {}) {
  const text = words[language][word] ?? word;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function speak(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
  for (const element of document.querySelectorAll("[data-label]")) element.ariaLabel = say(element.dataset.label);
  for (const button of document.querySelectorAll("[data-language]")) {
    button.ariaPressed = String(button.dataset.language === chosen);
  }
  if (at("problem").textContent) at("problem").textContent = say("wrongNumber");
  if (shown) write(shown);
  draw();
}

// --- what is on the page

function show(section) {
  for (const id of sections) at(id).hidden = id !== section;
  // Whoever hears the page, or uses no mouse, goes along.
  (section === "asking" ? at("number") : at(`${section}-title`)).focus();
}

function draw() {
  at("steps").hidden = steps.length === 0;
  if (!steps.length) return;
  const named = steps.map((step) => ({ ...step, name: nameOf(step) }));
  at("waterfall").replaceChildren(waterfall(named, Math.max(280, at("waterfall").clientWidth), say));
  at("rows").replaceChildren(...rows(named, say));
}

// A step that has no words here, as another provider's, keeps its own name.
const nameOf = ({ name }) => say(words[language][`${name}_step`] ? `${name}_step` : name);

function note(step) {
  steps.push(step);
  at("step").textContent = say("step", { name: nameOf(step), lane: say(step.lane) });
  draw();
}

function write(result) {
  const word = answers.includes(result) ? result : "failed";
  at("result").dataset.result = word;
  at("result-title").textContent = say(word);
  at("result-text").textContent = say(`${word}Text`);
  at("sign").textContent = { verified: "✓", notVerified: "✕" }[word] ?? "!";
}

function conclude(result) {
  shown = result;
  write(result);
  show("result");
}

function begin() {
  shown = null;
  steps = [];
  draw();
  show("asking");
}

// --- the two ways

// Looked for once: most visitors' browsers have none.
const modemd = Modemd.connect().catch(() => null);

async function ask(number) {
  const controller = new AbortController();
  at("cancel").onclick = () => controller.abort();
  at("step").textContent = say("asking");
  show("working");
  try {
    const outcome = await (await modemd).call("verify", { number }, { onProgress: note, signal: controller.signal });
    conclude(outcome.result);
  } catch (error) {
    console.error(error.name, error.message);
    conclude(controller.signal.aborted ? "cancelled" : "failed");
  }
}

async function leave(number) {
  at("step").textContent = say("leaving");
  show("working");
  const body = JSON.stringify({ number });
  const answer = await fetch("/start", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (!answer.ok) return conclude("failed");
  location.assign((await answer.json()).link);
}

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const number = at("number").value.replace(/[\s()./-]/g, "");
  const isGood = /^\+[1-9][0-9]{6,14}$/.test(number);
  at("number").ariaInvalid = String(!isGood);
  at("problem").textContent = isGood ? "" : say("wrongNumber");
  if (!isGood) return at("number").focus();
  steps = [];
  // `?ticket` in the address takes the way of browsers without the extension.
  if (!location.search.includes("ticket") && (await modemd)?.asks.includes("verify")) await ask(number);
  else await leave(number);
});
at("again").addEventListener("click", begin);
at("cancel").onclick = begin;
for (const button of document.querySelectorAll("[data-language]")) {
  button.addEventListener("click", () => speak(button.dataset.language));
}
addEventListener("resize", draw);
// A page that comes back from the browser's memory begins anew.
addEventListener("pageshow", (event) => event.persisted && begin());

speak(language);
if (location.hash === "#result") {
  history.replaceState(null, "", "/");
  const answer = await fetch("/result");
  const { result, steps: taken } = answer.ok ? await answer.json() : { result: "cancelled", steps: [] };
  steps = taken;
  draw();
  conclude(result);
}
document.documentElement.dataset.ready = "true";
