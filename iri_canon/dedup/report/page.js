"use strict";
// Tables are sorted, searched and paged; charts are drawn in the colours of the theme. All from what is in the page.
(() => {
  const PAGE = 10;
  const NUMBERS = new Intl.NumberFormat("en");
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  // Marks of direction are not typed: U+2066 to U+2069.
  const words = (text) => text.normalize("NFC").toLowerCase().replace(/[\u2066-\u2069]/g, "");

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function enhance(box) {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const all = [...body.rows];
    const texts = new Map();
    let ordered = all;
    let found = all;
    let first = 0;
    let size = PAGE;

    const status = element("span", { role: "status" });
    const previous = element("button", { type: "button", textContent: "Previous" });
    const next = element("button", { type: "button", textContent: "Next" });
    const place = element("span", {});
    const pager = element("div", { className: "pager" }, previous, place, next);
    previous.setAttribute("aria-controls", table.id);
    next.setAttribute("aria-controls", table.id);

    function show() {
      first = Math.max(0, Math.min(first, Math.floor((found.length - 1) / size) * size));
      body.replaceChildren(...found.slice(first, first + size));
      const last = Math.min(first + size, found.length);
      place.textContent = `${NUMBERS.format(Math.min(first + 1, last))}\u2013${NUMBERS.format(last)} of ${NUMBERS.format(found.length)}`;
      previous.disabled = first === 0;
      next.disabled = last >= found.length;
      pager.hidden = all.length <= PAGE;
    }

    previous.addEventListener("click", () => { first -= size; show(); if (previous.disabled) next.focus(); });
    next.addEventListener("click", () => { first += size; show(); if (next.disabled) previous.focus(); });

    const sizes = element("select", {});
    for (const each of new Set([PAGE, 50, all.length].filter((each) => each <= all.length))) {
      sizes.append(element("option", { value: each, textContent: each === all.length ? "all" : each }));
    }
    sizes.addEventListener("change", () => { size = Number(sizes.value); first = 0; show(); });
    pager.append(element("label", {}, "Rows ", sizes));

    function value(row, column) {
      const cell = row.cells[column];
      return cell.dataset.order === undefined ? cell.textContent.trim() : Number(cell.dataset.order);
    }

    function sort(column, direction) {
      const sign = direction === "ascending" ? 1 : -1;
      const keyed = all.map((row) => [value(row, column), row]);
      keyed.sort(([one], [other]) =>
        sign * (typeof one === "number" && typeof other === "number" ? one - other : compare(String(one), String(other))));
      ordered = keyed.map(([, row]) => row);
      filter();
    }

    let wanted = [];
    function filter() {
      const kept = (row) => {
        if (!texts.has(row)) texts.set(row, words(row.textContent));
        return wanted.every((word) => texts.get(row).includes(word));
      };
      found = wanted.length ? ordered.filter(kept) : ordered;
      first = 0;
      show();
    }

    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = element("button", { type: "button", textContent: head.textContent });
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const begin = head.classList.contains("number") ? "descending" : "ascending";
        const direction = before === null ? begin : before === "ascending" ? "descending" : "ascending";
        for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction);
        sort(column, direction);
      });
    });

    if (box.hasAttribute("data-searched")) {
      const input = element("input", { type: "search", autocomplete: "off", spellcheck: false });
      input.setAttribute("aria-controls", table.id);
      let timer;
      const tell = () => {
        status.textContent = wanted.length
          ? `${NUMBERS.format(found.length)} of ${NUMBERS.format(all.length)} rows`
          : `${NUMBERS.format(all.length)} rows`;
      };
      input.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          wanted = words(input.value).split(/\s+/).filter(Boolean);
          filter();
          tell();
        }, 120);
      });
      const name = table.caption.textContent;
      table.caption.classList.add("unseen"); // the label says the same
      table.before(element("div", { className: "tools" }, element("label", {}, `Search in \u201c${name}\u201d`, input), status));
      tell();
    }
    table.after(pager);
    show();
  }

  // The colour that a variable of the style has in the theme of the moment.
  const probe = element("span", { hidden: true });
  document.body.append(probe);
  function colour(name) {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  }

  function themed(figure) {
    const font = { family: getComputedStyle(document.body).fontFamily, size: 13, color: colour("text") };
    const axis = { gridcolor: colour("line"), linecolor: colour("line"), zerolinecolor: colour("line") };
    return {
      data: figure.data.map((trace) => ({
        ...trace,
        marker: { color: colour(trace.meta), line: { width: 0 } },
      })),
      layout: {
        ...figure.layout,
        font,
        hoverlabel: { bgcolor: colour("card"), bordercolor: colour("soft"), font, align: "left" },
        paper_bgcolor: "rgba(0,0,0,0)",
        plot_bgcolor: "rgba(0,0,0,0)",
        xaxis: { ...axis, ...figure.layout.xaxis },
        yaxis: { ...axis, ...figure.layout.yaxis },
      },
    };
  }

  const charts = [...document.querySelectorAll("figure.chart")].map((figure) => ({
    figure,
    box: figure.querySelector("[role=img]"),
    made: JSON.parse(figure.querySelector("script").textContent),
  }));
  const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false, showTips: false };

  function draw() {
    for (const swatch of document.querySelectorAll(".swatch")) swatch.style.background = `var(--${swatch.dataset.colour})`;
    for (const { figure, box, made } of charts) {
      figure.hidden = false;
      const { data, layout } = themed(made);
      box.style.height = `${layout.height}px`; // plotly.js takes its height from there when the width changes
      Plotly.react(box, data, layout, CONFIG);
    }
  }

  async function load() {
    const packed = Uint8Array.from(atob(document.getElementById("library").textContent), (each) => each.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const text = await new Response(stream).text();
    document.head.append(element("script", { textContent: text }));
    draw();
    document.documentElement.dataset.charts = "drawn";
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const theme = element("button", { type: "button", className: "theme", textContent: "Dark colours" });
  function themeChanged() {
    theme.setAttribute("aria-pressed", String(isDark()));
    if (root.dataset.charts) draw();
  }
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; themeChanged(); });
  dark.addEventListener("change", themeChanged);
  document.querySelector(".bar").append(theme);
  themeChanged();

  // Paper is white, whatever the screen is.
  let before;
  addEventListener("beforeprint", () => { before = root.dataset.theme; root.dataset.theme = "light"; themeChanged(); });
  addEventListener("afterprint", () => {
    if (before === undefined) delete root.dataset.theme;
    else root.dataset.theme = before;
    themeChanged();
  });

  document.querySelectorAll(".table[data-sorted]").forEach(enhance);
  if (charts.length) load();
})();
