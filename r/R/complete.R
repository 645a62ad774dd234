complete_views <- function(views, method = "auto", ...) UseMethod("complete_views")

complete_views.default <- function(views, method = "auto", ..., kernel = "auto",
                                   samples_in = c("auto", "rows", "columns"), kind = NULL, ids = "auto",
                                   match_rows = FALSE, sample_map = NULL, replicates = "error", zero_rows = "auto",
                                   na_features = "error", samples = "union", normalize = "none", center = FALSE,
                                   psd = "error", quality = FALSE, fitted = FALSE, seed = 0, threads = 1,
                                   model = TRUE, verbose = TRUE, progress = interactive(), callback = NULL) {
  text <- method_text(method, list(...))
  if (missing(samples_in)) samples_in <- "auto"
  run <- list(
    quality = flag(quality, "quality"), fitted = flag(fitted, "fitted"),
    seed = whole_number(seed, "seed", high = 2^53), threads = thread_count(threads)
  )
  problem <- assembled(views, kernel, samples_in, kind, ids, match_rows, sample_map, replicates, zero_rows,
    na_features, samples, normalize, center, psd, model, verbose = verbose)
  shower <- shower(progress, callback)
  found <- tryCatch(checked(.Call(.complete_problem, problem$problem, text, run, shower$hear)), finally = shower$end())
  result <- completion(found, problem, run$seed, ids)
  for (text in result$warnings) warning(in_r(text), call. = FALSE)
  if (result$status == "max_iterations")
    warning("not converged after ", result$iterations, " iterations (relative residual ",
      signif(result$residual, 2), ")", call. = FALSE)
  tell(result$notices, verbose)
  result
}

complete_views.MultiAssayExperiment <- function(views, method = "auto", ..., assay_index = 1) {
  with_assays(views, assay_index, function(...) complete_views.default(method = method, ...), ...)
}

# Calls with the assays, samples in columns, and the sampleMap, where they are not given otherwise.
with_assays <- function(experiment, assay_index, call, ...) {
  if (!requireNamespace("MultiAssayExperiment", quietly = TRUE))
    fail("the package MultiAssayExperiment is needed to read its objects")
  given <- list(...)
  given$views <- lapply(as.list(MultiAssayExperiment::experiments(experiment)), assay_of, assay_index)
  if (is.null(given$samples_in)) given$samples_in <- "columns"
  if (is.null(given$sample_map)) given$sample_map <- as.data.frame(MultiAssayExperiment::sampleMap(experiment))
  do.call(call, given)
}

# What the library found as the result of R.
completion <- function(found, problem, seed, ids) {
  square <- list(problem$samples, problem$samples)
  views <- problem$views
  kernels <- stats::setNames(lapply(found$kernels, `dimnames<-`, square), views)
  if (!is.null(found$relations)) dimnames(found$relations) <- list(views, views)
  if (!is.null(found$uncertainty)) dimnames(found$uncertainty) <- list(problem$samples, views)
  about <- .Call(.about)
  structure(class = "mkc_completion", list(
    kernels = kernels, samples = problem$samples, views = views, observed = problem$observed,
    method = found$method, parameters = found$parameters, seed = seed, status = found$status,
    iterations = found$iterations, objective = found$objective, residual = found$residual,
    relations = found$relations, uncertainty = found$uncertainty,
    quality = quality_table(found$quality, problem$observed), worth = worth_table(found$quality, views),
    candidates = candidate_table(found$candidates, views), inputs = problem$summaries, seconds = found$seconds,
    notices = found$notices, warnings = found$warnings, ids = ids, model = found$model,
    version = about$version, blas = about$blas
  ))
}

# One row per completed (sample, view), view by view.
quality_table <- function(quality, observed) {
  if (is.null(quality)) return(NULL)
  place <- which(!observed, arr.ind = TRUE)
  high <- quality$high[place]
  data.frame(
    sample = rownames(observed)[place[, 1]], view = colnames(observed)[place[, 2]],
    observed_views = as.integer(rowSums(observed))[place[, 1]], relative_error = quality$error[place],
    low = quality$low[place], high = high, interval = ifelse(high <= 1, "known", "unknown"), row.names = NULL
  )
}

worth_table <- function(quality, views) {
  if (is.null(quality)) return(NULL)
  kept <- c(
    "held_out_error", "average_row_error", "mean_of_others_error", "recovered", "recovered_standard_error",
    "hidden_samples", "verdict"
  )
  data.frame(view = views, quality[kept])
}

candidate_table <- function(candidates, views) {
  if (length(candidates) == 0) return(NULL)
  of_views <- function(values, none) if (length(values)) values else rep(none, length(views))
  do.call(rbind, lapply(candidates, function(one) {
    data.frame(
      candidate = one$candidate, view = views, weight = of_views(one$weights, 0),
      held_out_error = of_views(one$held_out_errors, NA_real_), seconds = one$seconds, skipped = one$skipped
    )
  }))
}

compute_kernels <- function(views, kernel = "auto", ...) UseMethod("compute_kernels")

compute_kernels.default <- function(views, kernel = "auto", ..., samples_in = "auto", kind = NULL, ids = "auto",
                                    match_rows = FALSE, sample_map = NULL, replicates = "error", zero_rows = "auto",
                                    na_features = "error", verbose = TRUE) {
  if (...length()) fail("unknown argument '", names(list(...))[[1]], "'", class = "mkc_option_error")
  problem <- assembled(views, kernel, samples_in, kind, ids, match_rows, sample_map, replicates, zero_rows,
    na_features, unchecked = TRUE, verbose = verbose)
  found <- checked(.Call(.kernels_of_views, problem$problem))
  kernels <- lapply(found, function(view) `dimnames<-`(view$kernel, list(view$samples, view$samples)))
  stats::setNames(kernels, problem$views)
}

compute_kernels.MultiAssayExperiment <- function(views, kernel = "auto", ..., assay_index = 1) {
  with_assays(views, assay_index, function(...) compute_kernels.default(kernel = kernel, ...), ...)
}
