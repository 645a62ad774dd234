kernels <- function(x, ...) UseMethod("kernels")

kernels.mkc_completion <- function(x, view = NULL, ...) if (is.null(view)) x$kernels else one_view(x$kernels, view)
kernels.mkc_prediction <- function(x, view = NULL, ...) if (is.null(view)) x$rows else one_view(x$rows, view)

one_view <- function(kernels, view) {
  view <- one_text(view, "view")
  if (!view %in% names(kernels))
    fail("there is no view '", view, "'", hint = paste("the views are", paste(names(kernels), collapse = ", ")))
  kernels[[view]]
}

summary.mkc_completion <- function(object, ...) {
  observed <- colSums(object$observed)
  table <- data.frame(
    view = object$views, observed = observed, completed = length(object$samples) - observed, row.names = NULL
  )
  if (!is.null(object$inputs)) table$kernel <- object$inputs$kernel
  if (!is.null(object$worth)) {
    table$error <- object$worth$held_out_error
    table$average_row <- object$worth$average_row_error
    table$recovered <- object$worth$recovered
    table$verdict <- object$worth$verdict
  }
  patterns <- table(apply(object$observed, 1, function(here) paste(object$views[here], collapse = " + ")))
  weights <- object$candidates
  if (!is.null(weights)) weights <- weights[weights$weight > 0, c("candidate", "view", "weight", "held_out_error")]
  structure(class = "summary.mkc_completion", list(
    views = table, patterns = sort(patterns, decreasing = TRUE), mixture = weights, title = title_of(object),
    notices = object$notices
  ))
}

title_of <- function(x) {
  status <- if (x$status == "converged") "" else paste0(" (", x$status, ")")
  sprintf("Completion of %d samples in %d views by '%s'%s", length(x$samples), length(x$views), x$method, status)
}

print.mkc_completion <- function(x, ...) {
  cat(title_of(x), "\n", sep = "")
  print_views(summary(x)$views)
  invisible(x)
}

print_views <- function(table) {
  shares <- intersect(c("error", "average_row", "recovered"), names(table))
  table[shares] <- lapply(table[shares], function(values) ifelse(is.na(values), "-", sprintf("%.1f %%", 100 * values)))
  print(table, row.names = FALSE)
  if (length(shares))
    cat("error: relative error of rows that were hidden and completed; average_row: that of the average row;\n",
      "recovered: share of what distinguishes rows (R^2 of centred rows)\n", sep = "")
}

print.summary.mkc_completion <- function(x, ...) {
  cat(x$title, "\n\n", sep = "")
  print_views(x$views)
  cat("\nsamples by the views they have:\n")
  for (pattern in names(x$patterns)) cat(sprintf("  %5d  %s\n", x$patterns[[pattern]], pattern))
  if (!is.null(x$mixture) && nrow(x$mixture)) {
    cat("\nmixture:\n")
    print(x$mixture, row.names = FALSE, digits = 3)
  }
  for (notice in x$notices) cat("note: ", in_r(notice), "\n", sep = "")
  invisible(x)
}
