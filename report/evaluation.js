"use strict";
// The sections of a report of `mkc evaluate`.

// The rows of a table as objects.
function records(part) {
  return part.rows.map((row) => Object.fromEntries(part.columns.map((column, c) => [column, row[c]])));
}

// Methods that have errors, the best first, with the mean over the views for every repeat.
function ranking(data) {
  const scores = records(data.scores);
  return data.meta.methods
    .filter((method) => !missing(method.are.mean))
    .map((method) => {
      const own = scores.filter((score) => score.method === cut(method.method, 201));
      const repeats = [...new Set(own.map((score) => score.repeat))];
      return {
        ...method,
        name: method.method,
        own,
        repeats: repeats.map((repeat) =>
          mean(own.filter((score) => score.repeat === repeat).map((score) => score.are)),
        ),
      };
    })
    .sort((a, b) => a.are.mean - b.are.mean);
}

const spread = (value, show) =>
  missing(value.mean)
    ? "–"
    : missing(value.sd)
      ? show(value.mean)
      : `${show(value.mean)} ± ${show(value.sd)}`;

// Bars of means with a dot for every repeat: [{name, mean, dots}].
function dots_figure(parent, { id, title, caption, rows, show, min, chosen }) {
  add_figure(parent, {
    id,
    title,
    caption,
    height: 50 + 34 * Math.max(2, rows.length),
    label: rows.map((row) => `${row.name}: ${show(row.mean)}`).join("; "),
    option: () => ({
      grid: { left: name_room(), right: 56, top: 6, bottom: 30 },
      xAxis: axis({ type: "value", min, axisLabel: { formatter: show } }),
      yAxis: name_axis(rows.map((row) => row.name)),
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
      ],
    }),
    table: () => [
      ["method", "mean", ...(rows[0] ? rows[0].dots.map((_, k) => `repeat_${k + 1}`) : [])],
      rows.map((row) => [row.name, row.mean, ...row.dots]),
    ],
  });
}

const is_baseline = (name) => /^(mean|knn)(,|$)/.test(name);

function evaluation_summary(main, data) {
  const meta = data.meta,
    methods = ranking(data),
    best = methods[0];
  const fill = methods.find((method) => /^mean(,|$)/.test(method.name));
  main.append(
    element("h1", {}, named(data.title)),
    element(
      "p",
      { class: "lead" },
      element("strong", {}, `${plural(meta.n_samples, "sample")}, ${plural(meta.n_views, "view")}. `),
      `${percent(meta.fraction, 0)} of the ${meta.views_missing ? "samples lost views" : "rows were hidden"} ${meta.mechanism === "pattern" ? "in the pattern in which samples miss views" : "at random"}, ${meta.repeats === 1 ? "once" : `${meta.repeats} times`}, completed, and compared with what they were.`,
    ),
  );
  const card = (value, text, kind) =>
    element("div", { class: `card ${kind || ""}` }, element("b", {}, value), element("span", {}, text));
  const ours = (value) => percent(value / 100);
  main.append(
    element(
      "div",
      { class: "cards" },
      best
        ? card(
            cut(best.name, 22),
            "smallest error of hidden rows",
            fill && best.are.mean < fill.are.mean ? "good" : null,
          )
        : null,
      best ? card(ours(best.are.mean), "its error") : null,
      fill ? card(ours(fill.are.mean), "error of the mean of the other views") : null,
      card(
        number(methods.length),
        `methods, ${plural(meta.cells, "run")}${meta.status === "finished" ? "" : " (not all finished)"}`,
      ),
    ),
  );
  warnings(main, data);
  if (methods.length)
    dots_figure(main, {
      id: "methods",
      title: "Which method comes nearest?",
      min: 0,
      show: (value) => percent(value / 100),
      chosen: (row) => !is_baseline(row.name),
      caption: `Average relative error of hidden kernel rows, mean over the views; smaller is better. A dot for every repeat. Grey: simple fills to compare with.`,
      rows: methods.map((method) => ({
        name: method.name,
        mean: method.are.mean,
        dots: method.repeats,
        more: [`${seconds(method.seconds)} each`],
      })),
    });
  main.append(
    table(
      ["Method", "Error", "Squared error", "RMSE", "Alignment", "Coverage", "Time", "Memory"],
      methods.map((method) => [
        spec(method.name),
        spread(method.are, ours),
        spread(method.are_squared, ours),
        number(method.rmse.mean),
        number(method.alignment.mean),
        percent(method.coverage, 0),
        seconds(method.seconds),
        missing(method.peak_mib) ? "–" : `${number(method.peak_mib)} MiB`,
      ]),
      [1, 2, 3, 4, 5, 6, 7],
    ),
    element(
      "p",
      {},
      "Mean ± standard deviation over repeats. Alignment: 1 = right up to scale. Coverage: share of rows whose error lies in its 90 % interval.",
    ),
  );
}

