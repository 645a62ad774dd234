"use strict";
// Weights between views, and the methods that `auto` combined.

function relations_section(section, data) {
  const views = data.meta.views.map((view) => view.name);
  if (data.relations) {
    matrix_figure(section, {
      id: "relations",
      title: "Weights of the views for each other",
      caption:
        "Row: the completed view. Column: the view it is completed from. A stronger colour is a larger weight.",
      rows: views,
      columns: views,
      cells: data.relations.flatMap((row, m) => row.map((value, l) => [l, m, value])),
      low: 0,
      row_height: Math.max(22, Math.min(44, 400 / views.length)),
      show: (value) => number(value, 2),
      tip: (row, column, value) =>
        hover(named(row), [element("span", {}, "from ", named(column), `: ${number(value)}`)]),
      table: () => [["view", ...views], data.relations.map((row, m) => [views[m], ...row])],
    });
  }
  const candidates = (data.meta.candidates || []).map((one) => ({
    ...one,
    used: one.weights.some((weight) => weight > 0.0005),
  }));
  const weighted = candidates.filter((one) => one.used),
    labels = short_specs(weighted.map((one) => one.method));
  const used = weighted.map((one, k) => ({ ...one, label: labels[k] }));
  if (used.length)
    add_figure(section, {
      id: "weights",
      title: "Methods combined in the result",
      height: 62 + 30 * views.length,
      label: views
        .map(
          (view, m) =>
            `${view}: ${used.map((one) => `${one.label} ${percent(one.weights[m], 0)}`).join(", ")}`,
        )
        .join("; "),
      caption:
        "auto tries its candidates on held-out rows and combines the best ones.",
      option: () => ({
        legend: legend(),
        grid: { left: name_room(), right: 24, top: 34, bottom: 26 },
        xAxis: percent_axis({ max: 1 }),
        yAxis: name_axis(views),
        tooltip: {
          formatter: (at) => hover(named(views[at.dataIndex]), [`${at.seriesName}: ${percent(at.value, 1)}`]),
        },
        series: used.map((one, k) => ({
          type: "bar",
          stack: "weights",
          name: one.label,
          data: one.weights,
          barMaxWidth: 18,
          itemStyle: { color: category(k), borderColor: colour("paper"), borderWidth: 1 },
        })),
      }),
      table: () => [["candidate", ...views], used.map((one) => [one.method, ...one.weights])],
    });
  if (!candidates.length) return;
  const rows = candidates
    .map((one) => ({ ...one, error: mean(one.held_out_errors) }))
    .sort((a, b) => (a.error ?? 9e9) - (b.error ?? 9e9));
  const list = (some) =>
    table(
      ["Candidate", "Error on held-out rows", "Time", "Remark"],
      some.map((one) => [
        spec(one.method),
        percent(one.error, 1),
        one.skipped ? "–" : seconds(one.seconds),
        one.skipped
          ? named(one.skipped)
          : one.used
            ? `weight ${percent(mean(one.weights))}`
            : "tried, not used",
      ]),
      [1, 2],
    );
  const others = rows.filter((one) => !one.used);
  section.append(list(rows.filter((one) => one.used)));
  if (others.length)
    section.append(
      element(
        "details",
        {},
        element("summary", {}, plural(others.length, "unused candidate")),
        list(others),
      ),
    );
}
