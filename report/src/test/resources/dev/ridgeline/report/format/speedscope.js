// Reads files with the importer inside speedscope's own bundle and prints what it understood.
// Usage: node speedscope.js FOLDER-OF-THE-PACKAGE FILE…
//
// The package is a page without an API, so its program is run with an imagined document, up to the
// point where it would draw, and the function that the page calls to load a file is handed out.

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const release = path.join(process.argv[2], "dist/release");
const bundle = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name));
const source = fs.readFileSync(path.join(release, bundle), "utf8");
const load = /loadFileFromBase64:\(\w+,\w+\)=>\{this\.loadProfile\(\(\)=>(\w+)\(/.exec(source)[1];
const start = "(()=>{";
const at = source.indexOf(start) + start.length;
const open = `${source.slice(0, at)}globalThis.load=${load};${source.slice(at)}`;

// Libraries in the bundle look for these to find out where they run: in no place they know.
const unknown = new Set(["process", "dcodeIO", "Long", "util", "Buffer"]);
const anything = new Proxy(function () {}, {
  get: (_, key) => (unknown.has(key) ? undefined : key === Symbol.toPrimitive ? () => "" : anything),
  apply: () => anything,
  construct: () => anything,
});
const quiet = { log() {}, warn: console.error, error: console.error };
const world = vm.createContext({
  console: quiet, document: anything, window: anything, self: {}, location: { hash: "", search: "" }, navigator: anything,
  TextDecoder, TextEncoder, atob, setTimeout, URL, performance,
});
try {
  vm.runInContext(open, world);
} catch (e) {
  if (!world.load) throw e;
}

function understood(profile) {
  const self = {};
  const total = {};
  profile.forEachFrame((frame) => {
    self[frame.name] = (self[frame.name] || 0) + frame.getSelfWeight();
    total[frame.name] = (total[frame.name] || 0) + frame.getTotalWeight();
  });
  return { name: profile.getName(), unit: profile.getWeightUnit(), weight: profile.getTotalNonIdleWeight(), self, total };
}

(async () => {
  const groups = [];
  for (const file of process.argv.slice(3)) {
    const group = await world.load(path.basename(file), fs.readFileSync(file).toString("base64"));
    if (!group) throw new Error(`${file} is not understood`);
    groups.push(group.profiles.map(understood));
  }
  process.stdout.write(JSON.stringify(groups));
})().catch((e) => {
  console.error(e.stack);
  process.exit(1);
});
