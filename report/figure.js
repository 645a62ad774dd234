"use strict";
// A figure: heading, buttons, chart, caption. Charts take their colours from colours.css and are
// redrawn when the colour scheme or the width changes.

const figures = [];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function category(index) {
  return colour(`category-${(index % 8) + 1}`);
}

const symbols = ["circle", "triangle", "rect", "diamond", "roundRect", "pin", "arrow"];

const narrow = () => document.getElementById("content").clientWidth < 560;

// Content of a hover text: a heading and lines.
function hover(heading, lines) {
  return element(
    "div",
    { class: "tip" },
    element("b", {}, heading),
    lines.map((line) => element("div", {}, line)),
  );
}

// Options common to all charts.
function common() {
  const ink = colour("soft-ink");
  return {
    animation: false,
    backgroundColor: "transparent",
    // Double quotes would end an attribute in a saved SVG.
    textStyle: {
      fontFamily: getComputedStyle(document.body).fontFamily.replace(/"/g, "'"),
      color: ink,
      fontSize: 12,
    },
    tooltip: {
      confine: true,
      padding: 0,
      borderWidth: 0,
      backgroundColor: "transparent",
      transitionDuration: 0,
      extraCssText: "box-shadow:none;white-space:normal",
    },
  };
}

function axis(options = {}) {
  const ink = colour("soft-ink"),
    line = colour("line");
  const { axisLabel, ...rest } = options;
  return {
    axisLine: { show: true, lineStyle: { color: line } },
    axisTick: { show: false },
    splitLine: { show: options.type !== "category", lineStyle: { color: line, opacity: 0.6 } },
    axisLabel: { color: ink, hideOverlap: true, ...axisLabel },
    nameTextStyle: { color: ink },
    nameLocation: "middle",
    nameGap: 28,
    ...rest,
  };
}

// An axis of shares in percent, from 0.
function percent_axis(options = {}) {
  return axis({
    type: "value",
    min: 0,
    axisLabel: { formatter: (value) => `${Math.round(100 * value)} %` },
    ...options,
  });
}

// An axis of names, from top to bottom.
function name_axis(names, options = {}) {
  const { axisLabel, ...rest } = options;
  return axis({
    type: "category",
    data: names.map((name) => cut(name.replace(/[\r\n]+/g, " "), 40)),
    inverse: true,
    axisLabel: {
      width: narrow() ? 92 : 150,
      overflow: "truncate",
      interval: 0,
      hideOverlap: false,
      ...axisLabel,
    },
    ...rest,
  });
}

// Texts at the right end of the rows of a name_axis, as a second y axis; the series `right_end` shows it.
function end_axis(texts) {
  return axis({
    type: "category",
    inverse: true,
    data: texts,
    axisLine: { show: false },
    position: "right",
    axisLabel: { interval: 0 },
  });
}

const right_end = { type: "bar", yAxisIndex: 1, data: [], silent: true };

function name_room() {
  return narrow() ? 100 : 160;
}

function legend(options = {}) {
  return {
    type: "scroll",
    top: 0,
    left: 0,
    itemWidth: 16,
    itemHeight: 9,
    itemGap: 14,
    textStyle: { color: colour("soft-ink") },
    formatter: (name) => cut(name, 32),
    pageIconColor: colour("soft-ink"),
    pageTextStyle: { color: colour("soft-ink") },
    ...options,
  };
}

// Drag to zoom, double-click to reset. On touch screens dragging scrolls the page instead.
function zoomable(figure) {
  if (!figure.zoom || matchMedia("(pointer: coarse)").matches) return;
  figure.chart.setOption({
    toolbox: {
      itemSize: 0,
      top: -99,
      showTitle: false,
      feature: {
        dataZoom: {
          filterMode: "none",
          title: { zoom: "", back: "" },
          ...figure.zoom,
          brushStyle: { color: colour("link"), opacity: 0.18, borderWidth: 0 },
        },
      },
    },
  });
  figure.chart.dispatchAction({
    type: "takeGlobalCursor",
    key: "dataZoomSelect",
    dataZoomSelectActive: true,
  });
  figure.chart.getZr().on("dblclick", () => draw(figure));
}

function draw(figure) {
  if (figure.chart) figure.chart.dispose();
  const width = figure.box.clientWidth;
  const height = typeof figure.height === "function" ? figure.height(width) : figure.height;
  figure.box.style.height = `${height}px`;
  figure.chart = echarts.init(figure.box, null, { renderer: figure.renderer, width, height });
  const option = figure.option(width);
  const base = common();
  figure.chart.setOption({ ...base, ...option, tooltip: { ...base.tooltip, ...option.tooltip } });
  zoomable(figure);
  if (figure.drawn) figure.drawn(figure.chart);
}

function picture(figure, type) {
  if (figure.renderer === "canvas" || type === "svg")
    return Promise.resolve(
      figure.chart.getDataURL({
        type,
        pixelRatio: 2,
        backgroundColor: colour("paper"),
        excludeComponents: ["toolbox"],
      }),
    );
  return new Promise((resolve, reject) => {
    const image = new Image(),
      canvas = document.createElement("canvas");
    image.onload = () => {
      canvas.width = 2 * figure.chart.getWidth();
      canvas.height = 2 * figure.chart.getHeight();
      const context = canvas.getContext("2d");
      context.fillStyle = colour("paper");
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      resolve(canvas.toDataURL("image/png"));
    };
    image.onerror = () => reject(new Error(`the chart ${figure.id} could not be converted to an image`));
    image.src = figure.chart.getDataURL({ type: "svg", excludeComponents: ["toolbox"] });
  });
}

function buttons(figure) {
  const name = `mkc-${figure.id}`;
  const button = (text, what, action) => {
    const node = element("button", { type: "button", "aria-label": `${what}: ${figure.title}` }, text);
    node.addEventListener("click", action);
    return node;
  };
  return element(
    "div",
    { class: "tools" },
    figure.zoom ? button("Reset", "Reset the zoom", () => draw(figure)) : null,
    button("PNG", "Save as PNG image", () => picture(figure, "png").then((url) => save(`${name}.png`, url))),
    figure.renderer === "svg"
      ? button("SVG", "Save as SVG image", () =>
          picture(figure, "svg").then((url) => save(`${name}.svg`, url)),
        )
      : null,
    button("Data", "Save the data as TSV", () => {
      const url = URL.createObjectURL(
        new Blob([tsv(...figure.table())], { type: "text/tab-separated-values" }),
      );
      save(`${name}.tsv`, url);
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    }),
  );
}

// {id, title, label, caption, height, option(width), table() -> [header, rows], zoom, renderer, drawn}.
// `label` describes the chart to screen readers.
function add_figure(parent, settings) {
  const figure = { renderer: "svg", ...settings };
  figure.box = element("div", {
    class: "chart",
    role: "img",
    id: `chart-${figure.id}`,
    "aria-label": `${figure.title}. ${figure.label || ""}`,
  });
  parent.append(
    element(
      "figure",
      {},
      element("div", { class: "head" }, element("h3", {}, figure.title), buttons(figure)),
      figure.key || null,
      figure.box,
      figure.caption ? element("figcaption", {}, figure.caption) : null,
    ),
  );
  figures.push(figure);
}
