"use strict";
// Heat maps of the kernels before and after completion: hue = observed or completed, lightness = value.

function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function rgb(text) {
  const value = parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

// 256 colours interpolated between the five of colours.css.
function ramp(name) {
  const stops = [0, 1, 2, 3, 4].map((step) => rgb(colour(`${name}-${step}`)));
  return Array.from({ length: 256 }, (_, level) => {
    const place = (4 * Math.max(0, level - 1)) / 254,
      from = Math.min(3, Math.floor(place));
    return stops[from].map((low, c) => low + (place - from) * (stops[from + 1][c] - low));
  });
}

// A packed lower triangle (src/report/thumbnail.hpp).
class Grid {
  constructor(text, low, high) {
    this.bytes = bytes(text);
    this.low = low;
    this.high = high;
  }
  level(i, j) {
    return i >= j ? this.bytes[(i * (i + 1)) / 2 + j] : this.bytes[(j * (j + 1)) / 2 + i];
  }
  value(i, j) {
    const level = this.level(i, j);
    return level === 0 ? null : this.low + ((this.high - this.low) * (level - 1)) / 254;
  }
}

// The picture of a grid of size x size pixels; share(i, j) is the completed part of a pixel.
function paint(grid, size, share) {
  const observed = ramp("observed"),
    completed = ramp("completed"),
    blank = rgb(colour("blank"));
  const small = document.createElement("canvas"),
    large = document.createElement("canvas");
  small.width = small.height = size;
  const image = new ImageData(size, size);
  for (let i = 0, at = 0; i < size; ++i)
    for (let j = 0; j < size; ++j, at += 4) {
      const level = grid.level(i, j),
        part = share(i, j);
      for (let c = 0; c < 3; ++c)
        image.data[at + c] =
          level === 0 ? blank[c] : observed[level][c] + part * (completed[level][c] - observed[level][c]);
      image.data[at + 3] = 255;
    }
  small.getContext("2d").putImageData(image, 0, 0);
  large.width = large.height = size * Math.max(1, Math.ceil(900 / size));
  const context = large.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  return large;
}

// The samples of a row of the picture: one, or a group where there are more samples than rows.
function samples_name(part, row, n_samples) {
  if (!part.last) return part.first[row];
  const from = Math.floor((row * n_samples) / part.cells),
    to = Math.floor(((row + 1) * n_samples) / part.cells);
  return to - from === 1
    ? part.first[row]
    : `${part.first[row]} … ${part.last[row]} (${to - from} samples)`;
}

function show_tip(event, content) {
  const tip = document.getElementById("tip");
  tip.replaceChildren(...content);
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
  tip.style.top = `${event.clientY + height + 24 < innerHeight ? event.clientY + 16 : event.clientY - height - 12}px`;
}

function hide_tip() {
  document.getElementById("tip").hidden = true;
}

// Why the view has this kernel; empty where the user named it. Results before version 0.3 do not say.
function about_values(view) {
  const width = view.width_evidence ? ` Its ${view.width_evidence}.` : "";
  return view.feature_type ? `Values look like ${view.feature_type} (${view.feature_evidence}): ${view.kernel}.${width} ` : "";
}

function kernel_figure(parent, data, m) {
  const part = data.kernels,
    packed = part.views[m],
    view = data.meta.views[m];
  const size = part.cells,
    n = part.n_samples;
  const before = new Grid(packed.before, packed.low, packed.high),
    after = new Grid(packed.after, packed.low, packed.high);
  const observed = Array.from(bytes(packed.observed), (level) => level / 255);
  const completed = (i, j) => 1 - observed[i] * observed[j];
  const stacked = () => narrow(),
    gap = 28,
    top = 26;
  const side = (width) => (stacked() ? width : Math.min(500, (width - gap) / 2));
  const place = (index, width) =>
    stacked()
      ? { left: 0, top: top + index * (side(width) + top + 8) }
      : { left: index * (side(width) + gap), top };
  const drawn = (canvas, index) => ({
    type: "custom",
    xAxisIndex: index,
    yAxisIndex: index,
    clip: true,
    data: [[0, 0]],
    silent: true,
    renderItem: (_, api) => {
      const [x, y] = api.coord([0, 0]),
        [right, bottom] = api.coord([size, size]);
      return { type: "image", style: { image: canvas, x, y, width: right - x, height: bottom - y } };
    },
  });
  const about = (i, j) => [
    element("b", {}, "row "),
    named(samples_name(part, i, n)),
    element("br"),
    element("b", {}, "column "),
    named(samples_name(part, j, n)),
    element("div", {}, `before: ${before.value(i, j) === null ? "missing" : number(before.value(i, j))}`),
    element(
      "div",
      {},
      `after: ${number(after.value(i, j))}${completed(i, j) > 0 ? (size < n ? ` (${percent(completed(i, j), 0)} completed)` : " (completed)") : ""}`,
    ),
  ];
  add_figure(parent, {
    id: `kernel-${m + 1}`,
    renderer: "canvas",
    title: view.name || "(no name)",
    label: `The kernel of this view before and after completion: ${packed.n_observed} of ${n} samples were observed.`,
    height: (width) => (stacked() ? 2 * (side(width) + top) + 8 : side(width) + top),
    zoom: {},
    caption: `${about_values(view)}Colour scale from ${number(packed.low)} to ${number(packed.high)}; values outside it are clipped.`,
    option: (width) => ({
      title: [`Before: ${plural(packed.n_observed, "sample")}`, `After: ${plural(n, "sample")}`].map(
        (text, index) => ({
          text,
          left: place(index, width).left,
          top: place(index, width).top - top + 2,
          padding: 0,
          textStyle: { fontSize: 12, fontWeight: "normal", color: colour("soft-ink") },
        }),
      ),
      grid: [0, 1].map((index) => ({
        ...place(index, width),
        width: side(width),
        height: side(width),
        show: true,
        borderColor: colour("line"),
        borderWidth: 1,
      })),
      xAxis: [0, 1].map((gridIndex) => ({ gridIndex, type: "value", min: 0, max: size, show: false })),
      yAxis: [0, 1].map((gridIndex) => ({
        gridIndex,
        type: "value",
        min: 0,
        max: size,
        inverse: true,
        show: false,
      })),
      tooltip: { show: false },
      series: [
        drawn(
          paint(before, size, () => 0),
          0,
        ),
        drawn(paint(after, size, completed), 1),
      ],
    }),
    drawn: (chart) => {
      let linking = false; // both pictures show the same part
      chart.on("datazoom", (event) => {
        if (linking || !event.batch) return;
        linking = true;
        for (const step of event.batch) {
          const found = /^(.*[xy]Axis)([01])$/.exec(step.dataZoomId || "");
          if (found)
            chart.dispatchAction({
              ...step,
              type: "dataZoom",
              dataZoomId: found[1] + (1 - Number(found[2])),
            });
        }
        linking = false;
      });
      chart.getZr().on("mousemove", (event) => {
        const at = [event.offsetX, event.offsetY];
        const gridIndex = [0, 1].find((index) => chart.containPixel({ gridIndex: index }, at));
        if (gridIndex === undefined) return hide_tip();
        const [x, y] = chart
          .convertFromPixel({ gridIndex }, at)
          .map((value) => Math.min(size - 1, Math.max(0, Math.floor(value))));
        show_tip(event.event, about(y, x));
      });
      chart.getZr().on("globalout", hide_tip);
    },
    table: () => {
      const rows = [];
      for (let i = 0; i < size; ++i)
        for (let j = 0; j <= i; ++j)
          rows.push(
            [samples_name(part, i, n), samples_name(part, j, n), before.value(i, j), after.value(i, j)].map(
              (value) => (typeof value === "number" ? Number(value.toPrecision(4)) : value),
            ),
          );
      return [["row", "column", "before", "after"], rows];
    },
  });
}

function kernels_section(section, data) {
  const part = data.kernels;
  section.append(
    element(
      "p",
      {},
      `Each picture is a kernel matrix: the similarity of every pair of samples. Lightness shows the value, hue whether it is observed or completed. All views have the same order, with similar samples next to each other.${part.n_samples < data.meta.n_samples ? ` These are ${part.n_samples.toLocaleString("en")} of ${data.meta.n_samples.toLocaleString("en")} samples, chosen at random.` : ""}${part.last ? ` ${part.n_samples.toLocaleString("en")} samples are shown as means over ${part.cells} × ${part.cells} blocks; the hue is mixed where some pairs of a block are completed.` : ""} Drag to zoom.`,
    ),
    element(
      "div",
      { class: "key" },
      element("span", {}, element("i", { class: "ramp observed" }), "observed, low to high"),
      element("span", {}, element("i", { class: "ramp completed" }), "completed, low to high"),
      element("span", {}, element("i", { class: "ramp blank" }), "missing"),
    ),
  );
  data.meta.views.forEach((_, m) => kernel_figure(section, data, m));
}
