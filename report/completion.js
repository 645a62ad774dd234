"use strict";
// The sections of a report of `mkc complete`.

// Per view: errors of rows that were hidden, of the mean fill beside them, and (demo) against the truth.
function view_errors(data) {
  const quality = data.meta.quality;
  return data.meta.views.map((view, m) => {
    const found = quality && quality.views[view.name];
    return {
      name: view.name, completed: view.missing,
      error: found ? found.held_out_error : null, mean_fill: found ? found.mean_fill_error : null,
      truth: data.truth ? data.truth[m][0] / 100 : null, truth_mean_fill: data.truth ? data.truth[m][1] / 100 : null,
    };
  });
}

// "3.2× smaller", in a word or two.
function gain(error, mean_fill) {
  if (missing(error) || missing(mean_fill)) return { text: "–" };
  if (error >= mean_fill) return { text: "no", kind: "bad" };
  const factor = mean_fill / error;
  return { text: factor < 1.1 ? "hardly" : `yes, ${factor >= 10 ? "over 10" : factor.toFixed(1)}× smaller`, kind: factor < 1.1 ? null : "good" };
}

function completion_summary(main, data) {
  const meta = data.meta, errors = view_errors(data), pairs = meta.n_samples * meta.n_views;
  const parameters = Object.entries(meta.parameters).map(([key, value]) => `${key}=${value}`).join(", ");
  main.append(element("h1", {}, named(data.title)),
    element("p", { class: "lead" }, element("strong", {}, `${plural(meta.n_samples, "sample")}, ${plural(meta.n_views, "view")}. `),
      data.missing_pairs === 0 ? "Nothing is missing." : `${percent(data.missing_pairs / pairs)} of the (sample, view) pairs were missing and are completed with `,
      data.missing_pairs === 0 ? "" : element("strong", { title: parameters }, meta.method), data.missing_pairs === 0 ? "" : "."));
  const total = Object.values(meta.seconds).reduce((sum, value) => sum + (value || 0), 0);
  const error = mean(errors.map((view) => view.error)), fill = mean(errors.map((view) => view.mean_fill));
  const truth = mean(errors.map((view) => view.truth)), truth_fill = mean(errors.map((view) => view.truth_mean_fill));
  const estimated = !missing(error);
  const card = (value, text, kind) => element("div", { class: `card ${kind || ""}` }, element("b", {}, value), element("span", {}, text));
  main.append(element("div", { class: "cards" },
    card(number(meta.n_samples), `samples in ${plural(meta.n_views, "view")}, ${data.in_all_views.toLocaleString("en")} of them in all`),
    card(percent(data.missing_pairs / pairs), `missing: ${data.missing_pairs.toLocaleString("en")} of ${pairs.toLocaleString("en")} pairs`),
    estimated || !missing(truth)
      ? card(percent(estimated ? error : truth), estimated ? "error of rows that were hidden and completed" : "error against the truth",
        (estimated ? error < fill : truth < truth_fill) ? "good" : "bad") : null,
    estimated || !missing(truth) ? card(percent(estimated ? fill : truth_fill), "error of the mean of the other views") : null,
    card(seconds(total), `${meta.method}, ${{ converged: "finished", max_iterations: "stopped before it converged", interrupted: "interrupted" }[meta.status] || meta.status}`)));
  warnings(main, data);
  if (estimated || !missing(truth)) worth(main, data, errors);
  const shown = data.missing_pairs > 0 && (estimated || !missing(truth));
  main.append(table(["View", "From", "Kernel", "Observed", "Completed", ...(shown ? ["Error", "Mean fill", "Worth it?"] : [])],
    meta.views.map((view, m) => {
      const row = [named(view.name), element("span", { title: view.source }, named(cut((view.source || "–").replace(/^.*[\\/](?=.)/, ""), 40))),
        `${view.kernel}${view.features ? `, ${plural(view.features, "feature")}` : ""}`, number(view.observed), number(view.missing)];
      const one = errors[m], pair = estimated ? [one.error, one.mean_fill] : [one.truth, one.truth_mean_fill];
      return shown ? [...row, percent(pair[0]), percent(pair[1]), view.missing ? gain(...pair) : "complete"] : row;
    }), [3, 4, 5, 6]));
}

