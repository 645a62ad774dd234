# Results of the command line tool: kernels.npz (or kernels/*.tsv.gz), tables and meta_info.json.
read_result <- function(folder) {
  folder <- one_text(folder, "folder")
  if (!dir.exists(folder)) fail("'", folder, "' is no folder")
  about_file <- file.path(folder, "meta_info.json")
  if (!file.exists(about_file))
    fail("'", folder, "' has no meta_info.json", hint = "read_result() reads what 'mkc complete ... -o FOLDER' wrote")
  if (!requireNamespace("jsonlite", quietly = TRUE))
    fail("the package jsonlite is needed to read results", hint = "install.packages(\"jsonlite\")")
  about <- jsonlite::fromJSON(about_file, simplifyDataFrame = FALSE)
  observed <- as.matrix(read_table(folder, "observed.tsv", needed = TRUE)) == 1
  storage.mode(observed) <- "logical"
  views <- vapply(about$views, `[[`, "", "name")
  quality <- read_table(folder, "quality.tsv", row_names = FALSE)
  structure(class = "mkc_completion", list(
    kernels = read_kernels(folder, views, rownames(observed)), samples = rownames(observed), views = views,
    observed = observed, method = about$method, parameters = unlist(about$parameters), seed = about$seed,
    status = about$status, iterations = about$iterations, objective = unlist(about$objective),
    residual = about$residual, relations = as_numbers(read_table(folder, "view_relations.tsv")),
    uncertainty = as_numbers(read_table(folder, "uncertainty.tsv")), quality = quality,
    worth = worth_from(quality, views), candidates = read_table(folder, "candidates.tsv", row_names = FALSE),
    inputs = data.frame(view = views, kernel = vapply(about$views, `[[`, "", "kernel")), seconds = unlist(about$seconds),
    notices = character(), warnings = character(), ids = about$ids, model = NULL, version = about$mkc_version,
    blas = about$blas
  ))
}

read_table <- function(folder, name, needed = FALSE, row_names = TRUE) {
  path <- file.path(folder, name)
  if (!file.exists(path)) {
    if (needed) fail("'", folder, "' has no ", name, ": it is no whole result")
    return(NULL)
  }
  table <- utils::read.delim(path, check.names = FALSE, quote = "", comment.char = "", na.strings = "NA",
    colClasses = if (row_names) c("character") else NA, stringsAsFactors = FALSE)
  if (!row_names) return(table)
  names <- table[[1]]
  table <- table[-1]
  table[] <- lapply(table, as.numeric)
  row.names(table) <- names
  table
}

as_numbers <- function(table) if (!is.null(table)) as.matrix(table)

# The figures of views are repeated in every row of quality.tsv.
worth_from <- function(quality, views) {
  if (is.null(quality)) return(NULL)
  row <- match(views, quality$view)
  data.frame(view = views, held_out_error = quality$view_error[row], average_row_error = quality$average_row_error[row],
    recovered = quality$recovered[row], verdict = quality$verdict[row])
}

read_kernels <- function(folder, views, samples) {
  path <- file.path(folder, "kernels.npz")
  if (file.exists(path)) {
    names <- read_npy(path, "samples")
    kernels <- lapply(views, function(view) `dimnames<-`(read_npy(path, view), list(names, names)))
  } else if (dir.exists(file.path(folder, "kernels"))) {
    files <- file.path(folder, "kernels", paste0(gsub("[/\\\\[:cntrl:]]", "_", views), ".tsv.gz"))
    kernels <- lapply(files, function(file) as.matrix(utils::read.delim(file, row.names = 1, check.names = FALSE,
      quote = "", comment.char = "")))
  } else {
    fail("'", folder, "' has neither kernels.npz nor kernels/", hint = "write the result with --format npz or tsv")
  }
  stats::setNames(kernels, views)
}

# One array of an NPZ file: float64 matrices and texts, as NumPy and mkc write them.
read_npy <- function(path, name) {
  entry <- paste0(name, ".npy")
  if (!entry %in% utils::unzip(path, list = TRUE)$Name) fail("'", path, "' has no array '", name, "'")
  file <- unz(path, entry, "rb")
  on.exit(close(file))
  start <- readBin(file, "raw", 8)
  if (!identical(start[1:6], c(as.raw(0x93), charToRaw("NUMPY")))) fail("'", path, "': '", name, "' is no NPY array")
  wide <- as.integer(start[[7]]) > 1
  size <- readBin(file, "integer", 1, size = if (wide) 4 else 2, signed = wide, endian = "little")
  header <- rawToChar(readBin(file, "raw", size))
  kind <- sub(".*'descr': *'([^']*)'.*", "\\1", header)
  by_column <- grepl("'fortran_order': *True", header)
  sizes <- sub(".*'shape': *\\(([^)]*)\\).*", "\\1", header)
  shape <- as.numeric(regmatches(sizes, gregexpr("[0-9]+", sizes))[[1]])
  count <- prod(shape)
  if (kind == "<f8") {
    values <- readBin(file, "double", count, endian = "little")
    if (length(values) != count) fail("'", path, "': the array '", name, "' is cut off")
    if (length(shape) < 2) return(values)
    return(matrix(values, shape[[1]], shape[[2]], byrow = !by_column))
  }
  if (!grepl("^<U[0-9]+$", kind)) fail("'", path, "': the array '", name, "' is of type '", kind, "', which is not read")
  width <- as.integer(sub("<U", "", kind))
  codes <- matrix(readBin(file, "integer", count * width, size = 4, endian = "little"), width)
  apply(codes, 2, function(letters) intToUtf8(letters[letters != 0]))
}
