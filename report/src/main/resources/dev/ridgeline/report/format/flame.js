// Zoom and search in the picture that this stands in. Without it the picture is still complete.
(() => {
  const svg = (document.currentScript && document.currentScript.closest("svg")) || document.documentElement;
  const margin = +svg.dataset.margin;
  const room = svg.viewBox.baseVal.width - 2 * margin;
  const found = svg.querySelector(".found");
  const boxes = Array.from(svg.querySelectorAll(".box"), (g) => ({
    g,
    x: +g.dataset.x,
    w: +g.dataset.w,
    d: +g.dataset.d,
    name: g.querySelector("title").textContent.split("\n")[0],
    rect: g.querySelector("rect"),
    text: g.querySelector("text"),
  }));

  // As in Markup.fit.
  function fit(name, pixels) {
    const letters = Array.from(name);
    let left = pixels;
    let end = 0;
    while (end < letters.length && (left -= letters[end].codePointAt(0) < 0x1100 ? 6.6 : 12) >= 0) end++;
    return end === letters.length ? name : end < 3 ? "" : letters.slice(0, end - 1).join("") + "…";
  }

  function zoom(to) {
    const end = to.x + to.w;
    const slack = 1e-6;
    for (const box of boxes) {
      const above = box.d < to.d && box.x <= to.x + slack && box.x + box.w >= end - slack;
      const inside = box.d >= to.d && box.x >= to.x - slack && box.x + box.w <= end + slack;
      box.g.style.display = above || inside ? "" : "none";
      box.g.classList.toggle("above", above);
      if (!above && !inside) continue;
      const x = margin + (above ? 0 : ((box.x - to.x) / to.w) * room);
      const width = above ? room : (box.w / to.w) * room;
      box.rect.setAttribute("x", x);
      box.rect.setAttribute("width", width);
      box.text.setAttribute("x", x + 3);
      box.text.textContent = fit(box.name, width - 6);
    }
  }

  function search(words) {
    const wanted = words.toLowerCase();
    const hits = [];
    for (const box of boxes) {
      const hit = wanted !== "" && box.d > 0 && box.name.toLowerCase().includes(wanted);
      box.g.classList.toggle("hit", hit);
      if (hit) hits.push(box);
    }
    // What is inside another hit is in its width already.
    let covered = 0;
    let until = 0;
    for (const box of hits.sort((a, b) => a.x - b.x || b.w - a.w)) {
      if (box.x < until - 1e-9) continue;
      covered += box.w;
      until = box.x + box.w;
    }
    found.textContent = wanted === "" ? "" : `“${words}”: ${hits.length} boxes, ${(100 * covered).toFixed(1)} %`;
  }

  const ask = () => {
    const words = prompt("Search for", "");
    if (words !== null) search(words);
  };

  svg.addEventListener("click", (event) => {
    const g = event.target.closest(".box");
    const button = event.target.closest(".button");
    if (g) zoom(boxes.find((box) => box.g === g));
    else if (button) button.dataset.do === "search" ? ask() : zoom(boxes[0]);
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") { zoom(boxes[0]); search(""); }
    if (event.key === "/") { event.preventDefault(); ask(); }
  });
  svg.flame = { search, zoom: (name) => zoom(boxes.find((box) => box.name === name)) };
})();