// What to mind stands out; what is good to know is one box; what the run said is there for those who ask.
function warnings(main, data) {
  const of_kind = (kind) => data.warnings.filter((warning) => warning.kind === kind).map((warning) => named(warning.text));
  for (const text of of_kind("serious")) main.append(element("p", { class: "warning serious" }, element("b", {}, "Mind:"), text));
  const notes = of_kind("note"), log = of_kind("log");
  if (notes.length) main.append(element("ul", { class: "warning", "aria-label": "Good to know" }, notes.map((text) => element("li", {}, text))));
  if (log.length)
    main.append(element("details", {}, element("summary", {}, `The run noted ${plural(log.length, "thing")}`), element("ul", {}, log.map((text) => element("li", {}, text)))));
}

function worth(main, data, errors) {
  const views = errors.filter((view) => !missing(view.error) || !missing(view.truth));
  const bars = [
    { name: "Mean of the other views", key: views.some((v) => !missing(v.mean_fill)) ? "mean_fill" : "truth_mean_fill", color: "plain" },
    { name: "Completed", key: "error", color: "observed" },
    { name: "Completed, against the truth", key: "truth", color: "completed" },
  ].filter((bar) => views.some((view) => !missing(view[bar.key])));
  add_figure(main, {
    id: "worth", title: "Was completion worth it?", height: 60 + views.length * (18 * bars.length + 16),
    label: views.map((view) => `${view.name}: ${bars.map((bar) => `${bar.name} ${percent(view[bar.key])}`).join(", ")}`).join("; "),
    caption: `Relative error of whole kernel rows, smaller is better.${data.meta.quality ? ` ${plural(data.meta.quality.hidden_rows, "row")} that are known were hidden, completed and compared.` : ""}${data.truth ? " This example is made up, so the truth is known, too." : ""}`,
    option: () => ({
      legend: legend(), grid: { left: name_room(), right: 46, top: 34, bottom: 26 },
      xAxis: axis({ type: "value", min: 0, axisLabel: { formatter: (value) => `${Math.round(100 * value)} %` } }),
      yAxis: name_axis(views.map((view) => view.name)),
      tooltip: { trigger: "item", formatter: (at) => hover(named(views[at.dataIndex].name), bars.map((bar) => `${bar.name}: ${percent(views[at.dataIndex][bar.key], 1)}`)) },
      series: bars.map((bar) => ({ type: "bar", name: bar.name, data: views.map((view) => view[bar.key]), itemStyle: { color: colour(bar.color), borderRadius: [0, 2, 2, 0] },
        barMaxWidth: 15, barGap: "12%", label: { show: true, position: "right", color: colour("soft-ink"), fontSize: 11, formatter: (at) => percent(at.value) } })),
    }),
    table: () => [["view", "completed_rows", "error", "mean_fill", "true_error", "true_mean_fill"],
      errors.map((view) => [view.name, view.completed, view.error, view.mean_fill, view.truth, view.truth_mean_fill])],
  });
}

