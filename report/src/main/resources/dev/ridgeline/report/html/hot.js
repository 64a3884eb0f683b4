// The sortable table of hot paths, by place in the tree or added up by name.

/** Columns of places or names alike; a row is an index into whatever `t` holds. */
function hotColumns(t) {
  const time = (key, text, title, value, width = 76) =>
    ({ key, text, title, width, sortable: true, value, cell: (r) => duration(value(r)) });
  const optional = (has, ...columns) => (has ? columns : []);
  return [
    { key: "name", text: t.heading, sortable: true, value: (r) => t.name(r), cell: (r) => t.label(r) },
    { key: "calls", text: "calls", width: 70, sortable: true, value: t.calls,
      cell: (r) => count(t.calls(r)) + (t.open(r) ? "\u2009+\u2009" + count(t.open(r)) : ""), title: "finished calls, + those still open" },
    { ...time("total", "total", "time inside, on its own threads", t.total), bar: (r) => t.total(r) / clock.all },
    { ...time("self", "self", "time outside of every inner scope", t.self), bar: (r) => t.self(r) / t.mostSelf(), fill: "strong" },
    { key: "percent", text: "% self", title: "self time as a share of summed thread time; adds up to 100 %", width: 66,
      sortable: true, value: (r) => t.self(r) / clock.all, cell: (r) => percent(t.self(r) / clock.all) },
    ...optional(waitsRecorded,
      time("running", "running", "self time that was not waiting", (r) => t.self(r) - t.waiting(r)),
      time("waiting", "waiting", "self time in which its thread waited, an estimate", t.waiting),
      { key: "for", text: "for", title: "what it waited for, the longest first", width: 92, sortable: false, cell: (r) => waitWords(t, r) }),
    ...optional(limits.length,
      { key: "reached", text: "reached", title: "least time for the declared work on this machine over the time it took, everything inside it included", width: 70, sortable: true,
        value: t.reached, cell: (r) => whole(t.reached(r)) },
      { key: "limit", text: "limited by", title: "the ceiling that binds; a cache level is assumed from declared bytes", width: 112, sortable: true,
        value: (r) => (t.limit(r) < 0 ? NaN : t.limit(r)), cell: (r) => limits[t.limit(r)] ?? "–" },
      time("win", "to win", "time above the least, everything inside included", t.win, 78)),
    time("average", "avg", "mean of all calls", (r) => (t.calls(r) + t.open(r) ? t.spent(r) / (t.calls(r) + t.open(r)) : NaN), 72),
    time("min", "min", "shortest call", t.min, 72),
    time("p50", "p50", "half of the calls are shorter", t.p50, 72),
    time("p99", "p99", "99 % of the calls are shorter", t.p99, 72),
    time("max", "max", "longest call", t.max, 72),
    ...optional(allocationRecorded,
      { key: "allocated", text: "allocated", title: "heap bytes allocated inside, on its own threads", width: 80, sortable: true,
        value: t.allocated, cell: (r) => memory(t.allocated(r)), bar: (r) => t.allocated(r) / t.mostAllocated(), fill: "green" },
      { key: "perCall", text: "per call", title: "heap bytes allocated per call", width: 76, sortable: true,
        value: (r) => perCall(t, r), cell: (r) => (t.allocated(r) < 0 ? "unknown" : memory(perCall(t, r))) }),
    ...optional(bytes.some((b, i) => b && i),
      { key: "gigabytes", text: "GB/s", title: "declared bytes over total time", width: 62, sortable: true,
        value: t.gigabytes, cell: (r) => rate(t.gigabytes(r)) }),
    ...optional(flops.some((f, i) => f && i),
      { key: "gigaflops", text: "GFLOP/s", title: "declared operations over total time", width: 74, sortable: true,
        value: t.gigaflops, cell: (r) => rate(t.gigaflops(r)) }),
    ...optional(ops.some((o, i) => o && i),
      { key: "gigaops", text: "GOP/s", title: "declared integer operations over total time", width: 70, sortable: true,
        value: t.gigaops, cell: (r) => rate(t.gigaops(r)) }),
  ];
}

/** Kinds of at least a tenth of all waiting of a row. */
const waitWords = (t, r) =>
  waitKinds.map(([kind], k) => [kind, t.waits(k, r)]).filter(([, nanos]) => nanos > 0 && nanos >= t.waiting(r) / 10)
    .sort((a, b) => b[1] - a[1]).map(([kind]) => kind).join(", ") || "–";

