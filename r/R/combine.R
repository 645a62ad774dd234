combine <- function(x, ...) UseMethod("combine")

combine.default <- function(x, weights = "mean", labels = NULL, label_type = "auto", scale = TRUE, ...) {
  given <- complete_kernels(x)
  chosen <- view_weights(given, weights, labels, label_type, scale)
  K <- checked(.Call(.combine_kernels, given$kernels, chosen, given$views, flag(scale, "scale")))
  dimnames(K) <- list(given$samples, given$samples)
  attr(K, "weights") <- stats::setNames(chosen, given$views)
  K
}

combine.mkc_prediction <- function(x, training, weights = "mean", labels = NULL, label_type = "auto", scale = TRUE,
                                   ...) {
  given <- complete_kernels(training)
  if (!identical(given$views, names(x$rows)))
    fail("the prediction has the views ", paste(names(x$rows), collapse = ", "), ", the training kernels ",
      paste(given$views, collapse = ", "))
  chosen <- view_weights(given, weights, labels, label_type, scale)
  # What each training kernel is multiplied with fits its new rows too.
  factors <- if (scale) chosen / vapply(given$kernels, kernel_variance, 0) else chosen
  Reduce(`+`, Map(`*`, factors, x$rows))
}

# tr(HKH) / N, the mean squared distance of a sample to the centre.
kernel_variance <- function(K) mean(diag(K)) - mean(K)

# Kernels of the same samples without gaps.
complete_kernels <- function(x) {
  list <- if (inherits(x, "mkc_completion")) x$kernels else named_views(x)
  first <- list[[1]]
  for (name in names(list)) {
    K <- list[[name]]
    if (!is.matrix(K) || !is.numeric(K) || nrow(K) != ncol(K))
      fail("view '", name, "': a kernel is a square matrix of numbers")
    if (nrow(K) != nrow(first) || !identical(rownames(K), rownames(first)))
      fail("views '", names(list)[[1]], "' and '", name, "' have different samples", hint = "complete_views() aligns them")
    if (!all(is.finite(K)))
      fail("view '", name, "': the kernel has missing or infinite entries", hint = "complete_views() completes it")
  }
  samples <- rownames(first)
  if (is.null(samples)) samples <- as.character(seq_len(nrow(first)))
  list(
    kernels = lapply(list, function(K) matrix(as.double(K), nrow(K))), views = names(list), samples = samples,
    relations = if (inherits(x, "mkc_completion")) x$relations
  )
}

# Weights >= 0; those of a rule sum to one.
view_weights <- function(given, weights, labels, label_type, scale) {
  n <- length(given$views)
  if (is.numeric(weights)) {
    if (!is.null(names(weights))) {
      found <- per_view(weights, given$views, "weights", 0)
      weights <- vapply(found, as.double, 0)
    }
    if (length(weights) != n || !all(is.finite(weights)) || any(weights < 0))
      fail("'weights': ", n, " numbers >= 0 are needed, one per view", class = "mkc_option_error")
    return(as.double(weights))
  }
  rule <- one_of(weights, c("mean", "relations", "alignment", "alignf"), "weights")
  if (rule == "mean") return(rep(1 / n, n))
  if (rule == "relations") {
    if (is.null(given$relations))
      fail("weights = \"relations\" needs the view relations",
        hint = "complete with embd_ht, app, sdp, transfer or latent", class = "mkc_option_error")
    return(unname(colMeans(given$relations)))
  }
  if (is.null(labels))
    fail("weights = \"", rule, "\" needs 'labels', those of the training samples", class = "mkc_option_error")
  texts <- label_texts(labels, given$samples, label_type)
  checked(.Call(.label_weights, given$kernels, texts, given$samples, rule, flag(scale, "scale")))
}

# Labels as texts in the order of the samples: a vector or factor, or two columns (time, event).
label_texts <- function(labels, samples, type) {
  columns <- if (is.data.frame(labels) || is.matrix(labels)) as.data.frame(labels) else data.frame(label = labels)
  names_of <- if (is.data.frame(labels) || is.matrix(labels)) rownames(labels) else names(labels)
  if (!is.null(names_of) && any(samples %in% names_of)) columns <- columns[match(samples, names_of), , drop = FALSE]
  if (nrow(columns) != length(samples))
    fail("there are ", nrow(columns), " labels for ", length(samples), " samples",
      hint = "labels with the names of samples are matched by name")
  texts <- lapply(columns, function(column) {
    if (is.logical(column)) column <- as.integer(column)
    cells <- if (is.numeric(column)) format(column, digits = 17, trim = TRUE) else as.character(column)
    ifelse(is.na(column), "", cells)
  })
  list(names = names(columns), columns = unname(texts), type = one_text(type, "label_type"))
}