function missingness_section(section, data) {
  const part = data.missingness, views = data.meta.views, n = data.meta.n_samples;
  const shares = part.observed.map((text) => Array.from(bytes(text), (level) => level / 255));
  const cells = shares.flatMap((row, m) => row.map((share, cell) => [cell, m, share]));
  section.append(element("p", {}, `Each column is ${part.last ? "a group of samples" : "a sample"}, each row a view; samples that lack the same views stand together.`));
  add_figure(section, {
    id: "missing", title: "Who lacks what", height: 62 + views.length * Math.max(14, Math.min(30, 360 / views.length)),
    renderer: cells.length > 4000 ? "canvas" : "svg", zoom: { yAxisIndex: "none" },
    label: views.map((view) => `${view.name}: ${view.missing} of ${n} missing`).join("; "),
    key: element("div", { class: "key" }, swatch("observed", "observed"), swatch("completed", "missing, completed by mkc")),
    option: (width) => ({
      grid: { left: name_room(), right: 58, top: 4, bottom: 34 },
      xAxis: axis({ type: "category", data: shares[0].map((_, cell) => cell), axisLabel: { show: false }, name: plural(n, "sample"), nameGap: 10 }),
      yAxis: [name_axis(views.map((view) => view.name)),
        axis({ type: "category", inverse: true, data: views.map((view) => percent(view.observed / n, 0)), axisLine: { show: false }, position: "right", axisLabel: { interval: 0 } })],
      visualMap: { show: false, min: 0, max: 1, dimension: 2, inRange: { color: [colour("completed"), colour("observed")] } },
      tooltip: { formatter: (at) => { const [cell, m, share] = at.value; return hover(named(views[m].name), [named(cell_name(part, cell, n)), share === 1 ? "observed" : share === 0 ? "missing" : `${percent(share, 0)} observed`]); } },
      series: [{ type: "heatmap", data: cells, progressive: 0, itemStyle: { borderColor: colour("paper"), borderWidth: width / part.cells > 5 ? 0.5 : 0 }, emphasis: { disabled: true } },
        { type: "bar", yAxisIndex: 1, data: [], silent: true }],
    }),
    table: () => [["samples", "view", "observed_share"], cells.map(([cell, m, share]) => [cell_name(part, cell, n), views[m].name, Number(share.toFixed(3))])],
  });
  if (views.length <= 30 && part.patterns.length > 1)
    section.append(element("h3", {}, part.n_patterns > part.patterns.length ? `The ${part.patterns.length} most frequent of ${part.n_patterns} patterns` : "Patterns"),
      table(["Views", "Samples", "Lacks"], part.patterns.map((pattern) => {
        const lacking = views.filter((_, m) => pattern.views[m] === "0").flatMap((view, i) => [i ? ", " : "", named(view.name)]);
        return [element("span", { class: "dots", role: "img", "aria-label": `${Array.from(pattern.views).filter((mark) => mark === "1").length} of ${views.length} views` }, pattern.views.replace(/1/g, "●").replace(/0/g, "○")),
          number(pattern.samples), lacking.length ? element("span", {}, lacking) : "nothing"];
      }), [1]));
}

function swatch(name, text) {
  return element("span", {}, element("i", { class: "ramp", style: `width:1.1rem;background:var(--${name})` }), text);
}

function kernels_section(section, data) {
  const part = data.kernels;
  section.append(element("p", {}, `Lightness is the kernel value, from the smallest to the largest of a view. All views are in one order, in which similar samples stand beside each other${part.last ? `; ${data.meta.n_samples.toLocaleString("en")} samples are shown as means over ${part.cells} × ${part.cells} cells, which have a mixed hue where a part of the pairs is completed` : ""}. Drag to zoom.`),
    element("div", { class: "key" }, element("span", {}, element("i", { class: "ramp observed" }), "observed, low to high"),
      element("span", {}, element("i", { class: "ramp completed" }), "completed, low to high"), element("span", {}, element("i", { class: "ramp blank" }), "missing")));
  data.meta.views.forEach((_, m) => kernel_figure(section, data, m));
}

