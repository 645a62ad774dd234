"use strict";
// Comparison of methods: errors, errors per view, cost.

const is_baseline = (name) => /^(mean|knn)(,|$)/.test(name);

// Bars of means, with the values on the right and a dot for every repeat: [{name, label, mean, dots}].
function dots_figure(parent, { id, title, caption, rows, show, measure, chosen }) {
  add_figure(parent, {
    id,
    title,
    caption,
    height: 68 + 34 * Math.max(2, rows.length),
    label: rows.map((row) => `${row.name}: ${show(row.mean)}`).join("; "),
    option: () => ({
      grid: { left: name_room(), right: 56, top: 6, bottom: 48 },
      xAxis: axis({ type: "value", min: 0, name: measure, axisLabel: { formatter: (value) => show(value).replace(".0 %", " %") } }),
      yAxis: [name_axis(rows.map((row) => row.label || row.name)), end_axis(rows.map((row) => show(row.mean)))],
      tooltip: {
        formatter: (at) => {
          const row = rows[at.seriesType === "bar" ? at.dataIndex : at.value[2]];
          return hover(named(row.name), [
            `mean ${show(row.mean)}`,
            ...(row.dots.length > 1 ? [`repeats: ${row.dots.map(show).join(", ")}`] : []),
            ...(row.more || []),
          ]);
        },
      },
      series: [
        {
          type: "bar",
          barMaxWidth: 18,
          data: rows.map((row) => ({
            value: row.mean,
            itemStyle: {
              color: colour(chosen && chosen(row) ? "observed" : "plain"),
              opacity: 0.75,
              borderRadius: [0, 2, 2, 0],
            },
          })),
        },
        {
          type: "scatter",
          symbolSize: 8,
          data: rows.flatMap((row, k) => row.dots.map((value) => [value, k, k])),
          itemStyle: { color: colour("ink"), opacity: 0.7, borderColor: colour("paper"), borderWidth: 1 },
        },
        right_end,
      ],
    }),
    table: () => [
      ["method", "mean", ...(rows[0] ? rows[0].dots.map((_, k) => `repeat_${k + 1}`) : [])],
      rows.map((row) => [row.name, row.mean, ...row.dots]),
    ],
  });
}

function views_section(section, data) {
  const methods = ranking(data),
    views = [...new Set(records(data.scores).map((score) => score.view))];
  const error = (method, view) =>
    mean(method.own.filter((score) => score.view === view).map((score) => score.are));
  matrix_figure(section, {
    id: "views",
    title: "Error of each method in each view",
    caption: "Mean over the repeats. A stronger colour is a larger error.",
    rows: methods.map((method) => method.label),
    columns: views,
    cells: methods
      .flatMap((method, k) => views.map((view, m) => [m, k, error(method, view)]))
      .filter((cell) => !missing(cell[2])),
    row_height: 30,
    show: (value) => percent(value / 100),
    tip: (row, column, value) =>
      hover(named(column), [element("span", {}, named(row), `: ${percent(value / 100, 1)}`)]),
    table: () => [
      ["method", "repeat", "view", "are", "rmse", "alignment", "coverage", "average_row", "recovered"],
      records(data.scores).map((score) => [
        score.method,
        score.repeat,
        score.view,
        score.are,
        score.rmse,
        score.alignment,
        score.coverage,
        score.average_row,
        score.recovered,
      ]),
    ],
  });
}

function cost_section(section, data) {
  const methods = ranking(data).filter((method) => method.seconds > 0),
    worst = Math.max(...methods.map((method) => method.are.mean));
  // Neighbouring points have their labels on different sides.
  const near = (a, b) =>
    Math.abs(Math.log10(a.seconds / b.seconds)) < 0.4 && Math.abs(a.are.mean - b.are.mean) < 0.1 * worst;
  const side = (method) =>
    ["right", "left", "top", "bottom"][
      methods.slice(0, methods.indexOf(method)).filter((other) => near(method, other)).length % 4
    ];
  add_figure(section, {
    id: "cost",
    title: "Error and time",
    height: 340,
    zoom: {},
    label: methods
      .map((method) => `${method.name}: ${percent(method.are.mean / 100)} in ${seconds(method.seconds)}`)
      .join("; "),
    caption: "Lower left is better. Grey: baselines.",
    option: () => ({
      grid: { left: 56, right: narrow() ? 60 : 110, top: 12, bottom: 44 },
      xAxis: axis({
        type: "log",
        name: "seconds per completion",
        axisLabel: { formatter: (value) => number(value) },
      }),
      yAxis: axis({ type: "value", min: 0, axisLabel: { formatter: (value) => `${number(value)} %` } }),
      tooltip: {
        formatter: (at) =>
          hover(named(methods[at.dataIndex].name), [
            percent(methods[at.dataIndex].are.mean / 100, 1),
            seconds(methods[at.dataIndex].seconds),
            `${number(methods[at.dataIndex].peak_mib)} MiB`,
          ]),
      },
      series: [
        {
          type: "scatter",
          symbolSize: 11,
          data: methods.map((method) => ({
            value: [method.seconds, method.are.mean],
            itemStyle: { color: colour(is_baseline(method.name) ? "plain" : "observed") },
            label: { position: side(method) },
          })),
          label: {
            show: true,
            color: colour("soft-ink"),
            formatter: (at) => cut(methods[at.dataIndex].label, 18),
          },
          labelLayout: { hideOverlap: true },
        },
      ],
    }),
    table: () => [
      ["method", "seconds", "are", "peak_mib"],
      methods.map((method) => [method.name, method.seconds, method.are.mean, method.peak_mib]),
    ],
  });
}
