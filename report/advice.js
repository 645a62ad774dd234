"use strict";
// The page of `mkc advise`: which missing pairs to measure next.

function advice_summary(main, data) {
  const { advice } = data;
  const what = advice.of_labels ? "error of the label model" : "error of all completed rows";
  opening(
    main,
    data,
    `${plural(advice.missing, "pair")} of sample and view ${advice.missing === 1 ? "is" : "are"} missing; ${advice.candidates.toLocaleString("en")} of them can be measured.`,
  );
  cards(main, [
    [number(advice.error, 4), `expected ${what} now, summed`],
    [number(advice.after, 4), `after the ${plural(advice.within, "assay")} within the budget`],
    [number(advice.spent, 4), "money for them"],
    advice.enough
      ? [number(advice.enough.assays), `assays, after which more pay clearly less (money ${number(advice.enough.money, 4)})`]
      : ["–", "no point where more assays pay clearly less"],
  ]);
  warnings(main, data);
  main.append(
    table(
      ["View", "Candidates", "Within the budget", "Mean gain", "Mean value of an observed assay"],
      advice.views.map(([name, ...figures]) => [named(name), ...figures.map((value) => number(value))]),
      [1, 2, 3, 4],
    ),
    element(
      "p",
      { class: "small" },
      `Expected effects were set on ${plural(advice.hidden_rows, "observed row")} that were hidden. They hold if assays are missing at random and costs add up.`,
    ),
  );
}

function ranking_section(section, data) {
  const { ranking, candidates } = data.advice;
  section.append(
    element(
      "p",
      {},
      "Own: the expected error of the row itself. Same sample: what the sample's other completed rows gain from one more view. Others: what rows of other samples gain.",
      ranking.length < candidates ? ` The first ${ranking.length} of ${candidates.toLocaleString("en")} are shown.` : "",
    ),
    table(
      ["Rank", "Sample", "View", "Cost", "Gain", "Own", "Same sample", "Others", "Budget"],
      ranking.map(([sample, view, cost, gain, own, same, others, within], k) => [
        String(k + 1),
        named(sample),
        named(view),
        ...[cost, gain, own, same, others].map((value) => number(value)),
        within ? "within" : "",
      ]),
      [0, 3, 4, 5, 6, 7],
    ),
  );
}

function money_section(section, data) {
  const { curve, enough, spent } = data.advice;
  const points = curve.money.map((money, k) => [money, curve.error[k], curve.assays[k]]);
  const marks = enough ? [{ name: "enough", xAxis: enough.money, yAxis: enough.error }] : [];
  add_figure(section, {
    id: "money",
    title: "Expected error over money",
    height: 320,
    zoom: {},
    label: `From ${number(points[0][1], 4)} to ${number(points[points.length - 1][1], 4)}.`,
    caption: `The ranked assays one after the other.${enough ? " The mark is where the curve is farthest below a straight line: before it an assay saves more than average, after it less." : ""}${spent < points[points.length - 1][0] ? " The dashed line is the budget." : ""}`,
    option: () => ({
      grid: { left: 66, right: 16, top: 16, bottom: 44 },
      xAxis: axis({ type: "value", min: 0, max: "dataMax", name: "money" }),
      yAxis: axis({ type: "value", min: 0, axisLabel: { formatter: (value) => number(value, 4) } }),
      tooltip: {
        trigger: "axis",
        formatter: (at) =>
          hover(`money ${number(at[0].value[0], 4)}`, [
            plural(at[0].value[2], "assay"),
            `expected error ${number(at[0].value[1], 4)}`,
          ]),
      },
      series: [
        {
          type: "line",
          data: points,
          showSymbol: points.length < 40,
          symbolSize: 5,
          lineStyle: { color: colour("observed"), width: 2 },
          itemStyle: { color: colour("observed") },
          markPoint: {
            data: marks.map(({ xAxis, yAxis }) => ({ coord: [xAxis, yAxis] })),
            symbol: "diamond",
            symbolSize: 14,
            label: { show: false },
            itemStyle: { color: colour("completed") },
          },
          markLine:
            spent < points[points.length - 1][0]
              ? {
                  data: [{ xAxis: spent }],
                  symbol: "none",
                  label: { show: false },
                  lineStyle: { color: colour("completed"), type: [4, 4] },
                }
              : undefined,
        },
      ],
    }),
    table: () => [["money", "expected_error", "assays"], points],
  });
}

function told_section(section, data) {
  section.append(
    element(
      "p",
      {},
      "Observed pairs whose loss would add least to the error per unit of cost, the least first: candidates to leave out of the next study. A sample's only assay is not listed.",
    ),
    table(
      ["Sample", "View", "Value"],
      data.advice.observed.map(([sample, view, value]) => [named(sample), named(view), number(value)]),
      [2],
    ),
  );
}

function advice_sections(data) {
  return [
    { id: "ranking", title: "What to measure next", fill: ranking_section },
    { id: "curve", title: "How much is enough", fill: money_section },
    { id: "samples", title: "Samples", fill: map_section, when: data.map },
    { id: "told", title: "What told least", fill: told_section, when: data.advice.observed.length },
  ];
}