function spectra_section(section, data) {
  const views = data.meta.views, spectra = data.spectra;
  const line = (m, key) => ({ type: "line", name: views[m].name, data: spectra[m][key].map((value, k) => [k + 1, value]), showSymbol: false, symbolSize: 5,
    lineStyle: { color: category(m), width: key === "after" ? 2 : 1.5, type: key === "after" ? "solid" : [4, 4] }, itemStyle: { color: category(m) } });
  add_figure(section, {
    id: "spectra", title: "Leading eigenvalues before (dashed) and after (solid)", height: 340, zoom: {},
    label: "One line per view. Lines of one colour that lie together mean that completion kept the shape of the kernel.",
    caption: "Eigenvalues divided by the number of samples, so that kernels of different size compare. Where the solid line lies on the dashed one, the completed samples look like the observed ones; a solid line that falls faster means they vary less.",
    option: () => ({
      legend: legend({ data: views.map((view) => ({ name: view.name })) }), grid: { left: 58, right: 16, top: 36, bottom: 44 },
      xAxis: axis({ type: "value", min: 1, max: "dataMax", minInterval: 1, name: "eigenvalue" }), yAxis: axis({ type: "log", axisLabel: { formatter: (value) => number(value, 2) } }),
      tooltip: { trigger: "axis", axisPointer: { lineStyle: { color: colour("line") } }, formatter: (at) => { const k = at[0].value[0]; return hover(`eigenvalue ${k}`, views.slice(0, 12).map((view, m) =>
        element("span", {}, named(cut(view.name, 30)), `: ${number(spectra[m].before[k - 1])} → ${number(spectra[m].after[k - 1])}`))); } },
      series: views.flatMap((_, m) => [line(m, "before"), line(m, "after")]),
    }),
    table: () => [["view", "eigenvalue", "before", "after"], views.flatMap((view, m) =>
      Array.from({ length: Math.max(spectra[m].before.length, spectra[m].after.length) }, (_, k) => [view.name, k + 1, spectra[m].before[k], spectra[m].after[k]]))],
  });
}

function relations_section(section, data) {
  const views = data.meta.views.map((view) => view.name);
  if (data.relations) {
    const top = Math.max(...data.relations.flat().map(Math.abs), 1e-300);
    const cells = () => data.relations.flatMap((row, m) => row.map((value, l) => ({ value: [l, m, value], label: { color: Math.abs(value) > 0.55 * top ? colour("paper") : colour("ink") } })));
    add_figure(section, {
      id: "relations", title: "How much each view leans on the others", height: 74 + views.length * Math.max(22, Math.min(44, 400 / views.length)),
      label: data.relations.map((row, m) => `${views[m]}: ${row.map((value, l) => `${views[l]} ${number(value, 2)}`).join(", ")}`).join("; "),
      caption: "Row: the view that is completed. Column: the weight of the view it is completed from.",
      option: () => ({
        grid: { left: name_room(), right: 16, top: 4, bottom: 62 },
        xAxis: name_axis(views, { inverse: false, axisLabel: { rotate: 30, width: 100 } }), yAxis: name_axis(views),
        visualMap: { show: false, min: 0, max: top, dimension: 2, inRange: { color: [colour("observed-0"), colour("observed-1"), colour("observed-2"), colour("observed-3")] } },
        tooltip: { formatter: (at) => hover(named(views[at.value[1]]), [element("span", {}, "from ", named(views[at.value[0]]), `: ${number(at.value[2])}`)]) },
        series: [{ type: "heatmap", data: cells(), label: { show: views.length <= 12, formatter: (at) => (at.value[2] === 0 ? "" : number(at.value[2], 2)) }, itemStyle: { borderColor: colour("paper"), borderWidth: 1 } }],
      }),
      table: () => [["view", ...views], data.relations.map((row, m) => [views[m], ...row])],
    });
  }
  const all = data.meta.candidates || [], labels = short_specs(all.map((one) => one.method));
  const candidates = all.map((one, k) => ({ ...one, label: labels[k] }));
  const used = candidates.filter((one) => one.weights.some((weight) => weight > 0.0005));
  if (used.length)
    add_figure(section, {
      id: "weights", title: "Which methods the result is mixed from", height: 62 + 30 * views.length,
      label: views.map((view, m) => `${view}: ${used.map((one) => `${one.label} ${percent(one.weights[m], 0)}`).join(", ")}`).join("; "),
      caption: "auto tries its candidates on rows that are hidden on purpose, and mixes those that come nearest.",
      option: () => ({
        legend: legend(), grid: { left: name_room(), right: 24, top: 34, bottom: 26 },
        xAxis: axis({ type: "value", min: 0, max: 1, axisLabel: { formatter: (value) => `${Math.round(100 * value)} %` } }), yAxis: name_axis(views),
        tooltip: { formatter: (at) => hover(named(views[at.dataIndex]), [`${at.seriesName}: ${percent(at.value, 1)}`]) },
        series: used.map((one, k) => ({ type: "bar", stack: "weights", name: one.label, data: one.weights, barMaxWidth: 18, itemStyle: { color: category(k), borderColor: colour("paper"), borderWidth: 1 } })),
      }),
      table: () => [["candidate", ...views], used.map((one) => [one.method, ...one.weights])],
    });
  if (candidates.length) {
    const rows = candidates.map((one) => ({ ...one, error: mean(one.held_out_errors) })).sort((a, b) => (a.error ?? 9e9) - (b.error ?? 9e9));
    section.append(table(["Candidate", "Error of hidden rows", "Time", "Remark"],
      rows.map((one) => [spec(one.method), percent(one.error, 1), one.skipped ? "–" : seconds(one.seconds), one.skipped ? named(one.skipped) : one.weights.some((weight) => weight > 0.0005) ? "in the mixture" : ""]), [1, 2]));
  }
}

