plot.mkc_completion <- function(x, what = c("missingness", "kernels", "quality"), view = NULL, ...) {
  what <- match.arg(what)
  switch(what,
    missingness = plot_missingness(x, ...),
    kernels = plot_kernels(x, view, ...),
    quality = plot_quality(x, ...)
  )
  invisible(x)
}

# Samples by views, those with the same views together.
plot_missingness <- function(x, ...) {
  seen <- x$observed
  seen <- seen[do.call(order, c(lapply(seq_len(ncol(seen)), function(m) !seen[, m]))), , drop = FALSE]
  graphics::image(seq_len(nrow(seen)), seq_len(ncol(seen)), seen[, rev(seq_len(ncol(seen))), drop = FALSE] + 0,
    zlim = c(0, 1), col = c("#d95f4c", "#dfe6ec"), xlab = "samples", ylab = "", yaxt = "n",
    main = "observed (grey) and completed (red)", ...)
  graphics::axis(2, seq_len(ncol(seen)), rev(colnames(seen)), las = 1)
  graphics::abline(h = seq_len(ncol(seen) - 1) + 0.5, col = "white")
}

# Completed kernels; the samples that lack the view come last.
plot_kernels <- function(x, view = NULL, ...) {
  views <- if (is.null(view)) x$views else view
  columns <- ceiling(sqrt(length(views)))
  before <- graphics::par(mfrow = c(ceiling(length(views) / columns), columns), mar = c(1, 1, 3, 1))
  on.exit(graphics::par(before))
  for (name in views) {
    K <- one_view(x$kernels, name)
    order <- order(!x$observed[, name])
    n <- length(order)
    graphics::image(seq_len(n), seq_len(n), K[order, rev(order)], col = grDevices::hcl.colors(64, "YlGnBu", rev = TRUE),
      xlab = "", ylab = "", xaxt = "n", yaxt = "n", main = name, asp = 1, ...)
    seen <- sum(x$observed[, name])
    if (seen < n) graphics::abline(v = seen + 0.5, h = n - seen + 0.5, col = "#d95f4c")
  }
}

# Estimated errors of completed rows, beside the error of the average row.
plot_quality <- function(x, ...) {
  if (is.null(x$quality))
    fail("this completion has no error estimates", hint = "complete with quality = TRUE, or with method = \"auto\"")
  view <- factor(x$quality$view, x$views)
  graphics::boxplot(split(x$quality$relative_error, view), ylab = "estimated relative error of completed rows",
    col = "#dfe6ec", ...)
  if (!is.null(x$worth))
    graphics::points(seq_along(x$views), x$worth$average_row_error, pch = 4, col = "#d95f4c", lwd = 2)
  graphics::mtext("cross: error of the average row", side = 3, cex = 0.8)
}

plot.mkc_evaluation <- function(x, ...) {
  means <- tapply(x$trials$are, x$trials[c("repeat", "method")], mean)
  means <- means[, x$summary$method[x$summary$method %in% colnames(means)], drop = FALSE]
  graphics::boxplot(as.data.frame(means), ylab = "error of hidden rows in %", las = 2, col = "#dfe6ec", ...)
  invisible(x)
}