const whole = (fraction) => (Number.isFinite(fraction) ? `${Math.round(100 * fraction)}\u00a0%` : "–");

const perCall = (t, r) => (t.allocated(r) < 0 ? -1 : t.calls(r) + t.open(r) ? t.allocated(r) / (t.calls(r) + t.open(r)) : 0);

const at = (values) => (i) => values[i];
const ofCall = (values) => (i) => (calls[i] ? callTime(i, values[i]) : NaN);

/** Every place of the tree. */
function places() {
  return {
    heading: "scope and where",
    count: size - 1,
    rows: Int32Array.from({ length: size - 1 }, (_, i) => i + 1),
    name: (i) => names[nameOf[i]], label: placeLabel, node: (i) => i,
    matches: (filter) => { const hit = matchingNames(filter); return Uint8Array.from(nameOf, (name) => hit[name]); },
    calls: at(calls), open: at(open), min: ofCall(min), max: ofCall(max), p50: ofCall(p50), p99: ofCall(p99),
    total: (i) => clock.total[i], spent: (i) => clock.total[i], self: (i) => clock.self[i],
    waiting: at(waitedNanos), waits: (k, i) => waitKinds[k][1][i],
    allocated: at(allocated), gigabytes: (i) => rateOf(bytes[i], i), gigaflops: (i) => rateOf(flops[i], i), gigaops: (i) => rateOf(ops[i], i),
    reached: (i) => (limit[i] < 0 ? NaN : idealTime[i] / boundTime[i]), limit: at(limit),
    win: (i) => (limit[i] < 0 ? NaN : Math.max(0, boundTime[i] - idealTime[i])),
    mostSelf: () => largest(clock.self), mostAllocated: () => largest(allocated),
  };
}

function largest(values) {
  let most = 0;
  for (let i = 1; i < values.length; i++) most = Math.max(most, values[i]);
  return most || 1;
}

/** A path is cut at its far end: what is nearest to the scope says most. */
function nameCell(name, tags, path) {
  return [el("div", { class: "cell" }, name, ...tags, path ? el("span", { class: "path" }, el("bdi", {}, path)) : null)];
}

function placeLabel(i) {
  return nameCell(
    el("button", { type: "button", class: "scope", title: `${pathText(i, 30)}\nShow in the flame graph`, onclick: () => flame.show(i) }, names[nameOf[i]]),
    tags(i), pathText(i, 12, 1));
}