function trust_section(section, data) {
  const views = data.meta.views.map((view) => view.name), part = data.errors || data.uncertainty;
  const kept = views.map((_, m) => m).filter((m) => part.views[m]);
  const known = Boolean(data.errors), show = known ? (value) => percent(value, 1) : number;
  section.append(element("p", {}, known
    ? `Estimates for every completed row, learnt from rows that are known and were hidden. The interval holds the true error of ${percent(data.meta.quality.coverage, 0)} of such rows.`
    : "The method's own uncertainty of every completed row; larger is less sure. Run with --quality to have errors."));
  const columns = element("div", { class: "pair" });
  section.append(columns);
  if (kept.length)
    add_figure(columns, {
      id: "errors", title: known ? "Estimated error of completed rows" : "Uncertainty of completed rows", height: 50 + Math.max(3, kept.length) * 34,
      label: kept.map((m) => `${views[m]}: median ${show(part.views[m][2])}, from ${show(part.views[m][0])} to ${show(part.views[m][4])}`).join("; "),
      caption: "Box: the middle half of the rows, with the median. Whiskers: all of them.",
      option: () => ({
        grid: { left: name_room(), right: 20, top: 6, bottom: 30 },
        xAxis: axis({ type: "value", min: 0, axisLabel: { formatter: (value) => (known ? `${Math.round(100 * value)} %` : number(value)) } }), yAxis: name_axis(kept.map((m) => views[m])),
        tooltip: { formatter: (at) => hover(named(views[kept[at.dataIndex]]), ["smallest", "lower quartile", "median", "upper quartile", "largest"].map((word, k) => `${word}: ${show(part.views[kept[at.dataIndex]][k])}`)) },
        series: [{ type: "boxplot", data: kept.map((m) => part.views[m]), boxWidth: [8, 18], itemStyle: { color: colour("blank"), borderColor: colour("completed"), borderWidth: 1.5 } }],
      }),
      table: () => [["view", "smallest", "lower_quartile", "median", "upper_quartile", "largest"], kept.map((m) => [views[m], ...part.views[m]])],
    });
  const rows = part.rows.slice(0, 15);
  if (rows.length)
    add_figure(columns, {
      id: "least-trusted", title: "The rows to trust least", height: 50 + Math.max(3, rows.length) * 21, zoom: { yAxisIndex: "none" },
      label: rows.map((row) => `${row.sample} in ${views[row.view]}: ${show(known ? row.high : row.uncertainty)}`).join("; "),
      caption: known ? "Point: estimated error. Line: its interval." : undefined,
      option: () => ({
        grid: { left: name_room(), right: 20, top: 6, bottom: 30 },
        xAxis: axis({ type: "value", min: 0, axisLabel: { formatter: (value) => (known ? `${Math.round(100 * value)} %` : number(value)) } }),
        yAxis: name_axis(rows.map((row) => `${cut(row.sample, 20)}, ${cut(views[row.view], 18)}`), { axisLabel: { fontSize: 11 } }),
        tooltip: { formatter: (at) => { const row = rows[at.dataIndex]; return hover(named(row.sample), [element("span", {}, "in ", named(views[row.view])), known ? `error ${show(row.error)} (${show(row.low)} to ${show(row.high)})` : `uncertainty ${show(row.uncertainty)}`, `observed in ${plural(row.observed_views, "view")}`]); } },
        series: [{ type: "custom", encode: { x: [0, 1, 2], y: 3 }, data: rows.map((row, k) => (known ? [row.low, row.error, row.high, k] : [row.uncertainty, row.uncertainty, row.uncertainty, k])),
          renderItem: (_, api) => {
            const [low, middle, high] = [0, 1, 2].map((k) => api.coord([api.value(k), api.value(3)]));
            const line = { stroke: colour("completed"), lineWidth: 1.5 };
            return { type: "group", children: [
              { type: "line", shape: { x1: low[0], y1: low[1], x2: high[0], y2: high[1] }, style: line },
              { type: "circle", shape: { cx: middle[0], cy: middle[1], r: 4 }, style: { fill: colour("completed") } }] };
          } }],
      }),
      table: () => [["sample", "view", "observed_views", "error", "low", "high", "uncertainty"], part.rows.map((row) => [row.sample, views[row.view], row.observed_views, row.error, row.low, row.high, row.uncertainty])],
    });
}

