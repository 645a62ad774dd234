# Views of users as tables for the library: numbers, names of rows and columns, texts.

named_views <- function(views) {
  if (is.matrix(views) || is.data.frame(views) || isS4(views)) views <- list(view1 = views)
  if (!is.list(views) || length(views) == 0)
    fail("'views' must be a list of matrices or data frames, one per view")
  if (is.null(names(views))) names(views) <- rep("", length(views))
  unnamed <- is.na(names(views)) | names(views) == ""
  names(views)[unnamed] <- paste0("view", seq_along(views))[unnamed]
  views
}

# One view. `own`: options of the kernel; `read`: how it is read (samples_in, replicates, ...).
table_of <- function(name, data, kind, own, read) {
  if (identical(unname(own["kernel"]), "precomputed")) {
    kind <- "kernel"
    own <- character()
  } else if (length(own) && is.null(kind)) {
    kind <- "features"
  }
  data <- assay_of(data)
  if (inherits(data, "dist"))
    fail("view '", name, "': distances (dist), not features or a kernel",
      hint = "make a kernel of them, for example exp(-as.matrix(d)^2 / median(d)^2)")
  if (isS4(data)) data <- as.matrix(data)  # sparse and delayed matrices
  table <- if (is.data.frame(data)) of_data_frame(name, data) else of_matrix(name, data)
  c(table, list(name = name, kind = kind, kernel = own, read = read))
}

# The values of an object of Bioconductor; others as they are.
assay_of <- function(experiment, index = 1) {
  if (!inherits(experiment, "SummarizedExperiment")) return(experiment)
  if (!requireNamespace("SummarizedExperiment", quietly = TRUE))
    fail("the package SummarizedExperiment is needed to read its objects")
  SummarizedExperiment::assay(experiment, index)
}

of_matrix <- function(name, data) {
  if (!is.matrix(data) || !(is.numeric(data) || is.logical(data)))
    fail("view '", name, "': a matrix of numbers or a data frame is needed, this is ",
      if (is.matrix(data)) paste("a matrix of", typeof(data)) else paste0("of class '", class(data)[[1]], "'"))
  names <- dimnames(data)
  list(
    source = "matrix", values = matrix(as.double(data), nrow(data), ncol(data)), rows = names[[1]], columns = names[[2]], texts = list(),
    notices = character()
  )
}

of_data_frame <- function(name, data) {
  notices <- character()
  rows <- attr(data, "row.names")
  if (!is.character(rows)) rows <- NULL  # numbers are those of the rows
  data <- as.data.frame(data)
  first <- if (ncol(data)) data[[1]]
  if (is.null(rows) && (is.character(first) || is.factor(first)) && !anyNA(first) && !anyDuplicated(first)) {
    rows <- as.character(first)
    notices <- paste0("column '", names(data)[[1]], "' is read as the sample ids: the data frame has no row names")
    data <- data[-1]
  }
  values <- matrix(NA_real_, nrow(data), ncol(data))
  texts <- list()
  for (j in seq_along(data)) {
    column <- data[[j]]
    if (inherits(column, c("Date", "POSIXt"))) {
      values[, j] <- as.numeric(as.Date(column))
    } else if (is.factor(column) || is.character(column)) {
      cells <- as.character(column)
      cells[is.na(cells)] <- ""
      repeats <- is.factor(column) && 2 * length(unique(cells[cells != ""])) <= sum(cells != "")
      texts <- c(texts, list(list(column = j - 1L, cells = enc2utf8(cells), is_factor = repeats)))
    } else if (is.numeric(column) || is.logical(column)) {
      values[, j] <- as.double(column)
    } else {
      fail("view '", name, "' (data frame): column '", names(data)[[j]], "' is of class '", class(column)[[1]],
        "', not numbers or words", hint = "remove the column, or convert it")
    }
  }
  list(source = "data frame", values = values, rows = rows, columns = names(data), texts = texts, notices = notices)
}

# All views, and the options that the library takes beside them.
tables_of <- function(views, kind, kernel, samples_in, replicates, zero_rows, na_features) {
  views <- named_views(views)
  chosen <- kernel_choice(kernel, names(views))
  kinds <- per_view(kind, names(views), "kind")
  read <- list(
    samples_in = per_view(samples_in, names(views), "samples_in", "auto"),
    replicates = per_view(replicates, names(views), "replicates", "error"),
    zero_rows = per_view(zero_rows, names(views), "zero_rows", "auto"),
    na_features = per_view(na_features, names(views), "na_features", "error")
  )
  tables <- lapply(seq_along(views), function(m) {
    own <- vapply(read, function(values) one_text(values[[m]], "reading option"), "")
    table_of(names(views)[[m]], views[[m]], kinds[[m]], chosen$views[[m]], own)
  })
  list(tables = tables, common = chosen$common)
}
