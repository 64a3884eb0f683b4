// The sortable table of hot paths: by place in the tree, folded, or added up by name. Its columns
// come finished with the page; here they are only ordered, filtered and shown.
const HELP = {
  running: "self time that was not waiting",
  self: "time outside of every inner scope",
  share: "running time as a share of all; adds up to 100 %",
  waiting: "self time in which its thread waited, an estimate",
  waits_for: "what it waited for, the longest first",
  calls: "calls, those still open included",
  total: "time inside, on its own threads",
  average: "mean of all calls",
  min: "shortest call",
  max: "longest call",
  p50: "half of the calls are shorter",
  p99: "99 % of the calls are shorter",
  self_allocated: "heap bytes allocated outside of every inner scope",
  allocated: "heap bytes allocated inside, on its own threads",
  allocated_per_call: "heap bytes allocated per call",
  gigabytes: "declared bytes over total time",
  gigaflops: "declared operations over total time",
  gigaops: "declared integer operations over total time",
  reached: "least time for the declared work on this machine over the time it took, everything inside it included",
  limited_by: "the ceiling that binds; a cache level is assumed from declared bytes",
  to_win: "time above the least, everything inside included",
};
const FILLS = { SELF: "strong", ALLOCATED: "green", SELF_ALLOCATED: "green" };
/** A number as its column writes it in every format. */
function written(column, row) {
  const value = column.values[row];
  if (column.kind === "WORDS") return column.words[row];
  if (column.kind === "BYTES") return value === null ? "unknown" : memory(value);
  if (value === null) return "–";
  const text = fixed(value / column.scale, column.decimals);
  return column.kind === "REACHED" ? `${text}\u00a0%` : text;
}
function hotColumn(column) {
  const most = column.values.reduce((a, b) => Math.max(a, b ?? 0), 0) || 1;
  const bar = ["total", "self", "running", "allocated"].includes(column.key);
  return {
    key: column.key, text: column.title, title: HELP[column.key],
    width: column.kind === "WORDS" ? 112 : 84, sortable: column.kind !== "WORDS",
    value: (row) => column.values[row] ?? NaN,
    cell: (row) => written(column, row),
    ...(bar ? { bar: (row) => (column.values[row] ?? 0) / most, fill: FILLS[column.key.toUpperCase()] ?? (column.key === "running" ? "strong" : undefined) } : {}),
  };
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
/** One of the three views: its rows, what they are called, and which places they are made of. */
function hotView(by) {
  const { columns, names: labels, paths, of, note } = (profile.hot[clockName] ?? profile.hot.corrected)[by];
  const common = { columns: columns.map(hotColumn), note, heading: by === "name" ? "scope" : "scope and where" };
  if (by === "place") {
    return {
      ...common, count: size - 1,
      name: (row) => names[nameOf[row + 1]], label: (row) => placeLabel(row + 1), node: (row) => row + 1,
      matches: (filter) => { const hit = matchingNames(filter); return Uint8Array.from({ length: size - 1 }, (_, row) => hit[nameOf[row + 1]]); },
    };
  }
  const heaviest = new Int32Array(labels.length).fill(-1);
  const places = new Int32Array(labels.length);
  for (let i = 1; i < size; i++) {
    const row = of[i];
    if (row < 0) continue;
    places[row]++;
    if (heaviest[row] < 0 || clock.self[i] > clock.self[heaviest[row]]) heaviest[row] = i;
  }
  const name = (row) => labels[row] || "(no name)";
  const link = (row, title, show) => el("button", { type: "button", class: "scope", title, onclick: show }, name(row));
  const byName = (row) => nameCell(
    link(row, "Find all its places in the flame graph", () => flame.find(labels[row])),
    [], places[row] === 1 ? pathText(heaviest[row], 12, 1) : `${count(places[row])} places`);
  const folded = (row) => (places[row] === 1 ? placeLabel(heaviest[row]) : nameCell(
    link(row, `${count(places[row])} places as one\nShow the hottest in the flame graph`, () => flame.show(Math.max(0, heaviest[row]))),
    heaviest[row] < 0 ? [] : tags(heaviest[row]), paths[row]));
  return {
    ...common, count: labels.length, name, label: by === "name" ? byName : folded, node: (row) => heaviest[row],
    matches: (filter) => {
      const hit = Uint8Array.from(labels, (label) => (filter.test(label) ? 1 : 0));
      const inside = matchingNames(filter);
      for (let i = 1; i < size; i++) if (of[i] >= 0 && inside[nameOf[i]] && by === "fold") hit[of[i]] = 1;
      return hit;
    },
  };
}
function startHot() {
  const has = (by) => profile.hot.corrected[by] !== undefined;
  const state = { by: has("fold") ? "fold" : "place", key: "", ascending: false, top: 15, filter: null };
  let table = null;
  let view = null;
  let columns = null;
  /** Rows in order; what is not known stands last whichever way the column is sorted. */
  function ordered() {
    let rows = Array.from({ length: view.count }, (_, row) => row);
    if (state.filter) {
      const hit = view.matches(state.filter);
      rows = rows.filter((row) => hit[row]);
    }
    const sign = state.ascending ? 1 : -1;
    if (state.key === "name") {
      const collator = new Intl.Collator("en", { numeric: true });
      return rows.sort((a, b) => sign * collator.compare(view.name(a), view.name(b)) || a - b);
    }
    const value = (columns.find((column) => column.key === state.key) ?? columns[1])?.value ?? (() => NaN);
    const keys = Float64Array.from({ length: view.count }, (_, row) => value(row));
    return rows.sort((a, b) => Number.isNaN(keys[a]) - Number.isNaN(keys[b]) || sign * (keys[a] - keys[b]) || a - b);
  }
  function refresh() {
    const rows = ordered();
    const shown = rows.slice(0, state.top);
    table.sorted(state.key, state.ascending);
    table.show(shown);
    const share = columns.find((column) => column.key === "share")?.value ?? (() => 0);
    const together = shown.reduce((sum, row) => sum + (share(row) || 0), 0);
    $("hot-count").textContent =
      `${count(shown.length)} of ${plural(rows.length, "row")}${state.filter ? ` that match, of ${count(view.count)}` : ""}, `
      + `together ${percent(together)} of running time.`;
  }
  function rebuild() {
    view = hotView(state.by);
    columns = [{ key: "name", text: view.heading, sortable: true, cell: view.label }, ...view.columns];
    if (!columns.some((column) => column.key === state.key)) state.key = columns.some((column) => column.key === "running") ? "running" : "self";
    table = rowsIn($("hot-rows"), {
      columns,
      caption: "Hot paths",
      node: view.node,
      onsort: (key) => {
        if (state.key === key) state.ascending = !state.ascending;
        else { state.key = key; state.ascending = key === "name"; }
        refresh();
      },
      decorate: (tr, row) => {
        if (view.node(row) >= 0 && isBelowFloor[view.node(row)] && state.by !== "name") tr.classList.add("floor");
      },
    });
    $("hot-note").textContent = `${view.note} Times are ${clockName}.`;
    refresh();
  }
  segments($("hot-by"), [
    ...(has("fold") ? [{ value: "fold", text: "folded", title: "Numbered scopes and recursion as one: what is hot in every layer is hot once" }] : []),
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