function convergence_section(section, data) {
  const { iteration, objective } = data.convergence, meta = data.meta;
  const points = iteration.map((at, k) => [at, objective[k]]).filter((point) => !missing(point[1]));
  const low = Math.min(...points.map((point) => point[1])), high = Math.max(...points.map((point) => point[1]));
  const type = low > 0 && high / low > 30 ? "log" : "value";
  section.append(element("p", {}, meta.status === "converged" ? `Converged after ${plural(meta.iterations, "iteration")}` : `Stopped after ${plural(meta.iterations, "iteration")} before it converged`,
    missing(meta.residual) ? "." : `; relative distance to a stationary point ${number(meta.residual, 2)}.`));
  add_figure(section, {
    id: "convergence", title: "Objective", height: 260, zoom: {}, label: `From ${number(points[0][1])} to ${number(points[points.length - 1][1])} in ${plural(meta.iterations, "iteration")}.`,
    option: () => ({
      grid: { left: 66, right: 16, top: 10, bottom: 44 }, xAxis: axis({ type: "value", min: "dataMin", max: "dataMax", minInterval: 1, name: "iteration", axisLabel: { showMaxLabel: false } }),
      yAxis: axis({ type, scale: true, axisLabel: { formatter: (value) => number(value, 4) } }),
      tooltip: { trigger: "axis", formatter: (at) => hover(`iteration ${at[0].value[0]}`, [`objective ${number(at[0].value[1], 6)}`]) },
      series: [{ type: "line", data: points, showSymbol: points.length < 40, symbolSize: 5, lineStyle: { color: colour("observed"), width: 2 }, itemStyle: { color: colour("observed") } }],
    }),
    table: () => [["iteration", "objective"], points],
  });
  const terms = Object.entries(meta.objective_terms || {});
  if (terms.length) section.append(table(["Part of the objective", "At the end"], terms.map(([name, value]) => [name, number(value, 4)]), [1]));
}

