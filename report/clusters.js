"use strict";
// Clusters of samples, beside classes or numbers that played no part in them.

function test_words(name, test) {
  return `${name}: p = ${number(test.p, 2)}, chi-square ${number(test.statistic, 3)} with ${plural(test.degrees, "degree")} of freedom`;
}

function clusters_section(section, data) {
  const { groups, classes, kruskal_wallis, label_name, graph, notices } = data.clusters;
  for (const notice of notices) section.append(element("p", { class: "warning serious" }, element("b", {}, "Warning:"), named(notice)));
  if (graph && !missing(data.clusters.stability))
    section.append(
      element(
        "p",
        {},
        `${plural(groups.length, "cluster")} found without labels (`,
        named(graph),
        `). Clusters of two random subsets of the samples agree to ${data.clusters.stability.toFixed(2)} (adjusted Rand index)`,
        missing(data.clusters.reference)
          ? "."
          : `; cut from samples without clusters they would agree to ${data.clusters.reference.toFixed(2)}.`,
      ),
    );
  if (classes)
    section.append(
      element(
        "p",
        {},
        "Samples of each class of ",
        named(label_name),
        ` by cluster: normalised mutual information ${decimals(data.clusters.nmi)}, adjusted Rand index ${decimals(data.clusters.ari)}. The classes played no part in the clusters.`,
      ),
    );
  if (kruskal_wallis)
    section.append(
      element(
        "p",
        {},
        named(label_name),
        kruskal_wallis.degrees
          ? ` by cluster: ${percent(data.clusters.eta2, 0)} of its variance is between clusters (${test_words("Kruskal-Wallis test", kruskal_wallis)}).`
          : " by cluster: there is one cluster, nothing to compare.",
      ),
    );
  const sure = groups.every((group) => !missing(group.strength)),
    strengths = sure ? ["Mean strength", "Weakest"] : [];
  const columns = classes || (kruskal_wallis ? ["With a number", "Median"] : []);
  const cells = (group) =>
    classes
      ? group.counts.map((count) => number(count))
      : kruskal_wallis
        ? [number(group.with_number), number(group.median, 4)]
        : [];
  section.append(
    table(
      ["Cluster", "Samples", ...strengths, ...columns.map((text) => (text === "" ? "(no name)" : text))],
      groups.map((group) => [
        named(group.name),
        number(group.samples),
        ...(sure ? [group.strength.toFixed(2), group.weakest.toFixed(2)] : []),
        ...cells(group),
      ]),
      [1, ...strengths, ...columns].map((_, k) => k + 1),
    ),
  );
  if (sure)
    section.append(
      element(
        "p",
        { class: "small" },
        "Strength of a sample: the mean share of random subsets in which it is with the others of its cluster; 1 = always.",
      ),
    );
}
