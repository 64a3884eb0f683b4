// The answer: figures, what dominates, findings, and what ran where.

/** Self time by name, largest first: layers share their names, so places alone would hide it. */
function selfByName() {
  const sums = new Float64Array(names.length);
  const places = new Int32Array(names.length);
  for (let i = 1; i < size; i++) {
    sums[nameOf[i]] += clock.self[i];
    places[nameOf[i]]++;
  }
  return Array.from(names.keys()).filter((n) => places[n] > 0)
    .sort((a, b) => sums[b] - sums[a])
    .map((name) => ({ name, nanos: sums[name], places: places[name] }));
}

function drawDominates() {
  const ranked = selfByName();
  const host = $("dominates");
  if (!ranked.length || !(clock.all > 0)) {
    const hottest = profile.hotspots[0]?.rows[0];
    host.replaceChildren(...(hottest
      ? [el("strong", {}, hottest.name), ` takes ${percent(hottest.share)} of the samples by itself.`]
      : ["Nothing was recorded."]));
    return;
  }
  const [top, ...rest] = ranked;
  const second = rest.slice(0, 2).filter((r) => r.nanos > 0);
  host.replaceChildren(
    top.nanos / clock.all < 0.1 ? "Nothing dominates: at most, " : "",
    el("strong", {}, names[top.name]),
    ` takes ${percent(top.nanos / clock.all)} of summed thread time by itself`,
    top.places > 1 ? ` (${plural(top.places, "place")}, ${mostlyIn(top.name)})` : "",
    waiting(top.name) ? ", mostly waiting for tasks that it handed over" : "",
    ...(second.length ? ["; then ", ...second.flatMap((r, n) => [
      n ? " and " : "", el("strong", {}, names[r.name]), ` ${percent(r.nanos / clock.all)}`])] : []),
    `. Summed thread time is ${duration(clock.all)} over ${plural(threads, "thread")}, in ${duration(profile.wall)} of wall time.`);
  $("cost").textContent = costSentence();
  drawShares(ranked);
}

/** The scopes that hold most of a name's self time. */
function mostlyIn(name) {
  const sums = new Map();
  for (let i = 1; i < size; i++) {
    if (nameOf[i] === name) sums.set(nameOf[parent[i]], (sums.get(nameOf[parent[i]]) ?? 0) + clock.self[i]);
  }
  const parents = [...sums].sort((a, b) => b[1] - a[1]).map(([p]) => names[p]);
  return (parents.length > 2 ? "mostly in " : "in ") + parents.slice(0, 2).join(" and ");
}

/** Whether a name's self time is mostly that of places which wait for tasks. */
function waiting(name) {
  let waits = 0;
  let all = 0;
  for (let i = 1; i < size; i++) {
    if (nameOf[i] !== name) continue;
    all += clock.self[i];
    if (waitsForTasks[i]) waits += clock.self[i];
  }
  return waits > all / 2;
}

function drawShares(ranked) {
  const shown = ranked.filter((r) => r.nanos / clock.all >= 0.01).slice(0, 8);
  const rest = clock.all - shown.reduce((sum, r) => sum + r.nanos, 0);
  const parts = shown.map((r) => ({ text: names[r.name], share: r.nanos / clock.all, color: colorOf(r.name) }));
  if (rest / clock.all > 0.0005) {
    parts.push({ text: `${plural(ranked.length - shown.length, "other scope")}`, share: rest / clock.all, color: "var(--rest)" });
  }
  const strip = el("div", { class: "strip", "aria-hidden": "true" });
  const legend = el("ul", { class: "legend", "aria-label": "Self time by scope, share of summed thread time" });
  for (const part of parts) {
    const piece = el("span", { title: `${part.text} ${percent(part.share)}` });
    piece.style.flexGrow = String(part.share);
    piece.style.background = part.color;
    strip.append(piece);
    const swatch = el("i");
    swatch.style.background = part.color;
    legend.append(el("li", {}, swatch, el("span", { class: "name" }, part.text), " ", el("b", {}, percent(part.share))));
  }
  $("shares").replaceChildren(strip, legend);
}

const SEVERITIES = {
  unsound: "Unsound", doubtful: "Doubtful", opportunity: "Opportunity", code: "In the code", note: "Note",
};

function drawFindings() {
  const host = $("findings");
  if (!profile.findings.length) {
    host.append(el("p", { class: "note" }, "No rule fired."));
    return;
  }
  host.append(...profile.findings.map((f) => el("article", { class: `finding is-${f.severity.toLowerCase()}` },
    el("header", {},
      el("span", { class: "severity" }, SEVERITIES[f.severity.toLowerCase()] ?? f.severity),
      el("code", { class: "rule" }, f.rule),
      f.win ? el("span", { class: "win" }, `wins ${f.win}`) : null),
    el("p", {}, f.what),
    el("p", { class: "advice" }, f.advice),
    f.command ? el("div", { class: "command" }, el("code", {}, f.command),
      el("button", { type: "button", onclick: (e) => copy(f.command, e.currentTarget) }, "Copy")) : null)));
}

function drawFacts() {
  const list = (title, facts) => facts.length
    ? [el("h2", { class: "small" }, title), el("dl", {}, ...facts.map((f) => el("div", {}, el("dt", {}, f.name), el("dd", {}, f.value))))]
    : [];
  const session = [
    { name: "started", value: instant(profile.started) },
    { name: "level", value: profile.level },
  ].filter((fact) => !profile.workload.some((known) => known.name === fact.name));
  $("facts").append(
    ...list("Workload", [...profile.workload, ...session]),
    ...list("System", profile.system));
}

/** What the recorder itself cost, and whether the times shown still have it in them. */
function costSentence() {
  const cost = profile.calibration;
  if (!calibrated) {
    $("clock").hidden = true;
    return "The recorder's own cost was not calibrated: times are as measured.";
  }
  const all = clocks.raw.all - clocks.corrected.all;
  return (clockName === "corrected"
    ? `Times are corrected: the recorder's own ${duration(cost.innerNanos + cost.outerNanos)} per scope, ${duration(all)} or ${percent(all / clocks.raw.all)} in all, is subtracted`
    : `Times are raw: the recorder's own ${duration(cost.innerNanos + cost.outerNanos)} per scope, ${duration(all)} or ${percent(all / clocks.raw.all)} in all, is still in them`)
    + `; the correction is good to ±${fixed(Math.abs(cost.residualNanos), 1)}\u00a0ns per scope.`;
}

function startSummary() {
  $("title").textContent = profile.title;
  $("subtitle").textContent = profile.subtitle;
  $("figures").append(...profile.figures.map((f) =>
    el("div", { class: "figure" }, el("b", {}, f.value), el("span", {}, f.label),
      ...(f.doubt ? [el("em", {}, f.doubt)] : []))));
  $("findings-title").textContent = profile.findings.length ? `Findings · ${profile.findings.length}` : "Findings";
  drawDominates();
  drawFindings();
  drawFacts();
  clockListeners.push(drawDominates);
  themeListeners.push(drawDominates);
}
