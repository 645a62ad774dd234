"use strict";
// The samples in the plane of the two leading kernel principal components.

// A colour scale for the numbers of the samples; samples without one are plain.
function number_series(map) {
  const rows = map.name.map((_, i) => i);
  const series = (name, kept, more) => ({
    type: "scatter",
    name,
    symbolSize: map.name.length > 1500 ? 4 : 7,
    data: rows.filter(kept).map((i) => [map.x[i], map.y[i], i, map.values[i]]),
    ...more,
  });
  const known = map.values.filter((value) => !missing(value));
  return {
    visualMap: {
      type: "continuous",
      seriesIndex: 0,
      dimension: 3,
      min: Math.min(...known),
      max: Math.max(...known),
      text: ["", cut(map.label_name, 30)],
      formatter: (value) => number(value, 4),
      calculable: true,
      orient: "horizontal",
      left: 0,
      top: 0,
      itemWidth: 10,
      itemHeight: 120,
      textStyle: { color: colour("soft-ink") },
      inRange: { color: [1, 2, 3, 4].map((k) => colour(`scale-${k}`)) },
    },
    series: [
      series(map.label_name, (i) => !missing(map.values[i]), {}),
      series(map.none_name || "no label", (i) => missing(map.values[i]), {
        symbol: "triangle",
        itemStyle: { color: colour("plain"), opacity: 0.6 },
      }),
    ],
  };
}

function number_words(map, i) {
  if (missing(map.values[i])) return map.none_name || "no label";
  const event = map.events ? (map.events[i] ? ", event" : ", censored") : "";
  return element("span", {}, named(cut(map.label_name, 40)), ` ${number(map.values[i], 4)}${event}`);
}

function map_section(section, data) {
  const map = data.map,
    numbers = Boolean(map.values) && map.values.some((value) => !missing(value)),
    labelled = Boolean(map.classes),
    views = data.meta.n_views;
  const group_of = map.name.map((_, i) => (labelled ? map.class_of[i] : map.missing[i]));
  const groups = labelled
    ? [...map.classes.keys(), -1].filter((k) => group_of.includes(k))
    : [...new Set(map.missing)].sort((a, b) => a - b);
  const group_name = (k) =>
    labelled
      ? k < 0
        ? "no label"
        : map.classes[k] || "(no name)"
      : k === 0
        ? "in all views"
        : `lacks ${plural(k, "view")}`;
  const shade = (k) =>
    labelled
      ? k < 0
        ? colour("plain")
        : category(k)
      : k === 0
        ? colour("observed")
        : k === 1
          ? colour("completed")
          : category([3, 4, 2, 6, 7][(k - 2) % 5]);
  const [first, second] = map.shares;
  add_figure(section, {
    id: "map",
    title: "Samples in the plane of the two leading components",
    height: narrow() ? 380 : 480,
    zoom: {},
    renderer: map.name.length > 1500 ? "canvas" : "svg",
    label: `Kernel principal components of the sum of all completed kernels, which explain ${percent(first, 0)} and ${percent(second, 0)} of the variance.`,
    caption: `Kernel PCA of the sum of all completed kernels, each scaled to variance one. ${numbers ? `Colours show ${map.label_name}${map.events ? ", the times of events and of censored samples" : ""}.` : labelled ? `Colours show the ${map.shows_clusters ? "clusters" : "labels"}.` : "Colours show how many views a sample lacks and should mix. A separate cluster of samples that lack views suggests an artefact of completion."}${map.name.length < map.n_samples ? ` ${map.name.length.toLocaleString("en")} of ${map.n_samples.toLocaleString("en")} samples are shown.` : ""}`,
    option: () => ({
      legend: numbers ? undefined : legend({ itemWidth: 10, itemHeight: 10 }),
      grid: { left: 52, right: 16, top: numbers ? 50 : 36, bottom: 44 },
      xAxis: axis({
        type: "value",
        scale: true,
        name: `component 1 (${percent(first, 0)})`,
        axisLabel: { formatter: (value) => number(value, 3) },
      }),
      yAxis: axis({
        type: "value",
        scale: true,
        name: `component 2 (${percent(second, 0)})`,
        nameGap: 36,
        axisLabel: { formatter: (value) => number(value, 3) },
      }),
      tooltip: {
        formatter: (at) => {
          const i = at.value[2];
          return hover(named(map.name[i]), [
            numbers ? number_words(map, i) : labelled ? named(group_name(group_of[i])) : "",
            map.missing[i] ? `lacked ${map.missing[i]} of ${plural(views, "view")}` : "observed in all views",
          ]);
        },
      },
      series: groups.map((k, at) => ({
        type: "scatter",
        name: group_name(k),
        symbol: symbols[at % symbols.length],
        symbolSize: map.name.length > 1500 ? 4 : 7,
        data: map.name
          .map((_, i) => i)
          .filter((i) => group_of[i] === k)
          .map((i) => [map.x[i], map.y[i], i]),
        itemStyle: { color: shade(k), opacity: 0.75 },
      })),
      ...(numbers ? number_series(map) : {}),
    }),
    table: () => [
      ["sample", "component_1", "component_2", "views_missing", ...(numbers ? [map.label_name] : labelled ? ["label"] : [])],
      map.name.map((name, i) => [
        name,
        map.x[i],
        map.y[i],
        map.missing[i],
        ...(numbers ? [map.values[i]] : labelled ? [group_name(group_of[i])] : []),
      ]),
    ],
  });
}
