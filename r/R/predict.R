predict.mkc_completion <- function(object, newdata, samples_in = NULL, kind = NULL, ids = NULL, match_rows = FALSE,
                                   threads = 1, verbose = TRUE, ...) {
  if (is.null(object$model))
    fail("this completion has no model of its views",
      hint = "complete_views(model = TRUE) keeps one; results of the tool are used with 'mkc predict'")
  views <- named_views(newdata)
  unknown <- setdiff(names(views), object$views)
  if (length(unknown))
    fail("the completion has no view '", unknown[[1]], "'",
      hint = paste("its views are", paste(object$views, collapse = ", ")))
  trained <- vapply(object$model, `[[`, "", "samples_in")
  sides <- per_view(samples_in, names(views), "samples_in")
  kinds <- per_view(kind, names(views), "kind")
  tables <- lapply(names(views), function(name) {
    side <- if (is.null(sides[[name]])) trained[[match(name, object$views)]] else sides[[name]]
    read <- c(samples_in = side, replicates = "error", zero_rows = "values", na_features = "error")
    table_of(name, views[[name]], kinds[[name]], character(), read)
  })
  rule <- if (!is.null(ids)) ids else if (object$ids == "auto") "exact" else object$ids
  options <- list(ids = one_text(rule, "ids"), match_rows = flag(match_rows, "match_rows"),
    threads = thread_count(threads))
  found <- checked(.Call(.predict_samples, unclass(object), tables, options))
  tell(found$notices, verbose)
  both <- list(found$samples, object$views)
  observed <- `dimnames<-`(found$observed, both)
  rows <- lapply(found$rows, `dimnames<-`, list(found$samples, object$samples))
  structure(class = "mkc_prediction", list(
    rows = stats::setNames(rows, object$views), observed = observed,
    diagonals = `dimnames<-`(found$diagonals, both), quality = quality_table(found, observed), notices = found$notices
  ))
}

print.mkc_prediction <- function(x, ...) {
  cat(sprintf("Kernel rows of %d new samples against %d training samples\n", nrow(x$observed), ncol(x$rows[[1]])))
  given <- colSums(x$observed)
  errors <- tapply(x$quality$relative_error, factor(x$quality$view, names(x$rows)), mean)
  print(data.frame(
    view = names(x$rows), given = given, predicted = nrow(x$observed) - given,
    expected_error = ifelse(is.na(errors), "-", sprintf("%.1f %%", 100 * errors)), row.names = NULL
  ), row.names = FALSE)
  invisible(x)
}
