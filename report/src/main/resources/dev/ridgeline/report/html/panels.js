// What stands beside the tree: rankings, parallel regions, the machine, and the recorder itself.

function smallTable(caption, heads, rows) {
  return el("div", { class: "wide" }, el("table", { class: "small" },
    el("caption", { class: "hidden" }, caption),
    el("thead", {}, el("tr", {}, ...heads.map((h, n) => el("th", { scope: "col", class: n ? "number" : "", title: h.title }, h.text ?? h)))),
    el("tbody", {}, ...rows.map((cells) => el("tr", {}, ...cells.map((cell, n) => {
      const td = el(n ? "td" : "th", n ? { class: "number" } : { scope: "row" });
      if (cell?.bar > 0) {
        const bar = el("span", { class: `fill ${cell.fill ?? ""}` });
        bar.style.width = `${Math.min(1, cell.bar) * 100}%`;
        td.append(bar);
      }
      const content = cell?.text ?? cell;
      td.append(...(Array.isArray(content) ? content : [content]));
      return td;
    }))))));
}

/** A finished table; what it is about leads to the flame graph. */
function finishedTable(table) {
  const label = (row) => (row.node === undefined
    ? row.depth > 1 ? el("span", { class: "inner" }, row.name) : row.name
    : el("button", { type: "button", class: "scope", title: "Show in the flame graph", onclick: () => flame.show(row.node) }, row.name));
  return [
    smallTable(table.title, [table.head, ...table.columns], table.rows.map((row) => [
      label(row), { text: row.cells[0], bar: row.depth ? row.share : 0, fill: FILLS[table.columns[0]] }, ...row.cells.slice(1),
    ])),
    ...table.notes.filter((note) => note).map((note) => el("p", { class: "note" }, note)),
  ];
}
/** Tables under a heading; without any, what that means. */
function drawTables(id, heading, tables, none) {
  const host = $(id);
  if (!tables.length && !none) {
    host.remove();
    return;
  }
  const several = tables.length > 1;
  host.replaceChildren(el("h2", {}, heading), ...(tables.length
    ? tables.flatMap((table) => [several || table.title !== heading ? el("h3", {}, table.title) : null, ...finishedTable(table)].filter(Boolean))
    : [el("p", { class: "note" }, ...none)]));
}
const NOT_RECORDED = ["Allocation was not recorded, or could not be read. Record with level ALLOCATION (",
  el("code", {}, "--profile=allocation"), ") on platform threads to see it."];
function drawMachine() {
  const a = profile.activity;
  const known = (value, text) => (value < 0 ? "unknown" : text(value));
  const collections = a.collectors.reduce((sum, c) => sum + c.collections, 0);
  const collecting = a.collectors.reduce((sum, c) => sum + Math.max(0, c.millis), 0);
  const tile = (label, value, more) => el("div", { class: "tile" }, el("span", {}, label), el("b", {}, value), more ? el("small", {}, more) : null);
  const tiles = [
    tile("wall time", duration(profile.wall), `from ${instant(profile.started)}`),
    tile("CPU time", known(a.cpuNanos, duration), a.cpuNanos >= 0 ? `${(a.cpuNanos / profile.wall).toFixed(2)} cores busy on average` : ""),
    tile("garbage collections", count(collections), collections ? `${duration(collecting * 1e6)} · ${percent((collecting * 1e6) / profile.wall)} of wall time` : "none"),
    tile("JIT compiling", known(a.jitMillis, (v) => duration(v * 1e6)), "summed over compiler threads"),
    tile("CPU steal", known(a.stealFraction, percent), "taken by the hypervisor"),
    tile("heap after GC", known(a.heapAfterGcBytes, memory), `in use ${known(a.heapUsedBytes, memory)} of ${known(a.heapMaxBytes, memory)}`),
    tile("peak RSS", known(a.peakRssBytes, memory), "of the whole process"),
  ];
  const host = $("machine");
  host.replaceChildren(el("h2", {}, "Machine and recorder"), el("div", { class: "tiles" }, ...tiles),
    el("div", { class: "two" }, el("div", {}, ...collectionsAndLedger(a)), el("div", {}, ...recorder())));
}

function collectionsAndLedger(a) {
  const out = [];
  if (a.collectors.length) {
    out.push(el("h3", {}, "Garbage collectors"), smallTable("Garbage collectors", ["collector", "collections", "time"],
      a.collectors.map((c) => [c.name, count(c.collections), c.millis < 0 ? "unknown" : duration(c.millis * 1e6)])));
  }
  if (a.pauses.length) {
    const longest = [...a.pauses].sort((x, y) => y.nanos - x.nanos).slice(0, 8);
    out.push(el("h3", {}, "Longest pauses"), smallTable("Longest pauses", ["cause", "at", "took", "heap after"],
      longest.map((p) => [p.cause, duration(p.atNanos), duration(p.nanos), memory(p.heapAfterBytes)])));
  }
  out.push(el("h3", {}, "Memory outside the heap"));
  if (profile.ledger.length) {
    const most = Math.max(...profile.ledger.map((e) => e.highWaterBytes), 1);
    out.push(smallTable("Memory outside the heap", ["owner", "now", "most at once"], profile.ledger.map((e) =>
      [e.owner, memory(e.bytes), { text: memory(e.highWaterBytes), bar: e.highWaterBytes / most, fill: "green" }])));
  } else {
    out.push(el("p", { class: "note" }, "Nothing was entered in the ledger."));
  }
  return out;
}

function recorder() {
  const cost = profile.calibration;
  const s = profile.slips;
  const slips = [
    [s.misplacedEnds, "end without an open scope of that name; ignored"],
    [s.unclosed, "scope left open and closed by an outer one"],
    [s.suppressed, "call not recorded because a tree was full; its time is in the scope around it"],
    [s.lateTasks, "task that ran after the place that handed it over had ended"],
  ].filter(([n]) => n > 0);
  return [
    el("h3", {}, "The recorder's own cost"),
    el("p", { class: "note" }, costSentence()),
    calibrated ? smallTable("The recorder's own cost", ["per scope", "ns"], [
      ["one reading of the clock", minus(cost.clockNanos.toFixed(1))],
      ["what an empty scope measures of itself", minus(cost.innerNanos.toFixed(1))],
      ["what a scope costs its parent beyond that", minus(cost.outerNanos.toFixed(1))],
      ["left over after correction", minus(cost.residualNanos.toFixed(1))],
    ]) : null,
    el("h3", {}, "Slips"),
    slips.length ? smallTable("Slips", ["what", "times"], slips.map(([n, what]) => [what, count(n)]))
      : el("p", { class: "note" }, "Every scope that was opened was closed where it should be, and nothing was cut off."),
  ].filter(Boolean);
}

function startPanels() {
  drawTables("inside", profile.hotspots.length ? "Hot code" : "Inside the hot paths", profile.hotspots.length ? profile.hotspots : profile.inside);
  drawTables("allocators", "Top allocators", profile.allocators, allocationRecorded ? ["No scope allocated anything."] : NOT_RECORDED);
  drawTables("called", "Most called", profile.called, ["No scope was called."]);
  drawTables("regions", "Parallel regions", profile.regions, ["No task was handed to another thread."]);
  drawTables("layers", "Layers", profile.layers);
  drawMachine();
  clockListeners.push(drawMachine);
}
