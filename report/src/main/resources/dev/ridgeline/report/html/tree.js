// The call tree as rows that open and close; only open rows exist, and only those in sight are built.

function startTree() {
  const openNodes = new Set();
  let rows = [];
  let focus = -1;
  const INDENT = 16;
  const DEEPEST_INDENT = 22; // steps; deeper rows say their depth instead

  const hasChildren = (i) => end[i] > i + 1;
  const byTime = (i) => [...childrenOf(i)].sort((a, b) => clock.thread[b] - clock.thread[a] || a - b);

  function collect() {
    const out = [];
    const stack = byTime(0).reverse();
    while (stack.length) {
      const i = stack.pop();
      out.push(i);
      // One by one: a spread of a hundred thousand children would overflow the call.
      if (openNodes.has(i)) for (const child of byTime(i).reverse()) stack.push(child);
    }
    return out;
  }

  const share = (i) => clock.thread[i] / clock.all;
  const columns = [
    { key: "name", text: "scope", cell: name },
    { key: "thread", text: "thread time", title: "self times of this scope and everything inside it, tasks on other threads included", width: 104, cell: (i) => duration(clock.thread[i]), bar: share },
    { key: "share", text: "%", title: "thread time as a share of summed thread time", width: 72, cell: (i) => percent(share(i)) },
    { key: "self", text: "self", width: 92, cell: (i) => duration(clock.self[i]), bar: (i) => clock.self[i] / clock.all, fill: "strong" },
    { key: "calls", text: "calls", width: 92, cell: (i) => count(calls[i]) + (open[i] ? "\u2009+\u2009" + count(open[i]) : "") },
    { key: "average", text: "avg", width: 92, cell: (i) => duration(averageOf(i)) },
    ...(allocationRecorded ? [{ key: "allocated", text: "allocated", width: 92, cell: (i) => memory(allocated[i]) }] : []),
  ];

  function name(i) {
    const level = depth[i] - 1;
    const pad = el("span", { class: "pad" }, level > DEEPEST_INDENT ? `${count(level)}` : "");
    pad.style.width = `${Math.min(level, DEEPEST_INDENT) * INDENT + 4 + (level > DEEPEST_INDENT ? 40 : 0)}px`;
    return [
      pad,
      hasChildren(i)
        ? el("button", { type: "button", class: "twist", tabindex: "-1", "aria-label": openNodes.has(i) ? "Close" : "Open", onclick: () => toggle(i) }, openNodes.has(i) ? "▾" : "▸")
        : el("span", { class: "twist" }),
      el("button", { type: "button", class: "scope", tabindex: "-1", title: "Show in the flame graph", onclick: () => flame.show(i) }, names[nameOf[i]]),
      ...tags(i),
    ];
  }

  const table = rowsIn($("tree-rows"), {
    columns,
    caption: "Call tree",
    role: "treegrid",
    decorate: (tr, i, position) => {
      tr.setAttribute("aria-level", String(depth[i]));
      if (hasChildren(i)) tr.setAttribute("aria-expanded", String(openNodes.has(i)));
      tr.tabIndex = position === Math.max(0, focus) ? 0 : -1;
      if (isBelowFloor[i]) tr.classList.add("floor");
    },
  });

  function refresh(keep = true) {
    rows = collect();
    table.show(rows, keep);
  }

  function toggle(i) {
    if (openNodes.has(i)) openNodes.delete(i);
    else openNodes.add(i);
    refresh();
  }

  /** Opens what leads to the time: the heaviest child while it holds a good part of its parent. */
  function openHot() {
    const stack = byTime(0).filter((i) => share(i) > 0.1).slice(0, 3);
    let room = 24; // rows; more would push the tree out of sight
    while (stack.length && room > 0) {
      const i = stack.shift();
      if (!hasChildren(i)) continue;
      openNodes.add(i);
      const children = byTime(i);
      room -= children.length;
      stack.push(...children.filter((c) => share(c) > 0.1).slice(0, 2));
    }
    refresh(false);
  }

  function go(position) {
    focus = Math.min(Math.max(position, 0), rows.length - 1);
    table.reveal(focus);
    table.rowAt(focus)?.focus({ preventScroll: true });
  }

  $("tree-rows").addEventListener("keydown", (event) => {
    const row = event.target.closest?.("tr[data-node]");
    if (!row) return;
    const i = Number(row.dataset.node);
    const position = rows.indexOf(i);
    const keys = {
      ArrowDown: () => go(position + 1),
      ArrowUp: () => go(position - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => { if (hasChildren(i) && !openNodes.has(i)) { toggle(i); go(position); } else go(position + 1); },
      ArrowLeft: () => { if (openNodes.has(i)) { toggle(i); go(position); } else if (parent[i] > 0) go(rows.indexOf(parent[i])); },
      Enter: () => { if (event.target === row) flame.show(i); },
    };
    if (!keys[event.key] || (event.key === "Enter" && event.target !== row)) return;
    event.preventDefault();
    keys[event.key]();
  });
  $("tree-hot").addEventListener("click", openHot);
  $("tree-close").addEventListener("click", () => { openNodes.clear(); refresh(false); });
  clockListeners.push(() => refresh());
  openHot();
}