function views_section(section, data) {
  const methods = ranking(data),
    views = [...new Set(records(data.scores).map((score) => score.view))];
  const cells = methods
    .flatMap((method, k) =>
      views.map((view, m) => [
        m,
        k,
        mean(method.own.filter((score) => score.view === view).map((score) => score.are)),
      ]),
    )
    .filter((cell) => !missing(cell[2]));
  const low = Math.min(...cells.map((cell) => cell[2])),
    high = Math.max(...cells.map((cell) => cell[2]));
  add_figure(section, {
    id: "views",
    title: "Error of each method in each view",
    height: 84 + 30 * methods.length,
    label: cells
      .map(([m, k, value]) => `${methods[k].name} in ${views[m]}: ${percent(value / 100)}`)
      .join("; "),
    caption: "Mean over the repeats; light is better.",
    option: () => ({
      grid: { left: name_room(), right: 16, top: 4, bottom: 66 },
      xAxis: name_axis(views, { inverse: false, axisLabel: { rotate: 30, width: 110 } }),
      yAxis: name_axis(methods.map((method) => method.name)),
      visualMap: {
        show: false,
        min: low,
        max: high,
        dimension: 2,
        inRange: {
          color: [colour("observed-0"), colour("observed-1"), colour("observed-2"), colour("observed-3")],
        },
      },
      tooltip: {
        formatter: (at) =>
          hover(named(views[at.value[0]]), [
            element("span", {}, named(methods[at.value[1]].name), `: ${percent(at.value[2] / 100, 1)}`),
          ]),
      },
      series: [
        {
          type: "heatmap",
          itemStyle: { borderColor: colour("paper"), borderWidth: 1 },
          label: { show: views.length <= (narrow() ? 5 : 12), formatter: (at) => percent(at.value[2] / 100) },
          data: cells.map((value) => ({
            value,
            label: { color: value[2] - low > 0.55 * (high - low) ? colour("paper") : colour("ink") },
          })),
        },
      ],
    }),
    table: () => [
      ["method", "repeat", "view", "are", "rmse", "alignment", "coverage"],
      records(data.scores).map((score) => [
        score.method,
        score.repeat,
        score.view,
        score.are,
        score.rmse,
        score.alignment,
        score.coverage,
      ]),
    ],
  });
}

function cost_section(section, data) {
  const methods = ranking(data).filter((method) => method.seconds > 0);
  add_figure(section, {
    id: "cost",
    title: "Error and time",
    height: 340,
    zoom: {},
    label: methods
      .map((method) => `${method.name}: ${percent(method.are.mean / 100)} in ${seconds(method.seconds)}`)
      .join("; "),
    caption: "Down and left is better.",
    option: () => ({
      grid: { left: 56, right: 90, top: 12, bottom: 44 },
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
          })),
          label: {
            show: true,
            position: "right",
            color: colour("soft-ink"),
            formatter: (at) => cut(methods[at.dataIndex].name, 16),
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

function labels_section(section, data) {
  const scores = records(data.labels),
    all = data.meta.methods.map((method) => method.method);
  section.append(
    element(
      "p",
      {},
      "A support vector machine and clustering on the sum of the completed kernels. complete_cases learns from the samples that lack nothing, without any completion.",
    ),
  );
  const columns = element("div", { class: "pair" });
  section.append(columns);
  for (const [on, title] of [
    ["all", "SVM accuracy on all labelled samples"],
    ["complete", "SVM accuracy on samples that lack nothing"],
  ]) {
    const rows = all
      .map((name) => ({
        name,
        dots: scores
          .filter((score) => score.method === cut(name, 201) && score.on === on)
          .map((score) => score.accuracy)
          .filter((value) => !missing(value)),
      }))
      .filter((row) => row.dots.length)
      .map((row) => ({ ...row, mean: mean(row.dots) }))
      .sort((a, b) => b.mean - a.mean);
    if (rows.length)
      dots_figure(columns, {
        id: `accuracy-${on}`,
        title,
        rows,
        min: 0,
        show: (value) => percent(value),
        chosen: (row) => !is_baseline(row.name) && row.name !== "complete_cases",
        caption: "Larger is better. A dot for every repeat.",
      });
  }
  const own = data.meta.methods.filter((method) => method.labels_all || method.labels_complete);
  const value = (part, key) => (part ? spread(part[key], (x) => x.toFixed(3)) : "–");
  const middle = (part, key) => (part ? number(part[key].mean) : "–");
  section.append(
    table(
      [
        "Method",
        "Samples",
        "Accuracy",
        "Balanced",
        "NMI",
        "ARI",
        "Complete samples",
        "Accuracy",
        "NMI",
        "ARI",
      ],
      own.map((method) => {
        const a = method.labels_all,
          c = method.labels_complete;
        return [
          spec(method.method),
          a ? number(a.samples) : "–",
          value(a, "accuracy"),
          middle(a, "balanced_accuracy"),
          middle(a, "nmi"),
          middle(a, "ari"),
          c ? number(c.samples) : "–",
          value(c, "accuracy"),
          middle(c, "nmi"),
          middle(c, "ari"),
        ];
      }),
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ),
  );
}

function evaluation_sections(data) {
  const methods = ranking(data);
  return [
    { id: "each-view", title: "View by view", fill: views_section, when: methods.length },
    {
      id: "time",
      title: "Time and memory",
      fill: cost_section,
      when: methods.some((method) => method.seconds > 0),
    },
    { id: "labels", title: "With labels", fill: labels_section, when: data.labels },
  ];
}
