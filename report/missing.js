"use strict";
// Which samples have which views.

function swatch(name, text) {
  return element(
    "span",
    {},
    element("i", { class: "ramp", style: `width:1.1rem;background:var(--${name})` }),
    text,
  );
}

function missingness_section(section, data) {
  const part = data.missingness,
    views = data.meta.views,
    n = data.meta.n_samples;
  const shares = part.observed.map((text) => Array.from(bytes(text), (level) => level / 255));
  const cells = shares.flatMap((row, m) => row.map((share, group) => [group, m, share]));
  section.append(
    element(
      "p",
      {},
      `Each column is ${part.last ? "a group of samples" : "a sample"}, each row a view. Samples with the same views are next to each other. Right: the share of samples that have the view.`,
    ),
  );
  add_figure(section, {
    id: "missing",
    title: "Observed and missing views",
    height: 62 + views.length * Math.max(14, Math.min(30, 360 / views.length)),
    renderer: cells.length > 4000 ? "canvas" : "svg",
    zoom: { yAxisIndex: "none" },
    label: views.map((view) => `${view.name}: ${view.missing} of ${n} missing`).join("; "),
    key: element(
      "div",
      { class: "key" },
      swatch("observed", "observed"),
      swatch("completed", "missing, completed by mkc"),
    ),
    option: (width) => ({
      grid: { left: name_room(), right: 58, top: 4, bottom: 34 },
      xAxis: axis({
        type: "category",
        data: shares[0].map((_, group) => group),
        axisLabel: { show: false },
        name: plural(n, "sample"),
        nameGap: 10,
      }),
      yAxis: [
        name_axis(views.map((view) => view.name)),
        end_axis(views.map((view) => percent(view.observed / n, 0))),
      ],
      visualMap: {
        show: false,
        min: 0,
        max: 1,
        dimension: 2,
        inRange: { color: [colour("completed"), colour("observed")] },
      },
      tooltip: {
        formatter: (at) => {
          const [group, m, share] = at.value;
          return hover(named(views[m].name), [
            named(samples_name(part, group, n)),
            share === 1 ? "observed" : share === 0 ? "missing" : `${percent(share, 0)} observed`,
          ]);
        },
      },
      series: [
        {
          type: "heatmap",
          data: cells,
          progressive: 0,
          itemStyle: { borderColor: colour("paper"), borderWidth: width / part.cells > 5 ? 0.5 : 0 },
          emphasis: { disabled: true },
        },
        right_end,
      ],
    }),
    table: () => [
      ["samples", "view", "observed_share"],
      cells.map(([group, m, share]) => [samples_name(part, group, n), views[m].name, Number(share.toFixed(3))]),
    ],
  });
  if (views.length <= 30 && part.patterns.length > 1)
    section.append(
      element(
        "h3",
        {},
        part.n_patterns > part.patterns.length
          ? `The ${part.patterns.length} most frequent of ${part.n_patterns} patterns`
          : "Patterns",
      ),
      table(
        ["Views", "Samples", "Missing"],
        part.patterns.map((pattern) => {
          const lacking = views
            .filter((_, m) => pattern.views[m] === "0")
            .flatMap((view, i) => [i ? ", " : "", named(view.name)]);
          return [
            element(
              "span",
              {
                class: "dots",
                role: "img",
                "aria-label": `${Array.from(pattern.views).filter((mark) => mark === "1").length} of ${views.length} views`,
              },
              pattern.views.replace(/1/g, "●").replace(/0/g, "○"),
            ),
            number(pattern.samples),
            lacking.length ? element("span", {}, lacking) : "none",
          ];
        }),
        [1],
      ),
    );
}