/** Places added up by a key; where `outer` is 0 a call is inside another of its key and takes no more time. */
function addedUp(n, keyOf, outer, percentiles) {
  const sum = () => new Float64Array(n);
  const t = {
    calls: sum(), open: sum(), total: sum(), spent: sum(), self: sum(), allocated: sum(), bytes: sum(), flops: sum(), ops: sum(), bound: sum(), ideal: sum(), max: sum(), cost: sum(), places: sum(),
    waiting: sum(), waits: waitKinds.map(sum),
  };
  t.most = sum().fill(-1);
  t.limit = sum().fill(-1);
  const shortest = new Float64Array(n).fill(Infinity);
  const heaviest = new Int32Array(n).fill(-1);
  for (let i = 1; i < size; i++) {
    const key = keyOf[i];
    t.places[key]++;
    t.calls[key] += calls[i];
    t.open[key] += open[i];
    t.self[key] += clock.self[i];
    t.spent[key] += clock.total[i];
    t.waiting[key] += waitedNanos[i];
    waitKinds.forEach(([, nanos], k) => { t.waits[k][key] += nanos[i]; });
    t.cost[key] += clocks.raw.total[i] - clock.total[i];
    if (outer[i]) {
      t.total[key] += clock.total[i];
      t.bytes[key] += bytes[i];
      t.flops[key] += flops[i];
      t.ops[key] += ops[i];
      if (allocated[i] < 0) t.allocated[key] = NaN;
      else t.allocated[key] += allocated[i];
    }
    if (limit[i] >= 0) {
      t.bound[key] += boundTime[i];
      t.ideal[key] += idealTime[i];
      if (!(t.most[key] >= idealTime[i])) { t.most[key] = idealTime[i]; t.limit[key] = limit[i]; }
    }
    if (calls[i]) shortest[key] = Math.min(shortest[key], min[i]);
    t.max[key] = Math.max(t.max[key], max[i]);
    if (heaviest[key] < 0 || clock.self[i] > clock.self[heaviest[key]]) heaviest[key] = i;
  }
  for (let k = 0; k < n; k++) {
    if (Number.isNaN(t.allocated[k])) t.allocated[k] = -1;
    if (shortest[k] === Infinity) shortest[k] = 0;
  }
  const clamped = (values) => (k) => (!t.calls[k] ? NaN
    : Math.min(Math.max(values[k], shortest[k]), t.max[k]) - t.cost[k] / (t.calls[k] + t.open[k]));
  return {
    rows: Int32Array.from({ length: n }, (_, k) => k).filter((k) => t.places[k] > 0),
    places: t.places, node: (k) => heaviest[k],
    calls: at(t.calls), open: at(t.open), min: clamped(shortest), max: clamped(t.max),
    p50: clamped(percentiles.p50), p99: clamped(percentiles.p99),
    total: at(t.total), spent: at(t.spent), self: at(t.self), waiting: at(t.waiting), waits: (kind, k) => t.waits[kind][k], allocated: at(t.allocated),
    gigabytes: (k) => perNano(t.bytes[k], t.total[k]), gigaflops: (k) => perNano(t.flops[k], t.total[k]), gigaops: (k) => perNano(t.ops[k], t.total[k]),
    reached: (k) => (t.limit[k] < 0 ? NaN : t.ideal[k] / t.bound[k]), limit: at(t.limit),
    win: (k) => (t.limit[k] < 0 ? NaN : Math.max(0, t.bound[k] - t.ideal[k])),
    mostSelf: () => largest(t.self), mostAllocated: () => largest(t.allocated),
  };
}

/** Every place of the tree, but numbered families and recursion as one: layer 0 to layer 5 are layer 0–5. */
function folds() {
  const of = profile.folded.of;
  const foldNames = profile.folded.names.map((name) => name || "(no name)");
  const n = foldNames.length;
  const above = new Int32Array(n);
  // Parents come first: the outermost call of a recursion says what is above it.
  for (let i = size - 1; i > 0; i--) above[of[i]] = of[parent[i]];
  const t = addedUp(n, of, outermost(of, n), profile.folded);
  const path = (k) => {
    const steps = [];
    for (let up = above[k]; up > 0 && steps.length < 12; up = above[up]) steps.unshift(up);
    return steps.map((step, nth) => (nth ? (isTask[t.node(step)] ? " ⇉ " : " › ") : "") + foldNames[step]).join("");
  };
  return {
    ...t,
    heading: "scope and where",
    count: t.rows.length,
    name: (k) => foldNames[k],
    matches: (filter) => {
      const hit = Uint8Array.from(foldNames, (name) => (filter.test(name) ? 1 : 0));
      const byName = matchingNames(filter);
      for (let i = 1; i < size; i++) if (byName[nameOf[i]]) hit[of[i]] = 1;
      return hit;
    },
    label: (k) => (t.places[k] === 1 ? placeLabel(t.node(k)) : nameCell(
      el("button", { type: "button", class: "scope", title: `${count(t.places[k])} places as one\nShow the hottest in the flame graph`, onclick: () => flame.show(t.node(k)) }, foldNames[k]),
      tags(t.node(k)), path(k))),
  };
}

/**
 * Which nodes are inside of no other with the same key on their thread. Inside a recursion only the outermost
 * call counts for the total, else its time would be counted once per level; a task starts afresh on its own thread.
 */
function outermost(keyOf, n) {
  const openOnPath = new Int32Array(n); // node that is the outermost of its key on this thread
  const stack = [];
  const outer = new Uint8Array(size);
  for (let i = 1; i < size; i++) {
    while (stack.length && end[stack.at(-1).node] <= i) openOnPath[stack.at(-1).key] = stack.pop().before;
    const key = keyOf[i];
    // Same thread: nothing handed over between the outer call and this one.
    outer[i] = !openOnPath[key] || threadRoot[openOnPath[key]] !== threadRoot[i] ? 1 : 0;
    stack.push({ node: i, key, before: openOnPath[key] });
    if (outer[i]) openOnPath[key] = i;
  }
  return outer;
}

