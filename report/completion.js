"use strict";
// The sections of a report of `mkc complete`.

function completion_sections(data) {
  return [
    { id: "missing-views", title: "Missing views", fill: missingness_section },
    { id: "kernels", title: "Kernels", fill: kernels_section },
    { id: "eigenvalues", title: "Eigenvalues", fill: spectra_section },
    {
      id: "views",
      title: "Relations and methods",
      fill: relations_section,
      when: data.relations || (data.meta.candidates || []).length,
    },
    {
      id: "trust",
      title: "Reliability",
      fill: trust_section,
      when: data.missing_pairs > 0 && (data.errors || data.uncertainty),
    },
    {
      id: "iterations",
      title: "Convergence",
      fill: convergence_section,
      when: data.convergence && data.convergence.objective.filter((value) => !missing(value)).length > 1,
    },
    { id: "samples", title: "Samples", fill: map_section },
    { id: "clusters", title: "Clusters", fill: clusters_section, when: data.clusters },
    { id: "survival", title: "Survival", fill: survival_section, when: data.survival },
  ];
}
