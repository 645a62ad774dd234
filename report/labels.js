"use strict";
// Scores of a classifier and of clustering on the completed kernels.

function labels_section(section, data) {
  const scores = records(data.labels),
    all = data.meta.methods.map((method) => method.method),
    labels = short_specs(all);
  section.append(
    element(
      "p",
      {},
      "A cross-validated support vector machine (SVM) and clustering on the sum of the completed kernels. complete_cases uses only the samples that have all views, without completion: where it is as accurate, completion did not help the classifier.",
    ),
  );
  const columns = element("div", { class: "pair" });
  section.append(columns);
  for (const [on, title] of [
    ["all", "SVM accuracy on all labelled samples"],
    ["complete", "SVM accuracy on samples that have all views"],
  ]) {
    const rows = all
      .map((name, k) => ({
        name,
        label: labels[k],
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
        measure: "accuracy",
        show: (value) => percent(value),
        chosen: (row) => !is_baseline(row.name) && row.name !== "complete_cases",
        caption: "Larger is better. One dot per repeat.",
      });
  }
  const own = data.meta.methods.filter((method) => method.labels_all || method.labels_complete);
  const value = (part, key) => (part ? spread(part[key], decimals) : "–");
  const middle = (part, key) => (part ? decimals(part[key].mean) : "–");
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
    element(
      "p",
      { class: "small" },
      "Mean ± standard deviation over repeats. Balanced: mean accuracy over the classes, so that small classes count as much as large ones. NMI (normalised mutual information) and ARI (adjusted Rand index): agreement of clusters and classes; 1 = identical, 0 = chance.",
    ),
  );
}