/** All places of a name added up. */
function scopes() {
  const t = addedUp(names.length, nameOf, outermost(nameOf, names.length), profile.byName);
  return {
    ...t,
    heading: "scope",
    count: t.rows.length,
    name: (k) => names[k], matches: matchingNames,
    label: (k) => nameCell(
      el("button", { type: "button", class: "scope", title: "Find all its places in the flame graph", onclick: () => flame.find(names[k]) }, names[k]),
      [], t.places[k] > 1 ? `${count(t.places[k])} places` : pathText(t.node(k), 12, 1)),
  };
}

/** For each node the task (or outermost scope) whose thread it ran on. */
const threadRoot = new Int32Array(size);
for (let i = 1; i < size; i++) threadRoot[i] = isTask[i] || parent[i] === 0 ? i : threadRoot[parent[i]];

function startHot() {
  const state = { by: profile.folded ? "fold" : "place", key: waitsRecorded ? "running" : "self", ascending: false, top: 15, filter: null };
  let table = null;
  let t = null;
  let columns = null;

  /** Values in order; what is not known stands last whichever way the column is sorted. */
  function ordered() {
    const value = columns.find((c) => c.key === state.key)?.value ?? columns[3].value;
    let rows = Array.from(t.rows);
    if (state.filter) {
      const hit = t.matches(state.filter);
      rows = rows.filter((r) => hit[r]);
    }
    const sign = state.ascending ? 1 : -1;
    if (state.key === "name") {
      const collator = new Intl.Collator("en", { numeric: true });
      return rows.sort((a, b) => sign * collator.compare(value(a), value(b)) || a - b);
    }
    const unknownBelow = state.key === "allocated" || state.key === "perCall" ? 0 : -Infinity;
    const keys = new Float64Array(Math.max(size, names.length));
    for (const r of rows) keys[r] = value(r) >= unknownBelow ? value(r) : NaN;
    return rows.sort((a, b) => Number.isNaN(keys[a]) - Number.isNaN(keys[b]) || sign * (keys[a] - keys[b]) || a - b);
  }

  function refresh() {
    const rows = ordered();
    const shown = rows.slice(0, state.top);
    table.sorted(state.key, state.ascending);
    table.show(shown);
    const selfShown = shown.reduce((sum, r) => sum + t.self(r), 0);
    $("hot-count").textContent =
      `${count(shown.length)} of ${plural(rows.length, "row")}${state.filter ? ` that match, of ${count(t.count)}` : ""}, `
      + `together ${percent(selfShown / clock.all)} of summed thread time in self time.`;
  }

  function rebuild() {
    t = { fold: folds, place: places, name: scopes }[state.by]();
    columns = hotColumns(t);
    // The largest values are asked for by every row: look them up once.
    const mostSelf = t.mostSelf();
    const mostAllocated = t.mostAllocated();
    t.mostSelf = () => mostSelf;
    t.mostAllocated = () => mostAllocated;
    table = rowsIn($("hot-rows"), {
      columns,
      caption: "Hot paths",
      onsort: (key) => {
        if (state.key === key) state.ascending = !state.ascending;
        else { state.key = key; state.ascending = key === "name"; }
        refresh();
      },
      decorate: (tr, r) => {
        if (t.node(r) >= 0 && isBelowFloor[t.node(r)] && state.by !== "name") tr.classList.add("floor");
      },
    });
    $("hot-note").textContent =
      `Percentages are of summed thread time, ${duration(clock.all)} over all threads. Times are ${clockName}.`;
    refresh();
  }

  segments($("hot-by"), [
    ...(profile.folded ? [{ value: "fold", text: "folded", title: "Numbered scopes and recursion as one: what is hot in every layer is hot once" }] : []),
    { value: "place", text: "by place", title: "One row for each place in the call tree" },
    { value: "name", text: "by scope", title: "All places of a scope added up" },
  ], state.by, (by) => { state.by = by; rebuild(); });
  $("hot-filter").addEventListener("input", (e) => { state.filter = matcher(e.target.value); refresh(); });
  $("hot-top").addEventListener("change", (e) => { state.top = Number(e.target.value); refresh(); });
  clockListeners.push(rebuild);
  addEventListener("beforeprint", () => { $("hot-rows").style.height = "auto"; });
  addEventListener("afterprint", refresh);
  rebuild();
}