function map_section(section, data) {
  const map = data.map, labelled = Boolean(map.classes), views = data.meta.n_views;
  const group_of = map.name.map((_, i) => (labelled ? map.class_of[i] : map.missing[i]));
  const groups = labelled ? [...map.classes.keys(), -1].filter((k) => group_of.includes(k)) : [...new Set(map.missing)].sort((a, b) => a - b);
  const group_name = (k) => (labelled ? (k < 0 ? "no label" : map.classes[k] || "(no name)") : k === 0 ? "in all views" : `lacks ${plural(k, "view")}`);
  const shade = (k) => (labelled ? (k < 0 ? colour("plain") : category(k)) : k === 0 ? colour("observed") : k === 1 ? colour("completed") : category([3, 4, 2, 6, 7][(k - 2) % 5]));
  const [first, second] = map.shares;
  add_figure(section, {
    id: "map", title: "Samples in the plane of the two leading components", height: narrow() ? 380 : 480, zoom: {}, renderer: map.name.length > 1500 ? "canvas" : "svg",
    label: `Kernel principal components of the sum of all completed kernels, which hold ${percent(first, 0)} and ${percent(second, 0)} of the variance.`,
    caption: `Kernel PCA of the sum of all completed kernels, each of variance one. ${labelled ? "Colours are the labels." : "Colours say how many views a sample lacked: they should mix. A cloud of its own made of samples that lack views hints at an artefact of completion."}${map.name.length < map.n_samples ? ` ${map.name.length.toLocaleString("en")} of ${map.n_samples.toLocaleString("en")} samples are shown.` : ""}`,
    option: () => ({
      legend: legend(), grid: { left: 52, right: 16, top: 36, bottom: 44 },
      xAxis: axis({ type: "value", scale: true, name: `component 1 (${percent(first, 0)})`, axisLabel: { formatter: (value) => number(value, 3) } }), yAxis: axis({ type: "value", scale: true, name: `component 2 (${percent(second, 0)})`, nameGap: 36, axisLabel: { formatter: (value) => number(value, 3) } }),
      tooltip: { formatter: (at) => { const i = at.value[2]; return hover(named(map.name[i]), [labelled ? named(group_name(group_of[i])) : "", map.missing[i] ? `lacked ${map.missing[i]} of ${plural(views, "view")}` : "observed in all views"]); } },
      series: groups.map((k, at) => ({ type: "scatter", name: group_name(k), symbol: symbols[at % symbols.length], symbolSize: map.name.length > 1500 ? 4 : 7,
        data: map.name.map((_, i) => i).filter((i) => group_of[i] === k).map((i) => [map.x[i], map.y[i], i]), itemStyle: { color: shade(k), opacity: 0.75 } })),
    }),
    table: () => [["sample", "component_1", "component_2", "views_missing", ...(labelled ? ["label"] : [])],
      map.name.map((name, i) => [name, map.x[i], map.y[i], map.missing[i], ...(labelled ? [group_name(group_of[i])] : [])])],
  });
}

function completion_sections(data) {
  return [
    { id: "missing-views", title: "Missing views", fill: missingness_section },
    { id: "kernels", title: "Kernels", fill: kernels_section },
    { id: "eigenvalues", title: "Eigenvalues", fill: spectra_section },
    { id: "views", title: "Relations and methods", fill: relations_section, when: data.relations || (data.meta.candidates || []).length },
    { id: "trust", title: "How far to trust it", fill: trust_section, when: data.missing_pairs > 0 && (data.errors || data.uncertainty) },
    { id: "iterations", title: "Convergence", fill: convergence_section, when: data.convergence && data.convergence.objective.filter((value) => !missing(value)).length > 1 },
    { id: "samples", title: "Samples", fill: map_section },
  ];
}
