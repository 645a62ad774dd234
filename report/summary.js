"use strict";
// The first screen of a report of `mkc complete`: the input, the errors, the warnings.

// Per view: the error on held-out rows beside those of simpler answers, the share recovered and the verdict; and (demo)
// errors against the truth. Version 0.1 called the mean of the other views "mean_fill" and has no verdict.
function view_errors(data) {
  const quality = data.meta.quality;
  return data.meta.views.map((view, m) => {
    const found = (quality && quality.views[view.name]) || {};
    return {
      name: view.name,
      completed: view.missing,
      error: found.held_out_error,
      average_row: found.average_row_error,
      mean_of_others: found.mean_of_others_error ?? found.mean_fill_error,
      recovered: found.recovered,
      recovered_standard_error: found.recovered_standard_error,
      verdict: view.missing ? found.verdict : null,
      truth: data.truth ? data.truth[m][0] / 100 : null,
      truth_mean_of_others: data.truth ? data.truth[m][1] / 100 : null,
    };
  });
}

const verdict_kinds = { strong: "good", useful: "good", weak: null, unknown: null };

function verdict_cell(verdict) {
  if (missing(verdict)) return "–";
  return { text: verdict, kind: verdict in verdict_kinds ? verdict_kinds[verdict] : "bad" };
}

function recovered_text(view) {
  if (missing(view.recovered)) return "–";
  const share = signed_percent(view.recovered);
  return missing(view.recovered_standard_error)
    ? share
    : `${share.replace(" %", "")} ± ${percent(view.recovered_standard_error, 0)}`;
}

// "2 useful, 1 weak", the best first.
function counted_verdicts(errors) {
  const found = errors.map((view) => view.verdict).filter((verdict) => !missing(verdict));
  const kinds = ["strong", "useful", "weak", "nothing beyond the average row", "unknown"];
  return kinds
    .map((kind) => [found.filter((verdict) => verdict === kind).length, kind])
    .filter(([count]) => count)
    .map(([count, kind]) => `${count} ${kind}`)
    .join(", ");
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
    fill = mean(errors.map((view) => view.mean_of_others)),
    average_row = mean(errors.map((view) => view.average_row)),
    recovered = mean(errors.map((view) => (missing(view.recovered) ? null : Math.max(0, view.recovered))));
  const truth = mean(errors.map((view) => view.truth)),
    truth_fill = mean(errors.map((view) => view.truth_mean_of_others));
  const estimated = !missing(error),
    judged = errors.filter((view) => !missing(view.verdict));
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
    ],
    missing(average_row)
      ? has_errors && [percent(estimated ? fill : truth_fill), "error of the mean of the other views"]
      : [percent(average_row), "error of the average row of each view"],
    judged.length && [
      percent(recovered, 0),
      `of what distinguishes rows recovered: ${counted_verdicts(errors)}`,
      judged.every((view) => verdict_kinds[view.verdict] === "good")
        ? "good"
        : judged.some((view) => verdict_cell(view.verdict).kind === "bad")
          ? "bad"
          : null,
    ],
    [seconds(total), `${meta.method}, ${ending[meta.status] || meta.status}`],
  ]);
  warnings(main, data);
  if (has_errors) worth(main, data, errors);
  if (data.missing_pairs > 0 && has_errors) judgement(main, errors, estimated);
  main.append(
    table(
      ["View", "Source", "Kernel", "Observed", "Completed"],
      meta.views.map((view) => [
        named(view.name),
        element("span", { title: view.source }, named(cut((view.source || "–").replace(/^.*[\\/](?=.)/, ""), 40))),
        `${view.kernel}${view.features ? `, ${plural(view.features, "feature")}` : ""}`,
        number(view.observed),
        number(view.missing),
      ]),
      [3, 4],
    ),
  );
}

// Per view the errors, the share recovered and the verdict, as far as they are known.
function judgement(main, errors, estimated) {
  const judged = errors.some((view) => !missing(view.verdict));
  main.append(
    table(
      [
        "View",
        ...(judged ? ["Verdict", "Recovered"] : []),
        "Error",
        ...(judged ? ["Average row"] : []),
        "Mean of other views",
        "Completed",
      ],
      errors.map((view) => [
        named(view.name),
        ...(judged ? [view.completed ? verdict_cell(view.verdict) : "complete", recovered_text(view)] : []),
        percent(estimated ? view.error : view.truth),
        ...(judged ? [percent(view.average_row)] : []),
        percent(estimated ? view.mean_of_others : view.truth_mean_of_others),
        number(view.completed),
      ]),
      judged ? [2, 3, 4, 5, 6] : [1, 2, 3],
    ),
  );
  if (judged)
    main.append(
      element(
        "p",
        { class: "small" },
        "Error: relative error of held-out rows. Average row: the error of the mean observed row of the view in their place. Recovered: the share of what distinguishes the rows of a view, R² of centred rows with its standard error; 0 % is the average row, 100 % is exact. The verdict follows from it: strong, useful, weak or nothing beyond the average row.",
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
    { name: "Average row", key: "average_row", color: "blank" },
    {
      name: "Mean of the other views",
      key: views.some((v) => !missing(v.mean_of_others)) ? "mean_of_others" : "truth_mean_of_others",
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
      [
        "view",
        "completed_rows",
        "error",
        "average_row",
        "mean_of_others",
        "recovered",
        "recovered_standard_error",
        "verdict",
        "true_error",
        "true_mean_of_others",
      ],
      errors.map((view) => [
        view.name,
        view.completed,
        view.error,
        view.average_row,
        view.mean_of_others,
        view.recovered,
        view.recovered_standard_error,
        view.verdict,
        view.truth,
        view.truth_mean_of_others,
      ]),
    ],
  });
}
