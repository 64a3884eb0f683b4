// A table that holds any number of rows and builds only those in sight.

const ROW = 28; // pixels, as in the style sheet
const MOST = 21; // rows in sight at once
const SPARE = 10; // rows built above and below, so that scrolling shows no gap

/**
 * columns: [{key, text, title, width, sortable, cell(row) -> Node | string, bar(row) -> 0..1}]
 * The first column is the row's header. node(row) is the place it is about. decorate(tr, row, position) may add to a row.
 */
function rowsIn(host, { columns, caption, onsort, decorate, role, node = (row) => row }) {
  const body = el("tbody");
  const heads = columns.map((c, n) => {
    const label = c.sortable
      ? el("button", { type: "button", onclick: () => onsort(c.key) }, c.text)
      : c.text;
    return el("th", { scope: "col", title: c.title, "data-key": c.key, class: n ? "number" : "" }, label);
  });
  const widths = columns.map((c) => {
    const col = el("col");
    if (c.width) col.style.width = `${c.width}px`;
    return col;
  });
  const table = el("table", { role },
    el("caption", { class: "hidden" }, caption), el("colgroup", {}, ...widths),
    el("thead", {}, el("tr", {}, ...heads)), body);
  table.style.minWidth = `${columns.reduce((sum, c) => sum + (c.width ?? 280), 0)}px`;
  host.replaceChildren(table);

  let rows = [];
  let all = true; // few enough to need no scrolling
  const inSight = new Map(); // position -> row
  const above = gap();
  const below = gap();
  body.append(above, below);
  let from = -1;
  let to = -1;

  function rowOf(row, position) {
    const tr = el("tr", { "data-node": node(row), "aria-rowindex": position + 2 });
    columns.forEach((c, n) => {
      const cell = el(n ? "td" : "th", n ? { class: "number" } : { scope: "row" });
      const share = c.bar ? c.bar(row) : 0;
      if (share > 0) {
        const bar = el("span", { class: `fill ${c.fill ?? ""}` });
        bar.style.width = `${Math.min(1, share) * 100}%`;
        cell.append(bar);
      }
      const content = c.cell(row, position);
      cell.append(...(Array.isArray(content) ? content : [content]));
      tr.append(cell);
    });
    decorate?.(tr, row, position);
    return tr;
  }

  function gap() {
    return el("tr", { class: "gap", "aria-hidden": "true" }, el("td", { colspan: columns.length }));
  }

  function widen(gapRow, count) {
    gapRow.hidden = count === 0;
    gapRow.firstChild.style.height = `${count * ROW}px`;
  }

  function draw(force) {
    const first = all ? 0 : Math.max(0, Math.floor(host.scrollTop / ROW) - SPARE);
    const last = all ? rows.length : Math.min(rows.length, Math.ceil((host.scrollTop + host.clientHeight) / ROW) + SPARE);
    if (!force && first === from && last === to) return;
    // Rows that stay in sight stay in place, so that the browser need not lay them out again.
    for (const [position, row] of inSight) {
      if (!force && position >= first && position < last) continue;
      row.remove();
      inSight.delete(position);
    }
    let before = above;
    for (let p = first; p < last; p++) {
      if (!inSight.has(p)) {
        inSight.set(p, rowOf(rows[p], p));
        before.after(inSight.get(p));
      }
      before = inSight.get(p);
    }
    widen(above, first);
    widen(below, rows.length - last);
    from = first;
    to = last;
  }

  const soon = onFrame(() => draw(false));
  // Properties, not listeners: a table built anew in the same place takes over from the old one.
  host.onscroll = soon;
  host.resized?.disconnect();
  host.resized = new ResizeObserver(soon);
  host.resized.observe(host);

  return {
    /** Shows these rows, from the top unless the place is to be kept. */
    show(list, keep) {
      rows = list;
      table.setAttribute("aria-rowcount", String(rows.length + 1));
      if (!keep) host.scrollTop = 0;
      all = rows.length <= MOST;
      host.style.height = all ? "auto" : `${MOST * ROW + 40}px`;
      draw(true);
    },
    redraw: () => draw(true),
    reveal(position) {
      const top = position * ROW;
      if (top < host.scrollTop) host.scrollTop = top;
      else if (top + ROW > host.scrollTop + host.clientHeight - 40) host.scrollTop = top + ROW - host.clientHeight + 40;
      draw(true);
    },
    rowAt: (position) => body.querySelector(`tr[aria-rowindex="${position + 2}"]`),
    sorted(key, ascending) {
      for (const head of heads) {
        if (head.dataset.key === key) head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      }
    },
  };
}
