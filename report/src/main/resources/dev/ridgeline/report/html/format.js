// Numbers as people read them: three digits that matter and a unit.

const grouped = new Intl.NumberFormat("en-US");
/** A real minus sign; what rounds to nothing has none. */
const minus = (text) => (/^-0[.0]*$/.test(text) ? text.slice(1) : text.replace("-", "\u2212"));

function count(value) {
  return minus(grouped.format(value));
}

function digits(value) {
  const size = Math.abs(value);
  if (size >= 1000) return minus(grouped.format(Math.round(value)));
  return minus(value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2));
}

/** Below a thousand of the smallest unit: a decimal only where it says something. */
function few(value) {
  return minus(String(Math.abs(value) >= 99.95 ? Math.round(value) : Math.round(value * 10) / 10));
}

function scaled(value, units) {
  let unit = units[0];
  // 999.6 would print as 1,000: the next unit starts where rounding reaches it.
  for (const next of units) if (Math.abs(value) >= next[0] * 0.9995) unit = next;
  return `${digits(value / unit[0])}\u00a0${unit[1]}`;
}

const TIME_UNITS = [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]];
const BYTE_UNITS = [[1, "B"], [1e3, "kB"], [1e6, "MB"], [1e9, "GB"], [1e12, "TB"]];

function duration(nanos) {
  if (Number.isNaN(nanos)) return "–";
  if (nanos === 0) return "0";
  if (Math.abs(nanos) < 999.5) return `${few(nanos)}\u00a0ns`;
  return scaled(nanos, TIME_UNITS);
}

function memory(bytes) {
  if (bytes < 0) return "unknown";
  return bytes < 999.5 ? `${few(bytes)}\u00a0B` : scaled(bytes, BYTE_UNITS);
}

function percent(fraction) {
  if (!Number.isFinite(fraction)) return "–";
  const value = fraction * 100;
  if (value > 0 && value < 0.05) return "<0.1\u00a0%";
  return `${minus(value.toFixed(1))}\u00a0%`;
}

function rate(value) {
  return Number.isFinite(value) && value > 0 ? digits(value) : "–";
}

function plural(n, one, many = one + "s") {
  return `${count(n)}\u00a0${n === 1 ? one : many}`;
}

/** An instant that reads the same everywhere, whatever the locale. */
function instant(iso) {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
