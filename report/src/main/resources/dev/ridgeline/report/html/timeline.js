// Raw events thread by thread. Each lane has a row per depth; rows keep their events sorted by
// start, so that a frame looks only at those in sight and draws one of those that share a pixel.

const timeline = (() => {
  const BAND = 15; // height of a row
  const HEAD = 20; // a lane's name
  const GAP = 8;
  const AXIS = 38; // ticks and pauses
  const DEEPEST = 20; // rows of a lane
  const TALLEST = 560;

  const lanes = [];
  const state = { from: 0, to: 1, first: 0, last: 1, hover: null, focused: false };
  let canvas, scroll, tall, pen, cssWidth = 0, cssHeight = 0, total = 0;

  function prepare() {
    let y = AXIS;
    for (const lane of profile.lanes) {
      const events = lane.node?.length ?? 0;
      const start = new Float64Array(events);
      let now = 0;
      for (let e = 0; e < events; e++) start[e] = now += lane.start[e];
      const byDepth = [];
      let cut = 0;
      for (let e = 0; e < events; e++) {
        const d = lane.depth[lane.node[e]];
        if (d >= DEEPEST) { cut++; continue; }
        (byDepth[d] ??= []).push(e);
      }
      const rows = Array.from({ length: byDepth.length }, (_, d) => rowOf(byDepth[d] ?? [], start, lane.duration));
      lanes.push({ lane, start, rows, cut, y });
      y += HEAD + Math.max(1, rows.length) * BAND + GAP;
    }
    total = y;
  }

  /** reach[k]: the latest end among the first k + 1 events, for finding the first one in sight. */
  function rowOf(events, start, lasted) {
    const reach = new Float64Array(events.length);
    let latest = 0;
    events.forEach((e, k) => { reach[k] = latest = Math.max(latest, start[e] + lasted[e]); });
    return { events, reach };
  }

  function firstReaching(reach, time) {
    let low = 0;
    let high = reach.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (reach[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const xOf = (time) => ((time - state.from) / (state.to - state.from)) * cssWidth;
  const timeAt = (x) => state.from + (x / cssWidth) * (state.to - state.from);

  // ---- drawing

  const soon = onFrame(draw);
  let paints = new Map();
  const paint = (name) => {
    if (!paints.has(name)) paints.set(name, colorOf(name));
    return paints.get(name);
  };

  function draw() {
    cssWidth = scroll.clientWidth;
    if (!cssWidth) return;
    cssHeight = Math.min(total, TALLEST);
    scroll.style.height = `${cssHeight}px`;
    tall.style.height = `${total}px`;
    const ratio = devicePixelRatio || 1;
    const w = Math.round(cssWidth * ratio);
    const h = Math.round(cssHeight * ratio);
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
      canvas.style.height = `${cssHeight}px`;
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, cssWidth, cssHeight);
    pen.font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
    pen.textBaseline = "middle";
    const ticks = ticksIn();
    pen.fillStyle = ink("line");
    for (const tick of ticks.at) pen.fillRect(Math.round(xOf(tick)), AXIS, 1, cssHeight);
    for (const lane of lanes) drawLane(lane);
    drawPauses();
    drawAxis(ticks);
    drawSelection();
    canvas.dataset.from = String(state.from);
    canvas.dataset.to = String(state.to);
    $("timeline-range").textContent = `${duration(state.from)} – ${duration(state.to)}, ${duration(state.to - state.from)} shown`;
    $("timeline-reset").disabled = state.from === state.first && state.to === state.last;
  }

  function drawLane({ lane, start, rows, y: laneTop, cut }) {
    const y0 = laneTop - scroll.scrollTop;
    if (y0 > cssHeight || y0 + HEAD + rows.length * BAND < 0) return;
    const scale = cssWidth / (state.to - state.from);
    rows.forEach((row, d) => {
      const y = y0 + HEAD + d * BAND;
      if (y > cssHeight || y + BAND < 0) return;
      let drawn = -1; // the last pixel that is taken
      for (let k = firstReaching(row.reach, state.from); k < row.events.length; k++) {
        const e = row.events[k];
        if (start[e] > state.to) break;
        const x = (start[e] - state.from) * scale;
        const right = x + lane.duration[e] * scale;
        if (right < 0 || right - Math.max(x, drawn) < 0.5 && right <= drawn + 0.5) continue;
        const from = Math.max(0, x);
        const room = Math.max(1, Math.min(right, cssWidth) - from);
        const name = nameOf[lane.at[lane.node[e]]];
        pen.fillStyle = paint(name);
        pen.fillRect(from, y, room > 3 ? room - 1 : room, BAND - 1);
        if (isTask[lane.at[lane.node[e]]] && room > 12) {
          pen.fillStyle = ink("task");
          pen.fillRect(from, y, 2, BAND - 1);
        }
        if (room > 30) drawText(names[name], from + 5, y + BAND / 2, room - 8);
        if (state.hover && state.hover.lane === lane && state.hover.event === e) {
          pen.strokeStyle = ink("focus");
          pen.lineWidth = 2;
          pen.strokeRect(from + 1, y + 1, Math.max(1, room - 2), BAND - 3);
        }
        drawn = Math.max(drawn, right);
      }
    });
    pen.fillStyle = ink("panel-veil");
    pen.fillRect(0, y0, cssWidth, HEAD - 2);
    pen.fillStyle = ink("text");
    pen.fillText(laneTitle(lane, cut), 6, y0 + HEAD / 2);
  }

  function laneTitle(lane, cut) {
    return [
      lane.thread + (lane.threads > 1 ? ` (${count(lane.threads)} ${lane.virtual ? "virtual " : ""}threads in turn)` : lane.virtual ? " (virtual)" : ""),
      duration(lane.total) + " in scopes",
      lane.dropped ? `${plural(lane.dropped, "older event")} dropped` : "",
      lane.omitted ? `${plural(lane.omitted, "shorter event")} not in this page` : "",
      cut ? `${plural(cut, "event")} deeper than ${DEEPEST} not drawn` : "",
      lane.node ? "" : "no event",
    ].filter(Boolean).join(" · ");
  }

  function drawText(text, x, y, room) {
    const keep = Math.floor(room / 5.8);
    if (keep < 3) return;
    pen.fillStyle = ink("flame-ink");
    pen.fillText(text.length <= keep ? text : text.slice(0, keep - 1) + "…", x, y);
  }

  function ticksIn() {
    const span = state.to - state.from;
    const rough = span / Math.max(2, cssWidth / 130);
    const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-3)));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
    const at = [];
    for (let t = Math.ceil(state.from / step) * step; t <= state.to; t += step) at.push(t);
    return { at, step };
  }

  function drawAxis({ at, step }) {
    pen.fillStyle = ink("panel");
    pen.fillRect(0, 0, cssWidth, 20);
    pen.fillStyle = ink("muted");
    const unit = TIME_UNITS.findLast((u) => state.to >= u[0]) ?? TIME_UNITS[0];
    const places = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / unit[0]) + 1e-9)));
    for (const t of at) {
      const text = `${(t / unit[0]).toFixed(places)} ${unit[1]}`;
      pen.fillText(text, Math.min(Math.round(xOf(t)) + 3, cssWidth - 60), 10);
    }
  }

  function drawPauses() {
    pen.fillStyle = ink("panel");
    pen.fillRect(0, 20, cssWidth, AXIS - 20);
    for (const pause of profile.activity.pauses) {
      const x = xOf(pause.atNanos);
      const w = Math.max(2, xOf(pause.atNanos + pause.nanos) - x);
      if (x + w < 0 || x > cssWidth) continue;
      pen.fillStyle = ink("pause-veil");
      pen.fillRect(x, AXIS, w, cssHeight);
      pen.fillStyle = ink("pause");
      pen.fillRect(x, 22, w, AXIS - 26);
      if (w > 24) {
        pen.fillStyle = ink("pause-ink");
        pen.fillText("GC", Math.max(x, 0) + 4, 22 + (AXIS - 26) / 2);
      }
    }
  }

  function drawSelection() {
    if (!drag?.selecting) return;
    pen.fillStyle = ink("select-veil");
    pen.fillRect(Math.min(drag.x, drag.now), 0, Math.abs(drag.now - drag.x), cssHeight);
  }

  // ---- moving about

  function look(from, to) {
    const least = 50; // nanoseconds
    const all = state.last - state.first;
    const span = Math.min(Math.max(to - from, least), all);
    state.from = Math.min(Math.max(from, state.first), state.last - span);
    state.to = state.from + span;
    hideTip();
    soon();
  }

  function zoomAt(x, factor) {
    const center = timeAt(x);
    look(center - (center - state.from) * factor, center + (state.to - center) * factor);
  }

  let drag = null;

  function hit(x, y) {
    const pause = y < AXIS
      ? profile.activity.pauses.find((p) => x >= xOf(p.atNanos) - 2 && x <= Math.max(xOf(p.atNanos + p.nanos), xOf(p.atNanos) + 3))
      : null;
    if (pause) return { pause };
    const time = timeAt(x);
    const slack = (state.to - state.from) / cssWidth; // a pixel
    for (const { lane, start, rows, y: top } of lanes) {
      const d = Math.floor((y + scroll.scrollTop - top - HEAD) / BAND);
      if (d < 0 || d >= rows.length || y + scroll.scrollTop < top) continue;
      const row = rows[d];
      for (let k = firstReaching(row.reach, time - slack); k < row.events.length; k++) {
        const e = row.events[k];
        if (start[e] > time + slack) break;
        if (start[e] - slack <= time && time <= start[e] + lane.duration[e] + slack) return { lane, start: start[e], event: e };
      }
    }
    return null;
  }

  function describeEvent({ lane, start, event, pause }) {
    if (pause) {
      return [el("strong", {}, pause.collector), pairs([
        ["pause", duration(pause.nanos)], ["at", duration(pause.atNanos)], ["cause", pause.cause],
        ["heap after", memory(pause.heapAfterBytes)]])];
    }
    const node = lane.at[lane.node[event]];
    const lasted = lane.duration[event];
    return [
      el("strong", {}, names[nameOf[node]]),
      el("div", { class: "path" }, pathText(node, 8, 1)),
      isTask[node] ? el("div", { class: "mark" }, "⇢ task, handed over by the scope above it") : null,
      pairs([
        ["took", `${duration(lasted)} (raw)`],
        ["began", duration(start)],
        ["thread", lane.thread],
        lane.allocated ? ["allocated", memory(lane.allocated[event])] : null,
        lane.bytes?.[event] ? ["moved", `${memory(lane.bytes[event])} · ${rate(perNano(lane.bytes[event], lasted))} GB/s`] : null,
        lane.flops?.[event] ? ["computed", `${rate(perNano(lane.flops[event], lasted))} GFLOP/s`] : null,
        calls[node] > 1 ? ["p50 · p99 of all calls", `${duration(p50[node])} · ${duration(p99[node])}`] : null,
      ]),
      el("div", { class: "path" }, "Double-click zooms to it"),
    ].filter(Boolean);
  }

  function listen() {
    const local = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      const [x] = local(event);
      drag = { x, now: x, from: state.from, to: state.to, selecting: event.shiftKey };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = local(event);
      if (drag) {
        drag.now = x;
        if (!drag.selecting) {
          const shift = ((drag.x - x) / cssWidth) * (drag.to - drag.from);
          look(drag.from + shift, drag.to + shift);
        }
        soon();
        return;
      }
      const found = hit(x, y);
      if (found?.event !== state.hover?.event || found?.lane !== state.hover?.lane) { state.hover = found; soon(); }
      if (found) showTip(event.clientX, event.clientY, describeEvent(found));
      else hideTip();
    });
    const done = () => {
      if (drag?.selecting && Math.abs(drag.now - drag.x) > 4) {
        look(timeAt(Math.min(drag.x, drag.now)), timeAt(Math.max(drag.x, drag.now)));
      }
      drag = null;
      soon();
    };
    canvas.addEventListener("pointerup", done);
    canvas.addEventListener("pointercancel", done);
    canvas.addEventListener("pointerleave", () => { state.hover = null; hideTip(); soon(); });
    canvas.addEventListener("dblclick", (event) => {
      const found = hit(...local(event));
      if (!found) return;
      const [at, lasted] = found.pause ? [found.pause.atNanos, found.pause.nanos] : [found.start, found.lane.duration[found.event]];
      look(at - lasted * 0.05, at + lasted * 1.05);
    });
    // A wheel over the graph scrolls the page as everywhere, until the graph has been clicked.
    canvas.addEventListener("wheel", (event) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      if (!(event.ctrlKey || event.metaKey || document.activeElement === canvas || sideways)) return;
      event.preventDefault();
      const span = state.to - state.from;
      if (sideways) {
        const shift = ((event.deltaX || event.deltaY) / cssWidth) * span;
        look(state.from + shift, state.to + shift);
      } else {
        zoomAt(local(event)[0], Math.exp(Math.max(-200, Math.min(200, event.deltaY)) * 0.002));
      }
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const span = state.to - state.from;
      const moves = {
        ArrowLeft: () => look(state.from - span / 5, state.to - span / 5),
        ArrowRight: () => look(state.from + span / 5, state.to + span / 5),
        "+": () => zoomAt(cssWidth / 2, 0.6), "=": () => zoomAt(cssWidth / 2, 0.6),
        "-": () => zoomAt(cssWidth / 2, 1 / 0.6),
      };
      if (!moves[event.key]) return;
      event.preventDefault();
      moves[event.key]();
    });
    scroll.addEventListener("scroll", () => { hideTip(); soon(); }, { passive: true });
  }

  function start() {
    const host = $("timeline");
    const traced = profile.lanes.some((lane) => lane.node?.length);
    if (!traced) {
      host.append(
        el("div", { class: "head" }, el("h2", {}, "Timeline")),
        profile.level === "TRACE"
          ? el("p", { class: "note" }, "No scope had ended when this profile was taken, so there is no event to draw.")
          : el("p", { class: "note" }, "Raw events were not recorded. Record with level TRACE (", el("code", {}, "--level trace"),
            ", or ", el("code", {}, "Options.of(Level.TRACE)"), ") to see each call on its thread."));
      return;
    }
    host.append(
      el("div", { class: "head" }, el("h2", {}, "Timeline"),
        el("div", { class: "tools" },
          el("span", { id: "timeline-range", class: "found", role: "status" }),
          el("button", { type: "button", "aria-label": "Zoom in", onclick: () => zoomAt(cssWidth / 2, 0.5) }, "+"),
          el("button", { type: "button", "aria-label": "Zoom out", onclick: () => zoomAt(cssWidth / 2, 2) }, "−"),
          el("button", { type: "button", id: "timeline-reset", onclick: reset }, "Show all"))));
    canvas = el("canvas", { id: "timeline-canvas", tabindex: "0", role: "img",
      "aria-label": "Events by thread over time. Arrow keys pan, plus and minus zoom." });
    tall = el("div", { class: "tall" }, canvas);
    scroll = el("div", { class: "scroll", id: "timeline-scroll" }, tall);
    pen = canvas.getContext("2d");
    const dropped = profile.lanes.reduce((sum, lane) => sum + lane.dropped, 0);
    const omitted = profile.lanes.reduce((sum, lane) => sum + (lane.omitted ?? 0), 0);
    host.append(scroll, el("p", { class: "note", id: "timeline-note" },
      "Drag pans, Shift and drag selects, the wheel zooms after a click (or with Ctrl), a double click zooms to an event. "
      + (profile.activity.pauses.length ? "Red: garbage collection. " : "No garbage collection paused the run. ")
      + (dropped ? `The ring was full: the oldest ${plural(dropped, "event was", "events were")} dropped. ` : "No event was dropped. ")
      + (omitted ? `The ${plural(omitted, "shortest event is", "shortest events are")} left out of this page. ` : "")));
    prepare();
    extent();
    listen();
    new ResizeObserver(soon).observe(scroll);
    themeListeners.push(() => { paints = new Map(); soon(); });
    draw();
  }

  /** From the first to the last event: a ring may hold only the end of a long run. */
  function extent() {
    let first = Infinity;
    let last = 0;
    for (const { start, rows } of lanes) {
      if (start.length) first = Math.min(first, start[0]);
      for (const row of rows) if (row.reach.length) last = Math.max(last, row.reach.at(-1));
    }
    const margin = (last - first) * 0.01;
    state.first = state.from = Math.max(0, first - margin);
    state.last = state.to = last + Math.max(margin, 1);
  }

  function reset() {
    look(state.first, state.last);
  }

  return { start, reset };
})();
