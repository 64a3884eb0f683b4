// The flame graph on a canvas. Widths are self values added up over each subtree, so a parent is
// as wide as its children and its own share together. Positions are computed once per metric and
// order; a frame walks only what is wider than a pixel and in sight.

const flame = (() => {
  const BOX = 20; // height of a row
  const ABOVE = 3; // rows kept above the node that is zoomed to
  const THINNEST = 0.5; // pixels; below, a node and all inside it are skipped
  const TALLEST = 560;

  const canvas = $("flame-canvas");
  const scroll = $("flame-scroll");
  const tall = scroll.firstElementChild;
  const pen = canvas.getContext("2d");
  const reduced = matchMedia("(prefers-reduced-motion: reduce)");

  const state = { metric: "time", shape: "icicle", order: "heaviest", root: 0, hover: -1, chosen: -1, search: "" };
  let value = null; // of each subtree, as it is: what is told in numbers
  let width = null; // the same without what is negative: what is drawn
  let left = null;
  let view = { x: 0, w: 1, depth: 0 };
  let moving = null;
  let rows = 1;
  let matches = null; // per name
  let cssWidth = 0;
  let cssHeight = 0;

  // ---- layout

  function layout() {
    const time = state.metric === "time";
    const self = Float64Array.from(time ? clock.self : selfAllocated, (v) => Math.max(0, v));
    self[0] = 0;
    width = subtreeSums(self);
    // Corrected times can be negative, and nothing can be drawn narrower than nothing; an unknown
    // allocation is negative, too, but that is no number to add.
    value = time ? clock.thread : width;
    left = new Float64Array(size);
    const cursor = new Float64Array(size);
    const place = (i) => {
      left[i] = cursor[parent[i]];
      cursor[parent[i]] += width[i];
      cursor[i] = left[i];
    };
    if (state.order === "heaviest") {
      // A parent is never narrower than its child and has the smaller index, so that sorting all
      // nodes by width alone still places parents first.
      const order = Array.from({ length: size - 1 }, (_, i) => i + 1);
      order.sort((a, b) => width[b] - width[a] || a - b);
      order.forEach(place);
    } else {
      for (let i = 1; i < size; i++) place(i);
    }
  }

  const target = (i) => ({ x: left[i], w: Math.max(width[i], 1e-9), depth: Math.max(0, depth[i] - ABOVE) });

  /** Walks what is visible in a view, down to a depth; stops where nothing would be seen. */
  function walk(shown, deepest, visit) {
    const scale = cssWidth / shown.w;
    for (let i = 0; i < size;) {
      const w = width[i] * scale;
      const x = (left[i] - shown.x) * scale;
      if ((w < THINNEST && i) || x > cssWidth || x + w < 0 || depth[i] > deepest) {
        i = end[i];
        continue;
      }
      visit(i, x, w);
      i++;
    }
  }

  function fit() {
    const shown = target(state.root);
    let deepest = depth[state.root];
    let broad = deepest; // the deepest that is worth the room: a sliver's rows can be scrolled to
    walk(shown, Infinity, (i, x, w) => {
      // A neighbour that only touches the edge is not in the view.
      if (x >= cssWidth - 0.01 || x + w <= 0.01) return;
      deepest = Math.max(deepest, depth[i]);
      if (w > cssWidth * 0.01) broad = Math.max(broad, depth[i]);
    });
    rows = deepest - shown.depth + 1;
    tall.style.height = `${rows * BOX}px`;
    cssHeight = Math.min(Math.max(rows, 4), Math.max(broad - shown.depth + 3, 12)) * BOX;
    cssHeight = Math.min(cssHeight, TALLEST);
    scroll.style.height = `${cssHeight}px`;
    scroll.scrollTop = state.shape === "icicle" ? 0 : rows * BOX;
  }

  // ---- drawing

  const soon = onFrame(draw);

  function sharpen() {
    const ratio = devicePixelRatio || 1;
    const w = Math.round(cssWidth * ratio);
    const h = Math.round(cssHeight * ratio);
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
      canvas.style.height = `${cssHeight}px`;
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Top of a row on the canvas. */
  function top(row) {
    const content = Math.max(rows * BOX, cssHeight);
    return (state.shape === "icicle" ? row * BOX : content - (row + 1) * BOX) - scroll.scrollTop;
  }

  const widths = new Map();
  const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

  function fitText(text, room) {
    let measured = widths.get(text);
    if (measured === undefined) {
      measured = pen.measureText(text).width;
      widths.set(text, measured);
    }
    if (measured <= room) return text;
    const keep = Math.floor((text.length * (room - 8)) / measured);
    return keep >= 2 ? text.slice(0, keep) + "…" : "";
  }

  let hatch = null;
  /** Diagonal lines over tasks that were handed to other threads. */
  function hatching() {
    if (hatch) return hatch;
    const tile = el("canvas", { width: 8, height: 8 });
    const p = tile.getContext("2d");
    p.strokeStyle = ink("hatch");
    p.lineWidth = 1.4;
    p.beginPath();
    for (const o of [-8, 0, 8]) { p.moveTo(o, 8); p.lineTo(o + 8, 0); }
    p.stroke();
    hatch = pen.createPattern(tile, "repeat");
    return hatch;
  }

  let paints = new Map();
  function paint(name, dim) {
    const key = name * 2 + (dim ? 1 : 0);
    if (!paints.has(key)) paints.set(key, colorOf(name, { dim }));
    return paints.get(key);
  }

  function draw() {
    if (!cssWidth) return;
    if (moving) {
      const t = Math.min(1, (performance.now() - moving.since) / moving.millis);
      const eased = 1 - (1 - t) ** 3;
      for (const k of ["x", "w", "depth"]) view[k] = moving.from[k] + (moving.to[k] - moving.from[k]) * eased;
      if (t >= 1) { view = { ...moving.to }; moving = null; } else soon();
    }
    sharpen();
    pen.clearRect(0, 0, cssWidth, cssHeight);
    pen.font = FONT;
    pen.textBaseline = "middle";
    const text = ink("flame-ink");
    const faint = ink("flame-faint");
    const found = ink("found");
    const foundText = ink("found-ink");
    const edge = ink("panel");
    const content = Math.max(rows * BOX, cssHeight);
    const deepest = view.depth + (state.shape === "icicle"
      ? Math.ceil((scroll.scrollTop + cssHeight) / BOX)
      : Math.ceil((content - scroll.scrollTop) / BOX)) + 1;
    const zoomed = state.root > 0;
    walk(view, deepest, (i, x, w) => {
      const y = top(depth[i] - view.depth);
      if (y <= -BOX || y >= cssHeight) return;
      const from = Math.max(x, 0);
      const to = Math.min(x + w, cssWidth);
      const room = to - from;
      if (room < THINNEST) return;
      const name = nameOf[i];
      const match = matches && i > 0 && matches[name];
      const dim = (matches && !match) || (zoomed && i < state.root);
      pen.fillStyle = match ? found : i === 0 ? ink("flame-root") : paint(name, dim);
      pen.fillRect(from, y, room, BOX - 1);
      if (isTask[i] && room > 3) {
        pen.save();
        pen.translate(from % 8, y % 8);
        pen.fillStyle = hatching();
        pen.fillRect(from - (from % 8), y - (y % 8), room, BOX - 1);
        pen.restore();
        pen.fillStyle = ink("task");
        pen.fillRect(from, y, 3, BOX - 1);
      }
      if (to < cssWidth && room > 2) { // a hairline between neighbours
        pen.fillStyle = edge;
        pen.fillRect(to - 1, y, 1, BOX - 1);
      }
      if (room > 26) label(i, from, y, room, match ? foundText : dim ? faint : text, match ? foundText : faint);
      if (i === state.hover || i === state.chosen) {
        pen.strokeStyle = ink("focus");
        pen.lineWidth = 2;
        pen.strokeRect(from + 1, y + 1, room - 2, BOX - 3);
      }
    });
  }

  function label(i, x, y, room, color, faint) {
    const indent = isTask[i] ? 8 : 5;
    const whole = (isTask[i] ? "⇢ " : "") + names[nameOf[i]];
    const text = fitText(whole, room - indent - 4);
    if (!text) return;
    pen.fillStyle = color;
    pen.fillText(text, x + indent, y + BOX / 2);
    if (text !== whole) return;
    const share = percent(value[i] / value[0]);
    const used = widths.get(whole) + indent + 16;
    if (room > used + 46) {
      pen.fillStyle = faint;
      pen.fillText(share, x + used - 6, y + BOX / 2);
    }
  }

  // ---- moving about

  function zoom(i, still) {
    state.root = i;
    state.chosen = -1;
    fit();
    const to = target(i);
    if (still || reduced.matches || document.hidden) {
      moving = null;
      view = to;
    } else {
      moving = { from: { ...view }, to, since: performance.now(), millis: 220 };
    }
    canvas.dataset.root = String(i);
    canvas.dataset.name = names[nameOf[i]];
    $("flame-reset").disabled = i === 0;
    crumbs();
    told();
    soon();
  }

  function crumbs() {
    const path = [];
    for (let n = state.root; n >= 0; n = n === 0 ? -1 : parent[n]) path.push(n);
    path.reverse();
    const shown = path.length > 9 ? [path[0], path[1], -1, ...path.slice(-6)] : path;
    $("flame-path").replaceChildren(...shown.flatMap((n, k) => [
      k ? el("span", { class: "step", "aria-hidden": "true" }, "›") : null,
      n < 0 ? el("span", {}, `… ${count(path.length - 8)} more …`)
        : n === state.root ? el("b", { "aria-current": "true" }, names[nameOf[n]])
        : el("button", { type: "button", onclick: () => zoom(n) }, names[nameOf[n]]),
    ].filter(Boolean)),
      el("span", { class: "amount" }, `${amount(value[state.root])} · ${percent(value[state.root] / value[0])}`));
  }

  const amount = (v) => (state.metric === "time" ? duration(v) : memory(v));

  function told() {
    canvas.setAttribute("aria-label",
      `${state.shape === "flame" ? "Flame" : "Icicle"} graph by ${state.metric === "time" ? "thread time" : "allocation"}, `
      + `zoomed to ${names[nameOf[state.root]]}, ${amount(value[state.root])}. Arrow keys move, Enter zooms, Escape shows everything.`);
  }

  function hit(event) {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top + scroll.scrollTop;
    const content = Math.max(rows * BOX, cssHeight);
    const row = Math.floor((state.shape === "icicle" ? y : content - y) / BOX) + Math.round(view.depth);
    const at = view.x + (x / cssWidth) * view.w;
    let i = 0;
    while (depth[i] < row) {
      let inside = -1;
      for (const c of childrenOf(i)) if (at >= left[c] && at < left[c] + width[c]) { inside = c; break; }
      if (inside < 0) return -1;
      i = inside;
    }
    return row >= 0 && depth[i] === row ? i : -1;
  }

  /** Where a node is drawn, in page coordinates; null when it is out of sight. */
  function boxOf(i) {
    const scale = cssWidth / view.w;
    const from = Math.max(0, (left[i] - view.x) * scale);
    const to = Math.min(cssWidth, (left[i] + width[i] - view.x) * scale);
    const y = top(depth[i] - view.depth);
    if (to - from < THINNEST || y < 0 || y + BOX > cssHeight) return null;
    const box = canvas.getBoundingClientRect();
    return { x: box.left + from, y: box.top + y, width: to - from, height: BOX };
  }

  // ---- search

  /** Share of the outermost matching nodes: what is inside a match is not counted again. */
  function matched() {
    let sum = 0;
    let nodes = 0;
    for (let i = 1; i < size; i++) if (matches[nameOf[i]]) nodes++;
    for (let i = 1; i < size;) {
      if (matches[nameOf[i]]) {
        sum += value[i];
        i = end[i];
      } else {
        i++;
      }
    }
    return { nodes, sum, share: value[0] ? sum / value[0] : 0 };
  }

  function search(text) {
    state.search = text;
    const regexp = matcher(text);
    matches = regexp ? matchingNames(regexp) : null;
    const out = $("flame-found");
    if (matches) {
      const { nodes, sum, share } = matched();
      out.textContent = nodes
        ? `${plural(nodes, "match", "matches")} · ${amount(sum)} · ${percent(share)} of all`
        : "no match";
      out.dataset.share = String(share);
      out.dataset.nodes = String(nodes);
    } else {
      out.textContent = "";
      delete out.dataset.share;
      delete out.dataset.nodes;
    }
    soon();
  }

  // ---- keyboard

  function step(key) {
    const i = state.chosen < 0 ? state.root : state.chosen;
    const visible = (n) => width[n] > 0;
    const siblings = () => (i === 0 ? [0] : [...childrenOf(parent[i])].filter(visible).sort((a, b) => left[a] - left[b]));
    const inward = state.shape === "icicle" ? "ArrowDown" : "ArrowUp";
    const outward = state.shape === "icicle" ? "ArrowUp" : "ArrowDown";
    let next = i;
    if (state.chosen < 0 && key !== "Enter") next = state.root;
    else if (key === inward) next = [...childrenOf(i)].filter(visible).sort((a, b) => width[b] - width[a])[0] ?? i;
    else if (key === outward) next = Math.max(0, parent[i]);
    else if (key === "ArrowRight" || key === "ArrowLeft") {
      const row = siblings();
      next = row[row.indexOf(i) + (key === "ArrowRight" ? 1 : -1)] ?? i;
    } else if (key === "Enter") return zoom(i);
    if (next < state.root || next >= end[state.root]) zoom(next);
    state.chosen = next;
    const y = top(depth[next] - target(state.root).depth);
    if (y < 0) scroll.scrollTop += y;
    else if (y + BOX > cssHeight) scroll.scrollTop += y + BOX - cssHeight;
    soon();
    const box = boxOf(next);
    if (box) showTip(box.x, box.y + BOX, describe(next));
  }

  function relayout() {
    layout();
    zoom(state.root, true);
    search(state.search);
    note();
  }

  function note() {
    const unknown = state.metric === "allocation" ? selfAllocated.reduce((n, v, i) => n + (i && v < 0 ? 1 : 0), 0) : 0;
    $("flame-note").textContent =
      (state.metric === "time"
        ? `Width is ${clockName} thread time, summed over all threads: self times add up. `
        : "Width is heap bytes allocated, summed over all threads. "
          + (unknown ? `The allocation of ${plural(unknown, "scope")} is unknown and has no width. ` : ""))
      + "Hatched: tasks handed to other threads. Click zooms, Esc resets, / searches.";
  }

  function start() {
    segments($("flame-metric"), [
      { value: "time", text: "time" },
      { value: "allocation", text: "allocation", disabled: !allocationRecorded,
        title: allocationRecorded ? undefined : "Not recorded: use level ALLOCATION or TRACE" },
    ], state.metric, (metric) => { state.metric = metric; relayout(); });
    segments($("flame-shape"), [{ value: "icicle", text: "icicle" }, { value: "flame", text: "flame" }],
      state.shape, (shape) => { state.shape = shape; zoom(state.root, true); });
    segments($("flame-order"), [
      { value: "heaviest", text: "heaviest first", title: "Inside a scope, the widest stands left" },
      { value: "program", text: "program order", title: "As first met when running" },
    ], state.order, (order) => { state.order = order; relayout(); });

    const point = (event) => {
      const i = hit(event);
      if (i !== state.hover) { state.hover = i; soon(); }
      canvas.style.cursor = i >= 0 ? "pointer" : "default";
      if (i >= 0) showTip(event.clientX, event.clientY, describe(i));
      else hideTip();
    };
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerleave", () => { state.hover = -1; hideTip(); soon(); });
    canvas.addEventListener("click", (event) => {
      const i = hit(event);
      if (i >= 0) { hideTip(); zoom(i); }
    });
    canvas.addEventListener("keydown", (event) => {
      if (!/^(Arrow(Up|Down|Left|Right)|Enter)$/.test(event.key)) return;
      event.preventDefault();
      step(event.key);
    });
    canvas.addEventListener("blur", () => { state.chosen = -1; hideTip(); soon(); });
    scroll.addEventListener("scroll", () => { hideTip(); soon(); }, { passive: true });
    $("flame-search").addEventListener("input", (event) => search(event.target.value));
    $("flame-reset").addEventListener("click", () => zoom(0));
    new ResizeObserver(() => {
      const w = scroll.clientWidth;
      if (w === cssWidth || !w) return;
      cssWidth = w;
      fit();
      soon();
    }).observe(scroll);
    cssWidth = scroll.clientWidth;
    clockListeners.push(relayout);
    themeListeners.push(() => { hatch = null; paints = new Map(); soon(); });
    relayout();
  }

  return {
    start,
    zoom,
    boxOf,
    reset: () => zoom(0),
    isZoomed: () => state.root > 0,
    /** Zooms to a node from elsewhere on the page. */
    show(i) {
      $("flame").scrollIntoView({ behavior: reduced.matches ? "auto" : "smooth", block: "start" });
      zoom(i);
    },
    /** Marks every place of exactly this name. */
    find(name) {
      const text = `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`;
      $("flame").scrollIntoView({ behavior: reduced.matches ? "auto" : "smooth", block: "start" });
      $("flame-search").value = text;
      zoom(0);
      search(text);
    },
  };
})();
