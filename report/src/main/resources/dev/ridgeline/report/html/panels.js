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

/** The n nodes with the largest value. */
function topBy(value, n) {
  return Array.from({ length: size - 1 }, (_, i) => i + 1)
    .filter((i) => value(i) > 0).sort((a, b) => value(b) - value(a) || a - b).slice(0, n);
}

function drawAllocators() {
  const host = $("allocators");
  const head = el("h2", {}, "Top allocators");
  if (!allocationRecorded) {
    host.replaceChildren(head, el("p", { class: "note" },
      "Allocation was not recorded, or could not be read. Record with level ALLOCATION (",
      el("code", {}, "--profile=allocation"), ") on platform threads to see it."));
    return;
  }
  const top = topBy((i) => selfAllocated[i], 12);
  const all = selfAllocated.reduce((sum, v, i) => sum + (i && v > 0 ? v : 0), 0);
  const unknown = selfAllocated.reduce((n, v, i) => n + (i && v < 0 ? 1 : 0), 0);
  host.replaceChildren(head,
    el("p", { class: "note" }, `Heap bytes outside of inner scopes; ${memory(all)} known in all`
      + (unknown ? `, and unknown in ${plural(unknown, "scope")}.` : ".")),
    top.length ? smallTable("Top allocators", ["scope", "self bytes", "%", "per call"], top.map((i) => [
      placeLabel(i),
      { text: memory(selfAllocated[i]), bar: selfAllocated[i] / selfAllocated[top[0]], fill: "green" },
      percent(selfAllocated[i] / all),
      calls[i] + open[i] ? memory(selfAllocated[i] / (calls[i] + open[i])) : "–",
    ])) : el("p", { class: "note" }, "No scope allocated anything."));
}

/** What sampled code was doing; without samples there is no such section. */
function drawInside() {
  const host = $("inside");
  if (profile.hotspots) {
    drawHotspots(host);
    return;
  }
  if (!profile.inside.length) {
    host.remove();
    return;
  }
  const MOST = 40;
  const rows = [...profile.inside].sort((a, b) => b.samples - a.samples).slice(0, MOST);
  host.replaceChildren(el("h2", {}, "Inside the scopes"),
    el("p", { class: "note" }, `What a scope's own code was doing when it was sampled. ${profile.sampling}`),
    smallTable("Inside the scopes", ["scope", "samples", "its own code"], rows.map((seen) => [
      placeLabel(seen.node),
      { text: count(seen.samples), bar: seen.samples / rows[0].samples },
      seen.says,
    ])));
}

/** Where sampled code was, of a program with few scopes or none. */
function drawHotspots(host) {
  const part = (row) => [row.name, { text: percent(row.self), bar: row.self }];
  const parts = (row) => [...part(row), percent(row.total)];
  const { methods, packages, threads: sampled } = profile.hotspots;
  host.replaceChildren(el("h2", {}, "Hot code"),
    el("p", { class: "note" }, `What ran when it was sampled, whatever the scopes. ${profile.sampling}`),
    smallTable("Methods", ["method", "self", "total"], methods.map(parts)),
    smallTable("Packages", ["package", "self", "total"], packages.map(parts)),
    smallTable("Threads", ["thread", "of all"], sampled.map(part)));
}

function drawCalled() {
  const top = topBy((i) => calls[i], 12);
  $("called").replaceChildren(el("h2", {}, "Most called"),
    el("p", { class: "note" }, `${plural(calls.reduce((sum, c) => sum + c, 0), "finished call")} in all.`),
    smallTable("Most called", ["scope", "calls", "avg", "self"], top.map((i) => [
      placeLabel(i),
      { text: count(calls[i]), bar: calls[i] / calls[top[0]] },
      duration(averageOf(i)),
      duration(clock.self[i]),
    ])));
}

