evaluate <- function(views, methods = "auto", ...) UseMethod("evaluate")

evaluate.default <- function(views, methods = "auto", ..., repeats = 3, fraction = 0.15, mechanism = "pattern",
                             views_missing = 0, quality = FALSE, seed = 0, threads = 1, verbose = TRUE,
                             progress = interactive(), callback = NULL) {
  plan <- list(
    methods = vapply(methods, method_text, "", list(), USE.NAMES = FALSE),
    mechanism = one_of(mechanism, c("pattern", "mcar"), "mechanism"),
    fraction = share_of(fraction), views_missing = as.integer(whole_number(views_missing, "views_missing")),
    repeats = as.integer(whole_number(repeats, "repeats", 1)), quality = flag(quality, "quality"),
    seed = whole_number(seed, "seed", high = 2^53)
  )
  problem <- assembled(views, ..., verbose = verbose)
  shower <- shower(progress, callback)
  found <- tryCatch(checked(.Call(.evaluate_methods, problem$problem, plan, thread_count(threads), shower$hear)),
    finally = shower$end())
  summary <- as.data.frame(found$summary)
  structure(class = "mkc_evaluation", list(
    summary = summary[order(summary$error), ], trials = as.data.frame(found$trials, check.names = FALSE), plan = plan,
    finished = found$finished, planned = found$planned
  ))
}

evaluate.MultiAssayExperiment <- function(views, methods = "auto", ..., assay_index = 1) {
  with_assays(views, assay_index, function(...) evaluate.default(methods = methods, ...), ...)
}

share_of <- function(fraction) {
  if (!is.numeric(fraction) || length(fraction) != 1 || is.na(fraction) || fraction <= 0 || fraction >= 1)
    fail("'fraction' must be a number between 0 and 1", class = "mkc_option_error")
  as.double(fraction)
}

print.mkc_evaluation <- function(x, ...) {
  cat(sprintf("%d of %d trials; observed rows were hidden and completed\n", x$finished, x$planned))
  shown <- x$summary[c("method", "error", "error_sd", "average_row_error", "recovered", "seconds")]
  shown$recovered <- 100 * shown$recovered
  shown[-1] <- lapply(shown[-1], signif, 3)
  print(shown, row.names = FALSE)
  for (i in which(x$summary$failure != "")) cat(x$summary$method[[i]], ": ", x$summary$failure[[i]], "\n", sep = "")
  cat("error: average relative error of the hidden rows in %; recovered in % of what distinguishes rows\n")
  invisible(x)
}
