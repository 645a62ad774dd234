"use strict";
// The first screen of a report of `mkc complete`: the input, the errors, the warnings.

// Per view: the error on held-out rows, that of the mean fill, and (demo) both against the truth.
function view_errors(data) {
  const quality = data.meta.quality;
  return data.meta.views.map((view, m) => {
    const found = quality && quality.views[view.name];
    return {
      name: view.name,
      completed: view.missing,
      error: found ? found.held_out_error : null,
      mean_fill: found ? found.mean_fill_error : null,
      truth: data.truth ? data.truth[m][0] / 100 : null,
      truth_mean_fill: data.truth ? data.truth[m][1] / 100 : null,
    };
  });
}

// How much smaller the error is than that of the mean fill.
function gain(error, mean_fill) {
  if (missing(error) || missing(mean_fill)) return { text: "–" };
  if (error >= mean_fill) return { text: "no", kind: "bad" };
  const factor = mean_fill / error;
  return {
    text: factor < 1.1 ? "hardly" : `yes, ${factor >= 10 ? "over 10" : factor.toFixed(1)}× smaller`,
    kind: factor < 1.1 ? null : "good",
  };
}

function completion_summary(main, data) {
  const meta = data.meta,
    errors = view_errors(data),
    pairs = meta.n_samples * meta.n_views;
  const parameters = Object.entries(meta.parameters)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");
  opening(
    main,
    data,
    ...(data.missing_pairs === 0
      ? ["Nothing is missing."]
      : [
          `${percent(data.missing_pairs / pairs)} of the (sample, view) pairs were missing. They were completed with `,
          element("strong", { title: parameters }, meta.method),
          ".",
        ]),
  );
  const total = Object.values(meta.seconds).reduce((sum, value) => sum + (value || 0), 0);
  const error = mean(errors.map((view) => view.error)),
    fill = mean(errors.map((view) => view.mean_fill));
  const truth = mean(errors.map((view) => view.truth)),
    truth_fill = mean(errors.map((view) => view.truth_mean_fill));
  const estimated = !missing(error);
  const has_errors = estimated || !missing(truth);
  const ending = {
    converged: "finished",
    max_iterations: "stopped before it converged",
    interrupted: "interrupted",
  };
  cards(main, [
    [
      number(meta.n_samples),
      `samples in ${plural(meta.n_views, "view")}; ${data.in_all_views.toLocaleString("en")} have all views`,
    ],
    [
      percent(data.missing_pairs / pairs),
      `missing: ${data.missing_pairs.toLocaleString("en")} of ${pairs.toLocaleString("en")} pairs`,
    ],
    has_errors && [
      percent(estimated ? error : truth),
      estimated ? "error on held-out rows" : "error against the truth",
      (estimated ? error < fill : truth < truth_fill) ? "good" : "bad",
    ],
    has_errors && [percent(estimated ? fill : truth_fill), "error of the mean of the other views"],
    [seconds(total), `${meta.method}, ${ending[meta.status] || meta.status}`],
  ]);
  warnings(main, data);
  if (has_errors) worth(main, data, errors);
  const shown = data.missing_pairs > 0 && has_errors;
  main.append(
    table(
      [
        "View",
        "Source",
        "Kernel",
        "Observed",
        "Completed",
        ...(shown ? ["Error", "Mean fill", "Worth it?"] : []),
      ],
      meta.views.map((view, m) => {
        const row = [
          named(view.name),
          element(
            "span",
            { title: view.source },
            named(cut((view.source || "–").replace(/^.*[\\/](?=.)/, ""), 40)),
          ),
          `${view.kernel}${view.features ? `, ${plural(view.features, "feature")}` : ""}`,
          number(view.observed),
          number(view.missing),
        ];
        const one = errors[m],
          pair = estimated ? [one.error, one.mean_fill] : [one.truth, one.truth_mean_fill];
        return shown
          ? [...row, percent(pair[0]), percent(pair[1]), view.missing ? gain(...pair) : "complete"]
          : row;
      }),
      [3, 4, 5, 6],
    ),
  );
}

// Serious warnings stand out, notes share a box, messages of the run are folded.
function warnings(main, data) {
  const of_kind = (kind) =>
    data.warnings.filter((warning) => warning.kind === kind).map((warning) => named(warning.text));
  for (const text of of_kind("serious"))
    main.append(element("p", { class: "warning serious" }, element("b", {}, "Warning:"), text));
  const notes = of_kind("note"),
    log = of_kind("log");
  if (notes.length)
    main.append(
      element(
        "ul",
        { class: "warning", "aria-label": "Notes" },
        notes.map((text) => element("li", {}, text)),
      ),
    );
  if (log.length)
    main.append(
      element(
        "details",
        {},
        element("summary", {}, `${plural(log.length, "note")} from the run`),
        element(
          "ul",
          {},
          log.map((text) => element("li", {}, text)),
        ),
      ),
    );
}

function worth(main, data, errors) {
  const views = errors.filter((view) => !missing(view.error) || !missing(view.truth));
  const bars = [
    {
      name: "Mean of the other views",
      key: views.some((v) => !missing(v.mean_fill)) ? "mean_fill" : "truth_mean_fill",
      color: "plain",
    },
    { name: "Completed", key: "error", color: "observed" },
    { name: "Completed, against the truth", key: "truth", color: "completed" },
  ].filter((bar) => views.some((view) => !missing(view[bar.key])));
  const legend_room = () => 20 * (narrow() ? bars.length : 1);
  add_figure(main, {
    id: "worth",
    title: "Was completion worth it?",
    height: () => 60 + legend_room() + views.length * (18 * bars.length + 16),
    label: views
      .map((view) => `${view.name}: ${bars.map((bar) => `${bar.name} ${percent(view[bar.key])}`).join(", ")}`)
      .join("; "),
    caption: `Relative error of kernel rows; smaller is better.${data.meta.quality ? ` Measured on ${plural(data.meta.quality.hidden_rows, "held-out row")}.` : ""}${data.truth ? " The data are simulated, so the true error is known." : ""}`,
    option: () => ({
      legend: legend({ type: "plain", orient: narrow() ? "vertical" : "horizontal", itemGap: narrow() ? 6 : 14 }),
      grid: { left: name_room(), right: 46, top: 14 + legend_room(), bottom: 46 },
      xAxis: percent_axis({ name: "relative error of kernel rows" }),
      yAxis: name_axis(views.map((view) => view.name)),
      tooltip: {
        trigger: "item",
        formatter: (at) =>
          hover(
            named(views[at.dataIndex].name),
            bars.map((bar) => `${bar.name}: ${percent(views[at.dataIndex][bar.key], 1)}`),
          ),
      },
      series: bars.map((bar) => ({
        type: "bar",
        name: bar.name,
        data: views.map((view) => view[bar.key]),
        itemStyle: { color: colour(bar.color), borderRadius: [0, 2, 2, 0] },
        barMaxWidth: 15,
        barGap: "12%",
        label: {
          show: true,
          position: "right",
          color: colour("soft-ink"),
          fontSize: 11,
          formatter: (at) => percent(at.value),
        },
      })),
    }),
    table: () => [
      ["view", "completed_rows", "error", "mean_fill", "true_error", "true_mean_fill"],
      errors.map((view) => [
        view.name,
        view.completed,
        view.error,
        view.mean_fill,
        view.truth,
        view.truth_mean_fill,
      ]),
    ],
  });
}
