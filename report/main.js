"use strict";
// Builds the page from the data embedded in it.

const bibtex = `@misc{bhadra2016multiview,
  title  = {Multi-view Kernel Completion},
  author = {Bhadra, Sahely and Kaski, Samuel and Rousu, Juho},
  year   = {2016}
}`;

function wide(node) {
  node.classList.add("wide");
  return node;
}

function run_section(section, data) {
  const meta = data.meta;
  const rows = [
    ["mkc", meta.mkc_version],
    ["Created", meta.created],
    ["Command", element("code", {}, named(meta.command_line))],
    [
      "Method",
      meta.method &&
        `${meta.method}${Object.entries(meta.parameters || {})
          .map(([key, value]) => `, ${key} = ${String(value).replaceAll("+", " + ")}`)
          .join("")}`,
    ],
    ["Seed", meta.seed],
    ["Threads", meta.threads],
    [
      "Time",
      Object.entries(meta.seconds || {})
        .map(([phase, value]) => `${phase} ${seconds(value)}`)
        .join(", "),
    ],
  ];
  section.append(
    wide(
      table(
        ["", ""],
        rows
          .filter((row) => !missing(row[1]) && row[1] !== "")
          .map((row) => [row[0], row[1].nodeType ? row[1] : named(String(row[1]))]),
      ),
    ),
  );
  if ((meta.inputs || []).length)
    section.append(
      element("h3", {}, "Input files"),
      wide(
        table(
          ["File", "SHA-256"],
          meta.inputs.map((file) => [named(file.path), element("code", {}, file.sha256)]),
        ),
      ),
    );
  const year = /^\d{4}/.exec(meta.created || "");
  section.append(
    element("h3", {}, "How to cite"),
    element(
      "pre",
      {},
      `${bibtex}\n\n@misc{mkc,
  title  = {mkc: multi-view kernel completion},
  author = {{The mkc authors}},
  note   = {Version ${meta.mkc_version}}${year ? `,\n  year   = {${year}}` : ""}
}`,
    ),
  );
  section.append(
    element(
      "footer",
      {},
      "Drag in a chart to zoom, double-click to reset. This file is self-contained: it uses no network. Charts: Apache ECharts ",
      echarts.version,
      " (Apache License 2.0).",
    ),
  );
}

function set_scheme(scheme) {
  document.documentElement.dataset.scheme = scheme;
  const button = document.getElementById("scheme");
  button.textContent = scheme === "dark" ? "Light" : "Dark";
  button.setAttribute("aria-label", scheme === "dark" ? "Use light colours" : "Use dark colours");
}

function draw_all() {
  figures.forEach(draw);
}

// Fills the sections and draws their charts one at a time, so that the first chart appears at once and the page
// stays responsive.
function draw_in_turn(waiting) {
  const next = figures.find((figure) => !figure.chart);
  if (next) {
    draw(next);
    if (next === figures[0]) performance.mark("first-chart");
  } else if (waiting.length) {
    waiting.shift()();
  } else {
    document.documentElement.dataset.ready = "yes";
    return;
  }
  setTimeout(() => draw_in_turn(waiting));
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("content"),
    contents = document.getElementById("contents");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  set_scheme(dark.matches ? "dark" : "light");

  const [summarise, sections_of] = {
    completion: [completion_summary, completion_sections],
    evaluation: [evaluation_summary, evaluation_sections],
    advice: [advice_summary, advice_sections],
  }[data.kind];
  const summary = element("section", { id: "summary" });
  main.replaceChildren(summary);
  summarise(summary, data);
  const sections = [
    ...sections_of(data),
    { id: "run", title: "About this run", fill: run_section },
  ];
  contents.append(element("a", { href: "#summary" }, "Summary"));
  const waiting = sections
    .filter((one) => !("when" in one) || one.when)
    .map(({ id, title, fill }) => {
      contents.append(element("a", { href: `#${id}` }, title));
      const section = element("section", { id }, element("h2", {}, title));
      main.append(section);
      return () => fill(section, data);
    });
  draw_in_turn(waiting);

  const button = document.getElementById("scheme");
  button.hidden = false;
  const change = (scheme) => {
    set_scheme(scheme);
    draw_all();
  };
  button.addEventListener("click", () =>
    change(document.documentElement.dataset.scheme === "dark" ? "light" : "dark"),
  );
  dark.addEventListener("change", (event) => change(event.matches ? "dark" : "light"));

  let width = main.clientWidth,
    timer = 0;
  addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (main.clientWidth !== width) {
        width = main.clientWidth;
        draw_all();
      }
    }, 150);
  });

  // Printing: light colours, the width of a page, all details open.
  let shown = null,
    folded = [];
  addEventListener("beforeprint", () => {
    waiting.splice(0).forEach((fill) => fill());
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((part) => (part.open = true));
    shown = document.documentElement.dataset.scheme;
    main.style.width = "680px";
    change("light");
  });
  addEventListener("afterprint", () => {
    folded.forEach((part) => (part.open = false));
    main.style.width = "";
    change(shown || "light");
  });
}

start();
