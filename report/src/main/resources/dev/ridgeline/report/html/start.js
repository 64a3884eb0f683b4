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
themeChanged();

$("sections").append(...[...document.querySelectorAll("section[data-nav]")].map((section) =>
  el("a", { href: `#${section.id}` }, section.dataset.nav)));
$("footer").textContent = `Recorded ${instant(profile.started)} at level ${profile.level}, ${plural(size - 1, "place")} on ${plural(threads, "thread")}. Everything is in this file; it asks the network for nothing.`;

// Shows in the bar which part is being read.
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const link = $("sections").querySelector(`a[href="#${entry.target.id}"]`);
    if (entry.isIntersecting) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}, { rootMargin: "-45% 0px -50% 0px" });
for (const section of document.querySelectorAll("section[data-nav]")) seen.observe(section);

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
