"use strict";
// Estimated errors of completed rows, and the least reliable rows.

// Views with rows whose error is unknown, and views whose estimates are all equal.
function estimates_in_words(section, data, views) {
  const { unknown, equal, rows, views: quartiles } = data.errors;
  const sentences = views.flatMap((name, m) => {
    const completed = data.meta.views[m].missing,
      found = [];
    if (unknown[m])
      found.push([named(name), `: the error of ${unknown[m]} of ${plural(completed, "completed row")} is unknown, because the interval reaches above 100 %.`]);
    if (equal[m]) {
      const row = rows.find((one) => one.view === m);
      const interval = row ? ` (${percent(row.low, 1)} to ${percent(row.high, 1)})` : "";
      found.push([named(name), `: all ${completed} completed rows have the same estimate, ${percent(quartiles[m][2], 1)}${interval}; it does not tell good rows from bad ones.`]);
    }
    return found;
  });
  if (sentences.length)
    section.append(element("ul", {}, sentences.map((words) => element("li", {}, words))));
}

function trust_section(section, data) {
  const views = data.meta.views.map((view) => view.name),
    part = data.errors || data.uncertainty;
  const kept = views.map((_, m) => m).filter((m) => part.views[m]);
  const known = Boolean(data.errors),
    show = known ? (value) => percent(value, 1) : number;
  const value_axis = () =>
    known
      ? percent_axis({ name: "relative error of the kernel row" })
      : axis({
          type: "value",
          min: 0,
          name: "uncertainty of the kernel row",
          axisLabel: { formatter: (value) => number(value) },
        });
  section.append(
    element(
      "p",
      {},
      known
        ? `Estimates for every completed row, ${data.meta.quality.calibration === "split-conformal" ? "split-conformal: from held-out rows that had no part in any choice" : "calibrated on held-out rows"}. The interval contains the true error of ${percent(data.meta.quality.coverage, 0)} of such rows.`
        : "The method's own uncertainty of every completed row; larger is less certain. Run with --quality to estimate errors.",
    ),
  );
  if (known) estimates_in_words(section, data, views);
  const columns = element("div", { class: "pair" });
  section.append(columns);
  if (kept.length)
    add_figure(columns, {
      id: "errors",
      title: known ? "Estimated error of completed rows" : "Uncertainty of completed rows",
      height: 68 + Math.max(3, kept.length) * 34,
      label: kept
        .map(
          (m) =>
            `${views[m]}: median ${show(part.views[m][2])}, from ${show(part.views[m][0])} to ${show(part.views[m][4])}`,
        )
        .join("; "),
      caption: "Box: quartiles and median of the rows. Whiskers: smallest and largest.",
      option: () => ({
        grid: { left: name_room(), right: 20, top: 6, bottom: 48 },
        xAxis: value_axis(),
        yAxis: name_axis(kept.map((m) => views[m])),
        tooltip: {
          formatter: (at) =>
            hover(
              named(views[kept[at.dataIndex]]),
              ["smallest", "lower quartile", "median", "upper quartile", "largest"].map(
                (word, k) => `${word}: ${show(part.views[kept[at.dataIndex]][k])}`,
              ),
            ),
        },
        series: [
          {
            type: "boxplot",
            data: kept.map((m) => part.views[m]),
            boxWidth: [8, 18],
            itemStyle: { color: colour("blank"), borderColor: colour("completed"), borderWidth: 1.5 },
          },
        ],
      }),
      table: () => [
        ["view", "smallest", "lower_quartile", "median", "upper_quartile", "largest"],
        kept.map((m) => [views[m], ...part.views[m]]),
      ],
    });
  const rows = part.rows.slice(0, 15);
  const all_equal = known && kept.length && kept.every((m) => data.errors.equal[m]);
  if (rows.length && !all_equal)
    add_figure(columns, {
      id: "least-trusted",
      title: "Least reliable rows",
      height: 68 + Math.max(3, rows.length) * 21,
      zoom: { yAxisIndex: "none" },
      label: rows
        .map((row) => `${row.sample} in ${views[row.view]}: ${show(known ? row.high : row.uncertainty)}`)
        .join("; "),
      caption: known
        ? "Sample and view. Point: estimated error. Line: its interval; rows are sorted by the upper end. Where it is above 100 %, the error of a row of zeros, the error is unknown."
        : "Sample and view.",
      option: () => ({
        grid: { left: name_room(), right: 20, top: 6, bottom: 48 },
        xAxis: value_axis(),
        yAxis: name_axis(
          rows.map((row) => `${cut(row.sample, 20)}, ${cut(views[row.view], 18)}`),
          { axisLabel: { fontSize: 11 } },
        ),
        tooltip: {
          formatter: (at) => {
            const row = rows[at.dataIndex];
            return hover(named(row.sample), [
              element("span", {}, "in ", named(views[row.view])),
              known
                ? row.high > 1
                  ? `error unknown (interval from ${show(row.low)} to ${show(row.high)})`
                  : `error ${show(row.error)} (${show(row.low)} to ${show(row.high)})`
                : `uncertainty ${show(row.uncertainty)}`,
              `observed in ${plural(row.observed_views, "view")}`,
            ]);
          },
        },
        series: [
          {
            type: "custom",
            encode: { x: [0, 1, 2], y: 3 },
            data: rows.map((row, k) =>
              known
                ? [row.low, row.error, row.high, k]
                : [row.uncertainty, row.uncertainty, row.uncertainty, k],
            ),
            renderItem: (_, api) => {
              const [low, middle, high] = [0, 1, 2].map((k) => api.coord([api.value(k), api.value(3)]));
              const line = { stroke: colour("completed"), lineWidth: 1.5 };
              return {
                type: "group",
                children: [
                  { type: "line", shape: { x1: low[0], y1: low[1], x2: high[0], y2: high[1] }, style: line },
                  {
                    type: "circle",
                    shape: { cx: middle[0], cy: middle[1], r: 4 },
                    style: { fill: colour("completed") },
                  },
                ],
              };
            },
          },
        ],
      }),
      table: () => [
        ["sample", "view", "observed_views", "error", "low", "high", "uncertainty"],
        part.rows.map((row) => [
          row.sample,
          views[row.view],
          row.observed_views,
          row.error,
          row.low,
          row.high,
          row.uncertainty,
        ]),
      ],
    });
}
