# Views to a problem: aligned by sample, features turned into kernels, all checked.

assembled <- function(views, kernel = "auto", samples_in = "auto", kind = NULL, ids = "auto", match_rows = FALSE,
                      sample_map = NULL, replicates = "error", zero_rows = "auto", na_features = "error",
                      samples = "union", normalize = "none", center = FALSE, psd = "error", model = FALSE,
                      unchecked = FALSE, verbose = TRUE) {
  given <- tables_of(views, kind, kernel, samples_in, replicates, zero_rows, na_features)
  listed <- !identical(samples, "union") && !identical(samples, "intersection")
  options <- list(
    ids = one_text(ids, "ids"), match_rows = flag(match_rows, "match_rows"), sample_map = sample_map_of(sample_map),
    samples = if (listed) as.character(samples), intersection = identical(samples, "intersection"),
    normalize = one_text(normalize, "normalize"), center = flag(center, "center"), psd = one_text(psd, "psd"),
    keep_recipes = flag(model, "model"), unchecked = unchecked, common = given$common
  )
  problem <- checked(.Call(.assemble_views, given$tables, options))
  dimnames(problem$observed) <- list(problem$samples, problem$views)
  problem$summaries <- as.data.frame(problem$summaries)
  tell(c(problem$notices, sides(problem$summaries)), verbose)
  problem
}

# Where the samples were found, where there was a choice.
sides <- function(summaries) {
  turned <- summaries$samples_in == "columns" & summaries$because != ""
  sprintf("view '%s': samples are in columns: %s", summaries$view[turned], summaries$because[turned])
}
