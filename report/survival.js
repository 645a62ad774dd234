"use strict";
// Kaplan-Meier curves of clusters, and the log-rank test between them.

const enough_expected = 5; // events per group, for the chi-square distribution

// Corners of the steps: the share without event from each event on, up to the last time of the group.
function survival_steps(curve) {
  const last = curve.ends.length ? curve.ends[curve.ends.length - 1] : 0;
  const end = curve.share.length ? curve.share[curve.share.length - 1] : 1;
  return [[0, 1], ...curve.times.map((time, k) => [time, curve.share[k]]), [last, end]];
}

// Where the curve is at a time.
function share_at(curve, time) {
  const before = curve.times.filter((one) => one <= time).length;
  return before ? curve.share[before - 1] : 1;
}

// 0 and at most six more round times up to the last.
function round_times(groups) {
  const last = Math.max(1e-9, ...groups.flatMap((curve) => curve.ends.slice(-1)));
  const power = 10 ** Math.floor(Math.log10(last / 6));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => last / size <= 6.001);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, k) => Number((k * step).toPrecision(6)));
}

function survival_verdict({ log_rank, groups }) {
  if (!log_rank.degrees) return groups.length > 1 ? "Only one cluster has survival times: nothing to compare." : "";
  const words = test_words("log-rank test", log_rank);
  if (log_rank.p < 0.01) return `Survival differs between the clusters (${words}).`;
  if (log_rank.p < 0.05) return `Survival may differ between the clusters (${words}).`;
  return `No difference in survival between the clusters was found (${words}).`;
}

// What to know before the p-value is used.
function survival_notes({ log_rank, groups, left_out }) {
  const few = groups.filter((curve) => curve.samples && curve.expected_events < enough_expected);
  return [
    log_rank.degrees
      ? "mkc cluster does not see survival times, so the test is fair for one clustering. The smallest p of several clusterings is not: confirm it on other samples."
      : "",
    log_rank.degrees && few.length
      ? `p is approximate: fewer than ${enough_expected} events are expected in ${few.map((curve) => curve.name).join(", ")}.`
      : "",
    left_out ? `${plural(left_out, "sample")} without survival time left out.` : "",
  ].filter(Boolean);
}

function survival_section(section, data) {
  const { groups, unit } = data.survival;
  const verdict = survival_verdict(data.survival);
  if (verdict) section.append(element("p", {}, verdict));
  for (const note of survival_notes(data.survival)) section.append(element("p", { class: "small" }, note));
  const line = (curve, k) => ({
    type: "line",
    name: curve.name,
    step: "end",
    data: survival_steps(curve),
    symbolSize: 3,
    lineStyle: { color: category(k), width: 2 },
    itemStyle: { color: category(k) },
  });
  const ticks = (curve, k) => ({
    type: "scatter",
    name: curve.name,
    symbol: "rect",
    symbolSize: [1.5, 10],
    itemStyle: { color: category(k) },
    data: curve.censored.map((time) => [time, share_at(curve, time)]),
  });
  add_figure(section, {
    id: "survival",
    title: groups.length > 1 ? "Survival of the clusters" : "Survival of all samples",
    height: 360,
    zoom: {},
    label: `Share of samples without event over time, one line per cluster. ${verdict}`,
    caption:
      "Kaplan-Meier estimates: the share of samples without event after each time. A tick marks the last time at which a sample was known to be without event (censored).",
    option: () => ({
      legend: legend({ icon: "roundRect", itemHeight: 4, data: groups.map((curve) => ({ name: curve.name })) }),
      grid: { left: 58, right: 16, top: 36, bottom: 44 },
      xAxis: axis({ type: "value", min: 0, name: cut(unit, 40) }),
      yAxis: percent_axis({ max: 1, name: "without event", nameGap: 44 }),
      tooltip: {
        formatter: (at) => {
          const curve = groups[at.seriesIndex % groups.length];
          return hover(named(cut(curve.name, 40)), [
            element("span", {}, named(cut(unit, 40)), ` ${number(at.value[0], 4)}`),
            `${percent(at.value[1])} without event`,
          ]);
        },
      },
      series: [...groups.map(line), ...groups.map(ticks)],
    }),
    table: () => [
      ["cluster", unit, "share_without_event", "censored"],
      groups.flatMap((curve) => [
        ...survival_steps(curve).map(([time, share]) => [curve.name, time, share, 0]),
        ...curve.censored.map((time) => [curve.name, time, share_at(curve, time), 1]),
      ]),
    ],
  });
  const times = round_times(groups);
  const at_risk = (curve, time) => number(curve.ends.filter((end) => end >= time).length);
  section.append(
    element("h3", {}, "Samples at risk, by time"),
    table(
      ["Cluster", ...times.map((time) => number(time, 6))],
      groups.map((curve) => [named(curve.name), ...times.map((time) => at_risk(curve, time))]),
      times.map((_, k) => k + 1),
    ),
    element("h3", {}, "Events and median survival"),
    table(
      ["Cluster", "Samples", "Events", "Expected if all were alike", "Median survival"],
      groups.map((curve) => [
        named(curve.name),
        number(curve.samples),
        number(curve.events),
        number(curve.expected_events, 3),
        missing(curve.median) ? "not reached" : number(curve.median, 4),
      ]),
      [1, 2, 3, 4],
    ),
    element("p", { class: "small" }, "Median survival: the time after which at most half of the samples are without event."),
  );
}
