"use strict";
// Eigenvalues before and after completion, and the objective by iteration.

function spectra_section(section, data) {
  const views = data.meta.views,
    spectra = data.spectra;
  const line = (m, key) => ({
    type: "line",
    name: views[m].name,
    data: spectra[m][key].flatMap((value, k) => (value > 0 ? [[k + 1, Math.log10(value)]] : [])),
    showSymbol: false,
    symbolSize: 5,
    lineStyle: {
      color: category(m),
      width: key === "after" ? 2 : 1.5,
      type: key === "after" ? "solid" : [4, 4],
    },
    itemStyle: { color: category(m) },
  });
  add_figure(section, {
    id: "spectra",
    title: "Leading eigenvalues before (dashed) and after (solid)",
    height: 340,
    zoom: {},
    label:
      "Two lines per view, before and after. Where they coincide, completion kept the spectrum of the kernel.",
    caption:
      "Eigenvalues divided by the number of samples, so that kernels of different sizes are comparable. Where the two lines coincide, completed samples vary like observed ones; where the solid line falls faster, they vary less.",
    option: () => ({
      legend: legend({ icon: "roundRect", itemHeight: 4, data: views.map((view) => ({ name: view.name })) }),
      grid: { left: 58, right: 16, top: 36, bottom: 44 },
      xAxis: axis({ type: "value", min: 1, max: "dataMax", minInterval: 1, name: "eigenvalue, largest first" }),
      // Logarithms on a linear axis: the chart library loses the ticks of a log axis below 1e-10.
      yAxis: axis({
        type: "value",
        scale: true,
        minInterval: 1,
        axisLabel: { formatter: (value) => number(10 ** value, 2) },
      }),
      tooltip: {
        trigger: "axis",
        axisPointer: { lineStyle: { color: colour("line") } },
        formatter: (at) => {
          const k = at[0].value[0];
          return hover(
            `eigenvalue ${k}`,
            views
              .slice(0, 12)
              .map((view, m) =>
                element(
                  "span",
                  {},
                  named(cut(view.name, 30)),
                  `: ${number(spectra[m].before[k - 1])} → ${number(spectra[m].after[k - 1])}`,
                ),
              ),
          );
        },
      },
      series: views.flatMap((_, m) => [line(m, "before"), line(m, "after")]),
    }),
    table: () => [
      ["view", "eigenvalue", "before", "after"],
      views.flatMap((view, m) =>
        Array.from({ length: Math.max(spectra[m].before.length, spectra[m].after.length) }, (_, k) => [
          view.name,
          k + 1,
          spectra[m].before[k],
          spectra[m].after[k],
        ]),
      ),
    ],
  });
}

const objective_terms = {
  within: "distance of rows from their reconstruction by other rows of the view",
  between: "distance of a view from its reconstruction by the other views",
  ridge: "size of the weights",
  l21: "penalty on each sample used to reconstruct others (l2,1 norm)",
};

function convergence_section(section, data) {
  const { iteration, objective } = data.convergence,
    meta = data.meta;
  const points = iteration.map((at, k) => [at, objective[k]]).filter((point) => !missing(point[1]));
  const low = Math.min(...points.map((point) => point[1])),
    high = Math.max(...points.map((point) => point[1]));
  const type = low > 1e-9 && high / low > 30 ? "log" : "value";
  section.append(
    element(
      "p",
      {},
      meta.status === "converged"
        ? `Converged after ${plural(meta.iterations, "iteration")}`
        : `Stopped after ${plural(meta.iterations, "iteration")} without converging`,
      missing(meta.residual) ? "." : `; relative residual ${number(meta.residual, 2)} (0 at a stationary point).`,
    ),
  );
  add_figure(section, {
    id: "convergence",
    title: "Objective",
    height: 260,
    zoom: {},
    label: `From ${number(points[0][1])} to ${number(points[points.length - 1][1])} in ${plural(meta.iterations, "iteration")}.`,
    option: () => ({
      grid: { left: 66, right: 16, top: 10, bottom: 44 },
      xAxis: axis({
        type: "value",
        min: "dataMin",
        max: "dataMax",
        minInterval: 1,
        name: "iteration",
        axisLabel: { showMaxLabel: false },
      }),
      yAxis: axis({ type, scale: true, axisLabel: { formatter: (value) => number(value, 4) } }),
      tooltip: {
        trigger: "axis",
        formatter: (at) => hover(`iteration ${at[0].value[0]}`, [`objective ${number(at[0].value[1], 6)}`]),
      },
      series: [
        {
          type: "line",
          data: points,
          showSymbol: points.length < 40,
          symbolSize: 5,
          lineStyle: { color: colour("observed"), width: 2 },
          itemStyle: { color: colour("observed") },
        },
      ],
    }),
    table: () => [["iteration", "objective"], points],
  });
  const terms = Object.entries(meta.objective_terms || {});
  if (terms.length)
    section.append(
      table(
        ["Term of the objective", "Meaning", "Final value"],
        terms.map(([name, value]) => [name, objective_terms[name] || "", number(value, 4)]),
        [2],
      ),
    );
}
