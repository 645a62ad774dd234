"use strict";
// Building blocks of the page. Names come from the user's files: they become text nodes, never markup.

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null) node.setAttribute(key, value);
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== "") node.append(child);
  return node;
}

// A name in its own writing direction, independent of the text around it.
function named(text) {
  return element("bdi", { dir: "auto" }, text === "" ? "(no name)" : text);
}

const missing = (value) => value === null || value === undefined || Number.isNaN(value);

function percent(share, digits) {
  if (missing(share)) return "–";
  const value = 100 * share;
  if (value === 0) return "0 %";
  return `${value.toFixed(digits !== undefined ? digits : value < 9.95 ? 1 : 0)} %`;
}

// A share that may be negative.
function signed_percent(share) {
  if (missing(share)) return "–";
  return share < 0 ? `−${percent(-share, 0)}` : percent(share, 0);
}

function number(value, digits = 3) {
  if (missing(value)) return "–";
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1);
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(digits)));
}

const decimals = (value) => (missing(value) ? "–" : value.toFixed(3));

function seconds(value) {
  if (missing(value)) return "–";
  if (value < 0.001) return "< 1 ms";
  if (value < 1) return `${Math.round(1000 * value)} ms`;
  if (value < 120) return `${number(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

function plural(count, word) {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

function cut(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? `${letters.slice(0, length - 1).join("")}…` : text;
}

// A method with its options in small type.
function spec(text) {
  const [name, ...options] = text.split(",");
  return element(
    "span",
    { class: "spec" },
    named(name),
    options.length ? element("small", {}, named(options.join(", "))) : null,
  );
}

// Short names for methods: options appear only where they distinguish methods of the same name.
function short_specs(texts) {
  const parts = texts.map((text) => text.split(","));
  return parts.map(([name, ...options]) => {
    const same = parts.filter((other) => other[0] === name);
    const distinct =
      same.length < 2 ? [] : options.filter((option) => !same.every((other) => other.includes(option)));
    return [name, ...distinct].join(" ");
  });
}

function mean(values) {
  const known = values.filter((value) => !missing(value));
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

// Cells are texts, nodes or {text, kind}; numeric columns are right-aligned.
function table(header, rows, numeric = []) {
  const kind = (column, cell) =>
    [numeric.includes(column) ? "number" : "", cell && cell.kind].filter(Boolean).join(" ") || null;
  const content = (cell) => (cell && cell.text !== undefined && !cell.nodeType ? cell.text : cell);
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "table" },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          header.map((text, column) => element("th", { scope: "col", class: kind(column) }, text)),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map((row) =>
          element(
            "tr",
            {},
            row.map((cell, column) => element("td", { class: kind(column, cell) }, content(cell))),
          ),
        ),
      ),
    ),
  );
}

// The title of a report and its first paragraph.
function opening(main, data, ...words) {
  const { n_samples, n_views } = data.meta;
  main.append(
    element("h1", {}, named(data.title)),
    element(
      "p",
      { class: "lead" },
      element("strong", {}, `${plural(n_samples, "sample")}, ${plural(n_views, "view")}. `),
      ...words,
    ),
  );
}

// Cards of the first screen: [value, description, "good" or "bad"]; null entries are skipped.
function cards(main, all) {
  const card = ([value, text, kind]) =>
    element("div", { class: `card ${kind || ""}` }, element("b", {}, value), element("span", {}, text));
  main.append(element("div", { class: "cards" }, all.filter(Boolean).map(card)));
}

// The data of a figure as tab-separated text.
function tsv(header, rows) {
  const cell = (value) => (missing(value) ? "NA" : String(value).replace(/[\t\r\n]+/g, " "));
  return `${[header, ...rows].map((row) => row.map(cell).join("\t")).join("\n")}\n`;
}

function save(name, url) {
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}
