// What all parts of the page share: building elements, the two switches, colours, the tooltip.

const $ = (id) => document.getElementById(id);

/** Builds an element. Text goes in as text, never as markup: names of scopes are foreign. */
function el(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...content.filter((c) => c !== null && c !== undefined && c !== ""));
  return element;
}

/** A group of buttons of which one is pressed. Options are {value, text, title, disabled}. */
function segments(host, options, chosen, choose) {
  const buttons = options.map((option) =>
    el("button", {
      type: "button", title: option.title, disabled: option.disabled, "data-value": option.value,
      "aria-pressed": String(option.value === chosen),
      onclick: () => { press(option.value); choose(option.value); },
    }, option.text));
  const press = (value) => {
    for (const b of buttons) b.setAttribute("aria-pressed", String(b.dataset.value === value));
  };
  host.replaceChildren(...buttons);
  return press;
}

/** Runs a drawing at most once per frame. */
function onFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
}

// ---- which clock: parts that show times listen

let clockName = calibrated ? "corrected" : "raw";
let clock = clocks[clockName];
const clockListeners = [];

function useClock(name) {
  clockName = name;
  clock = clocks[name];
  for (const listener of clockListeners) listener();
}

const averageOf = (i) => (calls[i] + open[i] ? clock.total[i] / (calls[i] + open[i]) : 0);

/**
 * A single call's time. Corrected, it is less the mean cost of a call there, so that
 * min ≤ avg ≤ max stays true.
 */
function callTime(i, measured) {
  return clockName === "raw" || !calls[i] ? measured : measured - (clocks.raw.total[i] - clock.total[i]) / (calls[i] + open[i]);
}

/** Work over time; nothing where no work was declared or all of the time is the recorder's. */
const perNano = (work, nanos) => (work > 0 && nanos > 0 ? work / nanos : NaN);
/** The same for a node; what is below the floor is mostly error and has no rate. */
const rateOf = (work, i) => (isBelowFloor[i] ? NaN : perNano(work, clock.total[i]));

// ---- light and dark

const themeListeners = [];
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (systemDark.matches ? "dark" : "light")) === "dark";

/** The browser may refuse storage to a file; the choice then lasts as long as the page. */
function remembered(value) {
  try {
    if (value !== undefined) localStorage.setItem("ridgeline.theme", value);
    return localStorage.getItem("ridgeline.theme");
  } catch {
    return null;
  }
}

function themeChanged() {
  const next = isDark() ? "Light" : "Dark";
  $("theme").textContent = next;
  $("theme").setAttribute("aria-label", `Switch to the ${next.toLowerCase()} theme`);
  inks.clear();
  for (const listener of themeListeners) listener();
}

const inks = new Map();
/** A colour of the style sheet as the canvas understands it. */
function ink(name) {
  if (!inks.has(name)) {
    const probe = el("i");
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    inks.set(name, getComputedStyle(probe).color);
    probe.remove();
  }
  return inks.get(name);
}

// ---- colours of scopes: by name, so that one name looks the same in every graph

