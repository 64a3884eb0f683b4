// How something measured changes along an axis: a row of stacked bars each.

const SERIES_COLORS = ["var(--part-first)", "var(--part-second)", "var(--rest)", "var(--fill-green)"];

function drawSeries() {
  const host = $("series");
  if (!profile.series.length) {
    host.remove();
    return;
  }
  host.replaceChildren(...profile.series.flatMap(oneSeries));
}

function oneSeries(series) {
  const wholes = series.labels.map((_, i) => series.parts.reduce((sum, p) => sum + p.values[i], 0));
  const most = Math.max(...wholes, Number.MIN_VALUE);
  const several = series.parts.length > 1;
  const swatch = (n) => {
    const mark = el("i");
    mark.style.background = SERIES_COLORS[n % SERIES_COLORS.length];
    return mark;
  };
  const legend = several
    ? el("ul", { class: "legend" }, ...series.parts.map((p, n) => el("li", {}, swatch(n), el("span", { class: "name" }, p.name))))
    : null;
  const bars = el("div", { class: "series", role: "img", "aria-label": `${series.name}, ${series.unit}; the table below has the numbers` },
    ...series.labels.map((label, i) => {
      const column = el("div", { class: "column", title: `${label}: ${digits(wholes[i])} ${series.unit}` });
      const stack = el("div", { class: "stack" });
      series.parts.forEach((part, n) => {
        const piece = el("span");
        piece.style.height = `${(part.values[i] / most) * 100}%`;
        piece.style.background = SERIES_COLORS[n % SERIES_COLORS.length];
        stack.prepend(piece);
      });
      column.append(el("b", {}, digits(wholes[i])), stack, el("span", {}, label));
      return column;
    }));
  const table = smallTable(series.name, ["", series.unit, ...(several ? series.parts.map((p) => p.name) : [])],
    series.labels.map((label, i) => [label, digits(wholes[i]), ...(several ? series.parts.map((p) => digits(p.values[i])) : [])]));
  return [
    el("h2", {}, series.name[0].toUpperCase() + series.name.slice(1) + `, ${series.unit}`),
    series.note ? el("p", { class: "note" }, series.note) : null, legend, bars,
    el("details", {}, el("summary", {}, "Numbers"), table),
  ].filter(Boolean);
}
