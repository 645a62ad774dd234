"use strict";
// How views lean on one another, and which methods `auto` mixed.

function relations_section(section, data) {
  const views = data.meta.views.map((view) => view.name);
  if (data.relations) {
    const top = Math.max(...data.relations.flat().map(Math.abs), 1e-300);
    const cells = () =>
      data.relations.flatMap((row, m) =>
        row.map((value, l) => ({
          value: [l, m, value],
          label: { color: Math.abs(value) > 0.55 * top ? colour("paper") : colour("ink") },
        })),
      );
    add_figure(section, {
      id: "relations",
      title: "How much each view leans on the others",
      height: 74 + views.length * Math.max(22, Math.min(44, 400 / views.length)),
      label: data.relations
        .map(
          (row, m) => `${views[m]}: ${row.map((value, l) => `${views[l]} ${number(value, 2)}`).join(", ")}`,
        )
        .join("; "),
      caption: "Row: the view that is completed. Column: the weight of the view it is completed from.",
      option: () => ({
        grid: { left: name_room(), right: 16, top: 4, bottom: 62 },
        xAxis: name_axis(views, { inverse: false, axisLabel: { rotate: 30, width: 100 } }),
        yAxis: name_axis(views),
        visualMap: {
          show: false,
          min: 0,
          max: top,
          dimension: 2,
          inRange: {
            color: [colour("observed-0"), colour("observed-1"), colour("observed-2"), colour("observed-3")],
          },
        },
        tooltip: {
          formatter: (at) =>
            hover(named(views[at.value[1]]), [
              element("span", {}, "from ", named(views[at.value[0]]), `: ${number(at.value[2])}`),
            ]),
        },
        series: [
          {
            type: "heatmap",
            data: cells(),
            label: {
              show: views.length <= 12,
              formatter: (at) => (at.value[2] === 0 ? "" : number(at.value[2], 2)),
            },
            itemStyle: { borderColor: colour("paper"), borderWidth: 1 },
          },
        ],
      }),
      table: () => [["view", ...views], data.relations.map((row, m) => [views[m], ...row])],
    });
  }
  const all = data.meta.candidates || [],
    labels = short_specs(all.map((one) => one.method));
  const candidates = all.map((one, k) => ({ ...one, label: labels[k] }));
  const used = candidates.filter((one) => one.weights.some((weight) => weight > 0.0005));
  if (used.length)
    add_figure(section, {
      id: "weights",
      title: "Which methods the result is mixed from",
      height: 62 + 30 * views.length,
      label: views
        .map(
          (view, m) =>
            `${view}: ${used.map((one) => `${one.label} ${percent(one.weights[m], 0)}`).join(", ")}`,
        )
        .join("; "),
      caption:
        "auto tries its candidates on rows that are hidden on purpose, and mixes those that come nearest.",
      option: () => ({
        legend: legend(),
        grid: { left: name_room(), right: 24, top: 34, bottom: 26 },
        xAxis: axis({
          type: "value",
          min: 0,
          max: 1,
          axisLabel: { formatter: (value) => `${Math.round(100 * value)} %` },
        }),
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
  if (candidates.length) {
    const rows = candidates
      .map((one) => ({ ...one, error: mean(one.held_out_errors) }))
      .sort((a, b) => (a.error ?? 9e9) - (b.error ?? 9e9));
    section.append(
      table(
        ["Candidate", "Error of hidden rows", "Time", "Remark"],
        rows.map((one) => [
          spec(one.method),
          percent(one.error, 1),
          one.skipped ? "–" : seconds(one.seconds),
          one.skipped
            ? named(one.skipped)
            : one.weights.some((weight) => weight > 0.0005)
              ? "in the mixture"
              : "",
        ]),
        [1, 2],
      ),
    );
  }
}
