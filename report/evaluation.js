"use strict";
// The sections of a report of `mkc evaluate`.

// The rows of a table as objects.
function records(part) {
  return part.rows.map((row) => Object.fromEntries(part.columns.map((column, c) => [column, row[c]])));
}

// Methods with scores, best first, with a short label and the mean over the views for every repeat.
function ranking(data) {
  const scores = records(data.scores);
  const scored = data.meta.methods.filter((method) => !missing(method.are.mean));
  const labels = short_specs(scored.map((method) => method.method));
  return scored
    .map((method, k) => {
      const own = scores.filter((score) => score.method === cut(method.method, 201));
      const repeats = [...new Set(own.map((score) => score.repeat))];
      return {
        ...method,
        name: method.method,
        label: labels[k],
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

function evaluation_summary(main, data) {
  const meta = data.meta,
    methods = ranking(data),
    best = methods[0];
  // Runs that only serve the scores with labels are no comparison on held-out rows.
  const compared = methods.reduce((sum, method) => sum + method.repeats.length, 0);
  const fill = methods.find((method) => /^mean(,|$)/.test(method.name));
  const error_text = (value) => percent(value / 100);
  opening(
    main,
    data,
    `${percent(meta.views_missing ? meta.fraction : (meta.hidden_share ?? meta.fraction), 0)} of the ${meta.views_missing ? "samples lost views" : "rows were hidden"} ${meta.mechanism === "pattern" ? "in the missing patterns of the data" : "at random"}, ${meta.repeats === 1 ? "once" : `${meta.repeats} times`}, completed, and compared with the truth.`,
  );
  cards(main, [
    best && [
      cut(best.label, 22),
      "smallest error on held-out rows",
      fill && best.are.mean < fill.are.mean ? "good" : null,
    ],
    best && [error_text(best.are.mean), "error of this method"],
    fill && [error_text(fill.are.mean), "error of the mean of the other views"],
    best && !missing(best.average_row) && [error_text(best.average_row), "error of the average row of each view"],
    [
      number(methods.length),
      `${methods.length === 1 ? "method" : "methods"}, ${plural(compared, "run")} on held-out rows${meta.status === "finished" ? "" : " (not all finished)"}`,
    ],
  ]);
  warnings(main, data);
  if (methods.length)
    dots_figure(main, {
      id: "methods",
      title: "Which method has the smallest error?",
      measure: "relative error of held-out rows",
      show: error_text,
      chosen: (row) => !is_baseline(row.name),
      caption:
        "Average relative error of held-out kernel rows, mean over the views; smaller is better. One dot per repeat. Grey: baselines.",
      rows: methods.map((method) => ({
        name: method.name,
        label: method.label,
        mean: method.are.mean,
        dots: method.repeats,
        more: [`${seconds(method.seconds)} each`],
      })),
    });
  main.append(
    table(
      ["Method", "Error", "Recovered", "Squared error", "RMSE", "Alignment", "Coverage", "Time", "Memory"],
      methods.map((method) => [
        spec(method.name),
        spread(method.are, error_text),
        method.recovered ? spread(method.recovered, (share) => percent(share, 0)) : "–",
        spread(method.are_squared, error_text),
        number(method.rmse.mean),
        decimals(method.alignment.mean),
        percent(method.coverage, 0),
        seconds(method.seconds),
        missing(method.peak_mib) ? "–" : `${number(method.peak_mib)} MiB`,
      ]),
      [1, 2, 3, 4, 5, 6, 7, 8],
    ),
    element(
      "p",
      { class: "small" },
      "Mean ± standard deviation over repeats. Error: norm of completed minus true row, divided by the norm of the true row. Recovered: share of what distinguishes the rows of a view, R² of centred rows; 0 % is the average row, 100 % is exact. Squared error: this ratio squared. RMSE: root mean square of the differences, in units of the kernel. Alignment: 1 = right up to scale, 0 = unrelated. Coverage: share of rows whose error lies in its predicted 90 % interval; methods without intervals have none. Time and memory: of one completion.",
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