function drawRegions() {
  const host = $("regions");
  const head = el("h2", {}, "Parallel regions");
  if (!profile.regions.length) {
    host.replaceChildren(head, el("p", { class: "note" }, "No task was handed to another thread."));
    return;
  }
  const MOST = 100;
  const regions = profile.regions.map((r) => {
    let busy = 0;
    for (const child of childrenOf(r.node)) if (isTask[child]) busy += clock.total[child];
    return { ...r, busy, wall: clock.total[r.node] * (r.part ?? 1) };
  }).filter((r) => 100 * r.busy >= r.wall).sort((a, b) => b.busy - a.busy);
  host.replaceChildren(head,
    el("p", { class: "note" }, "Scopes that handed a hundredth of their time or more over as tasks. Threads are those at hand at once, in use is busy over wall times threads, a task that outlives its call counting up to its end; an imbalance of 1.00 is even. Long calls count for more than short ones."
      + (regions.length > MOST ? ` The busiest ${MOST} of ${count(regions.length)}.` : "")),
    smallTable("Parallel regions", [
      "scope",
      { text: "wall", title: "time inside the calls of the scope that handed tasks over" },
      { text: "busy", title: "time inside its tasks, summed over threads" },
      "threads", "tasks",
      { text: "in use", title: "busy time over what the threads could have given: wall time × threads" },
      { text: "imbalance", title: "busiest thread over mean thread, from 1 to the number of threads" },
    ], regions.slice(0, MOST).map((r) => [
      placeLabel(r.node), duration(r.wall), { text: duration(r.busy), bar: r.busy / regions[0].busy, fill: "strong" },
      r.threads, count(r.tasks),
      r.use === undefined ? "–" : percent(r.use),
      r.imbalance === undefined ? "unknown" : r.imbalance.toFixed(2),
    ])));
}

function drawMachine() {
  const a = profile.activity;
  const known = (value, text) => (value < 0 ? "unknown" : text(value));
  const collections = a.collectors.reduce((sum, c) => sum + c.collections, 0);
  const collecting = a.collectors.reduce((sum, c) => sum + Math.max(0, c.millis), 0);
  const tile = (label, value, more) => el("div", { class: "tile" }, el("span", {}, label), el("b", {}, value), more ? el("small", {}, more) : null);
  const tiles = [
    tile("wall time", duration(profile.wall), `from ${instant(profile.started)}`),
    tile("CPU time", known(a.cpu, duration), a.cpu >= 0 ? `${(a.cpu / profile.wall).toFixed(2)} cores busy on average` : ""),
    tile("garbage collections", count(collections), collections ? `${duration(collecting * 1e6)} · ${percent((collecting * 1e6) / profile.wall)} of wall time` : "none"),
    tile("JIT compiling", known(a.jitMillis, (v) => duration(v * 1e6)), "summed over compiler threads"),
    tile("CPU steal", known(a.steal, percent), "taken by the hypervisor"),
    tile("heap after GC", known(a.heapAfterGc, memory), `in use ${known(a.heapUsed, memory)} of ${known(a.heapMax, memory)}`),
    tile("peak RSS", known(a.peakRss, memory), "of the whole process"),
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
      longest.map((p) => [p.cause, duration(p.at), duration(p.nanos), memory(p.heapAfter)])));
  }
  out.push(el("h3", {}, "Memory outside the heap"));
  if (profile.ledger.length) {
    const most = Math.max(...profile.ledger.map((e) => e.highWater), 1);
    out.push(smallTable("Memory outside the heap", ["owner", "now", "most at once"], profile.ledger.map((e) =>
      [e.owner, memory(e.bytes), { text: memory(e.highWater), bar: e.highWater / most, fill: "green" }])));
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
      ["one reading of the clock", minus(cost.clock.toFixed(1))],
      ["what an empty scope measures of itself", minus(cost.inner.toFixed(1))],
      ["what a scope costs its parent beyond that", minus(cost.outer.toFixed(1))],
      ["left over after correction", minus(cost.residual.toFixed(1))],
    ]) : null,
    el("h3", {}, "Slips"),
    slips.length ? smallTable("Slips", ["what", "times"], slips.map(([n, what]) => [what, count(n)]))
      : el("p", { class: "note" }, "Every scope that was opened was closed where it should be, and nothing was cut off."),
  ].filter(Boolean);
}

function startPanels() {
  drawInside();
  drawAllocators();
  drawCalled();
  drawRegions();
  drawMachine();
  clockListeners.push(drawCalled, drawRegions, drawMachine);
}
