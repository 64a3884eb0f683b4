// Puts the page together.

const chosenTheme = remembered();
if (chosenTheme === "dark" || chosenTheme === "light") document.documentElement.dataset.theme = chosenTheme;
$("theme").addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  remembered(next);
  themeChanged();
});
systemDark.addEventListener("change", themeChanged);

segments($("clock"), [
  { value: "corrected", text: "corrected", title: "Times less the recorder's own cost" },
  { value: "raw", text: "raw", title: "Times as measured" },
], clockName, useClock);

startSummary();
startHot();
flame.start();
timeline.start();
startTree();
startPanels();
drawSeries();
if (!$("roofline").querySelector("svg")) $("roofline").remove();
themeChanged();

$("sections").append(...[...document.querySelectorAll("section[data-nav]")].map((section) =>
  el("a", { href: `#${section.id}` }, section.dataset.nav)));
$("footer").textContent = `Recorded ${instant(profile.started)} at level ${profile.level}, ${plural(size - 1, "place")} on ${plural(threads, "thread")}. Everything is in this file; it asks the network for nothing.`;

// Shows in the bar which part is being read: the last one that begins above the middle of the
// window; the first before any does, and the last at the end of the page.
const parts = [...document.querySelectorAll("section[data-nav]")];
const markPart = () => {
  const shown = parts.filter((part) => part.getClientRects().length > 0);
  const begun = shown.filter((part) => part.getBoundingClientRect().top < innerHeight * 0.45);
  const ended = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  const current = ended ? shown.at(-1) : begun.at(-1) ?? shown[0];
  for (const link of $("sections").children) {
    if (link.hash === `#${current?.id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
};
addEventListener("scroll", () => requestAnimationFrame(markPart), { passive: true });
new ResizeObserver(markPart).observe(document.body);

addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    $("flame-search").focus();
    $("flame-search").select();
  } else if (event.key === "Escape") {
    hideTip();
    if (document.activeElement === $("flame-search") && $("flame-search").value) {
      $("flame-search").value = "";
      $("flame-search").dispatchEvent(new Event("input"));
    } else if (document.activeElement?.id === "timeline-canvas") {
      timeline.reset();
    } else {
      flame.reset();
    }
  }
});

// A door for scripts that drive the page.
window.ridgeline = { boxOf: flame.boxOf, zoom: flame.zoom, names, nameOf, parent };
