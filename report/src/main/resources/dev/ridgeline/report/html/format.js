// Numbers as people read them: three digits that matter and a unit.

const grouped = new Intl.NumberFormat("en-US");
/** A real minus sign; what rounds to nothing has none. */
const minus = (text) => (/^-0[.0]*$/.test(text) ? text.slice(1) : text.replace("-", "\u2212"));

function count(value) {
  return minus(grouped.format(value));
}

function digits(value) {
  const size = Math.abs(value);
  return fixed(value, size === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : Math.min(9, 2 + Math.ceil(-Math.log10(size))));
}
const TIME_UNITS = [[1, "ns"], [1e3, "µs"], [1e6, "ms"]];
const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
/** With the given number of decimals, grouped. */
function fixed(value, decimals) {
  const text = value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return /^-0[.0]*$/.test(text) ? text.slice(1) : text;
}
/** Nanoseconds, as in every format: three digits that matter, milliseconds at most. */
function duration(nanos) {
  if (Number.isNaN(nanos)) return "–";
  const size = Math.abs(nanos);
  const [scale, unit] = TIME_UNITS[size < 999.5 ? 0 : size < 999_500 ? 1 : 2];
  return `${digits(nanos / scale)}\u00a0${unit}`;
}
/** Bytes in powers of 1,000, as in every format. */
function memory(bytes) {
  if (bytes < 0) return "unknown";
  let scaled = bytes < 0.5 ? 0 : bytes;
  let unit = 0;
  for (; scaled >= 999.5 && unit < BYTE_UNITS.length - 1; unit++) scaled /= 1000;
  const whole = unit === 0 && Number.isInteger(scaled);
  return `${fixed(scaled, whole || scaled >= 99.95 ? 0 : 1)}\u00a0${BYTE_UNITS[unit]}`;
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
