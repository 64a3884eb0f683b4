// The profile as flat columns. Node 0 is the root, parents stand before their children, and the
// subtree of i is the range i ... end[i].

const profile = JSON.parse(document.getElementById("profile").textContent);
const names = profile.names.map((name) => name || "(no name)");
const size = profile.nodes.parent.length;
const parent = Int32Array.from(profile.nodes.parent);
const nameOf = Int32Array.from(profile.nodes.name);
const column = (name, nothing) =>
  profile.nodes[name] ? Float64Array.from(profile.nodes[name]) : new Float64Array(size).fill(nothing);
const flags = (indices) => {
  const set = new Uint8Array(size);
  for (const i of indices) set[i] = 1;
  return set;
};
const isTask = flags(profile.nodes.task);
const isBelowFloor = flags(profile.nodes.floor);
const calls = column("calls", 0);
const open = column("open", 0);
const min = column("min", 0);
const max = column("max", 0);
const p50 = column("p50", 0);
const p99 = column("p99", 0);
const allocated = column("allocated", -1);
const selfAllocated = column("selfAllocated", -1);
const bytes = column("bytes", 0);
const flops = column("flops", 0);
/** Threads that were recorded; one lane may have served many in turn. */
const threads = profile.lanes.reduce((sum, lane) => sum + lane.threads, 0);
const waitsForTasks = flags(profile.nodes.waits);
const handsOver = flags(profile.nodes.handsOver);
const saidOf = new Map(profile.says.map(({ node, says }) => [node, says]));
const allocationRecorded = profile.nodes.allocated !== undefined;
const calibrated = profile.calibration.innerNanos + profile.calibration.outerNanos > 0;
const depth = new Int32Array(size);
const end = new Int32Array(size);
for (let i = 1; i < size; i++) depth[i] = depth[parent[i]] + 1;
for (let i = size - 1; i >= 0; i--) {
  end[i] = Math.max(end[i], i + 1);
  if (i > 0) end[parent[i]] = Math.max(end[parent[i]], end[i]);
}

/** Sums of a self column over each subtree. */
function subtreeSums(self) {
  const sums = Float64Array.from(self);
  for (let i = size - 1; i > 0; i--) sums[parent[i]] += sums[i];
  return sums;
}

/** Both readings of the clock: as measured, and less the recorder's own cost. */
const clocks = {
  raw: clockOf(column("total", 0), column("self", 0)),
  corrected: clockOf(column("correctedTotal", 0), column("correctedSelf", 0)),
};
profile.nodes = null; // from here on the typed columns are all that is needed

function clockOf(total, self) {
  const thread = subtreeSums(self);
  return { total, self, thread, all: thread[0] };
}

function* childrenOf(i) {
  for (let c = i + 1; c < end[i]; c = end[c]) yield c;
}

/** Names from the top; of a deep recursion only the last ones. */
function pathOf(i, most = 40) {
  const path = [];
  let n = i;
  for (; n > 0 && path.length < most; n = parent[n]) path.push(names[nameOf[n]]);
  if (n > 0) path.push(`… ${count(depth[n])} more`);
  return path.reverse();
}

/** The way to a node as one line, ⇉ where a step went to another thread; without the node itself if so asked. */
function pathText(i, most, without = 0) {
  const path = pathOf(i, most);
  const tasks = [];
  for (let n = i; tasks.length < path.length; n = parent[n]) tasks.unshift(n > 0 && isTask[n]);
  return path.slice(0, path.length - without).map((name, k) => (k ? (tasks[k] ? " ⇉ " : " › ") : "") + name).join("");
}

/** A test for names: a regular expression if it is one, else the text itself, in any case. */
function matcher(text) {
  if (!text) return null;
  try {
    return new RegExp(text, "i");
  } catch {
    return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "i");
  }
}

/** For each name whether it matches, so that a regexp runs once per name and not per node. */
function matchingNames(regexp) {
  return Uint8Array.from(names, (name) => (regexp.test(name) ? 1 : 0));
}