const HUES = 16;
const hueOfName = (() => {
  // layer 0 ... layer 11 are one family
  const families = names.map((name) => name.replace(/[\s\d#:[\]-]+$/u, "") || name);
  const self = new Map();
  for (let i = 1; i < size; i++) {
    const family = families[nameOf[i]];
    self.set(family, (self.get(family) ?? 0) + clocks.raw.self[i]);
  }
  // A name's hash gives it the same hue in every report; the heaviest families step aside from
  // each other as long as there are hues left.
  const hues = new Map();
  const taken = new Set();
  for (const [family] of [...self].sort((a, b) => b[1] - a[1])) {
    let hash = 2166136261;
    for (const c of family) hash = Math.imul(hash ^ c.codePointAt(0), 16777619);
    let hue = ((hash ^ (hash >>> 15)) >>> 0) % HUES;
    while (taken.size < HUES && taken.has(hue)) hue = (hue + 5) % HUES;
    taken.add(hue);
    hues.set(family, hue);
  }
  return families.map((family) => hues.get(family) ?? 0);
})();

function colorOf(name, { dim = false } = {}) {
  const hue = 25 + hueOfName[name] * (360 / HUES);
  return isDark()
    ? `oklch(${dim ? 0.33 : 0.47} ${dim ? 0.03 : 0.075} ${hue})`
    : `oklch(${dim ? 0.93 : 0.84} ${dim ? 0.02 : 0.075} ${hue})`;
}

// ---- the tooltip

const tip = $("tip");

function showTip(x, y, content) {
  tip.replaceChildren(...content);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = x + 16 + box.width > innerWidth ? x - 16 - box.width : x + 16;
  const top = y + 16 + box.height > innerHeight ? innerHeight - 8 - box.height : y + 16;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${Math.max(8, top)}px`;
}

function hideTip() {
  tip.hidden = true;
}

/** Rows of a tooltip: [label, value], those without a value left out. */
function pairs(rows) {
  return el("dl", {}, ...rows.filter((row) => row && row[1] !== null && row[1] !== undefined)
    .flatMap(([label, value]) => [el("dt", {}, label), el("dd", {}, value)]));
}

/** Everything that is known of a node, for a tooltip. */
function describe(i) {
  const name = names[nameOf[i]];
  const path = pathText(i, 8, 1);
  const begun = calls[i] + open[i];
  return [
    el("strong", {}, name),
    path ? el("div", { class: "path" }, path) : null,
    isTask[i] ? el("div", { class: "mark" }, "⇢ task, handed over by the scope above it") : null,
    waitsForTasks[i] ? el("div", { class: "mark" }, "hands over tasks: its self time is mostly waiting for them") : null,
    handsOver[i] ? el("div", { class: "mark" }, "hands over tasks and does some itself: its self time is what lies between, not waiting for them") : null,
    isBelowFloor[i] ? el("div", { class: "mark" }, "below the floor: mostly the recorder's own cost") : null,
    pairs([
      ["thread time, with all inside", `${duration(clock.thread[i])} · ${percent(clock.thread[i] / clock.all)}`],
      i ? ["total on its own threads", duration(clock.total[i])] : null,
      i ? ["self", `${duration(clock.self[i])} · ${percent(clock.self[i] / clock.all)}`] : null,
      i ? ["calls", count(calls[i]) + (open[i] ? ` + ${count(open[i])} open` : "")] : null,
      begun ? ["average", duration(averageOf(i))] : null,
      calls[i] ? ["min · p50", `${duration(callTime(i, min[i]))} · ${duration(callTime(i, p50[i]))}`] : null,
      calls[i] ? ["p99 · max", `${duration(callTime(i, p99[i]))} · ${duration(callTime(i, max[i]))}`] : null,
      allocationRecorded ? ["allocated", memory(allocated[i])] : null,
      allocationRecorded && i ? ["allocated, self", memory(selfAllocated[i])] : null,
      allocationRecorded && begun && allocated[i] >= 0
        ? ["allocated per call", memory(allocated[i] / begun)] : null,
      bytes[i] && i ? ["moved", `${memory(bytes[i])} · ${rate(rateOf(bytes[i], i))} GB/s`] : null,
      flops[i] && i ? ["computed", `${rate(rateOf(flops[i], i))} GFLOP/s`] : null,
    ]),
    ...(saidOf.get(i) ?? []).map((says) => el("div", { class: "path" }, says)),
    el("div", { class: "path" }, `${clockName} times`),
  ].filter(Boolean);
}

/** Tags after a name. */
function tags(i) {
  return [
    isTask[i] ? el("span", { class: "tag", title: "Handed over by the scope above it, usually to another thread" }, "⇢ task") : null,
    waitsForTasks[i] ? el("span", { class: "tag", title: "Hands tasks to other threads; its self time is mostly waiting for them" }, "waits") : null,
    handsOver[i] ? el("span", { class: "tag", title: "Hands tasks to other threads and does some itself; its self time is what lies between: handing over, work of its own or no CPU" }, "hands over") : null,
    isBelowFloor[i] ? el("span", { class: "tag warn", title: "Calls are so short that the recorder's own cost is most of what was measured" }, "below floor") : null,
  ].filter(Boolean);
}

async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not every browser gives a file the clipboard: the old way still works everywhere.
    const area = el("textarea", { readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1200);
}
