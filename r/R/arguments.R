# Arguments of users, checked and made to fit the library.

text_option <- function(value, name) {
  if (is.logical(value) && length(value) == 1 && !is.na(value)) return(if (value) "yes" else "no")
  if (is.numeric(value) && length(value) == 1 && !is.na(value)) return(format(value, digits = 17, scientific = FALSE))
  if (is.character(value) && length(value) == 1 && !is.na(value)) return(value)
  fail("option '", name, "' needs one number, text, TRUE or FALSE", class = "mkc_option_error")
}

text_options <- function(options) {
  options <- Filter(Negate(is.null), options)
  if (length(options) == 0) return(character())
  if (is.null(names(options)) || any(names(options) == ""))
    fail("options of a method need names, as in k = 7", class = "mkc_option_error")
  mapply(text_option, options, names(options))
}

# "wknn" and list(k = 7) -> "wknn,k=7"
method_text <- function(method, options) {
  method <- one_text(method, "method")
  given <- text_options(options)
  text <- paste(c(method, if (length(given)) paste0(names(given), "=", given)), collapse = ",")
  checked(.Call(.check_method, text))
  text
}

one_text <- function(value, name) {
  if (!is.character(value) || length(value) != 1 || is.na(value))
    fail("'", name, "' must be one text", class = "mkc_option_error")
  value
}

one_of <- function(value, choices, name) {
  value <- one_text(value, name)
  if (!value %in% choices)
    fail("'", name, "' is \"", value, "\", which is none of ", paste0("\"", choices, "\"", collapse = ", "),
      class = "mkc_option_error")
  value
}

flag <- function(value, name) {
  if (!is.logical(value) || length(value) != 1 || is.na(value))
    fail("'", name, "' must be TRUE or FALSE", class = "mkc_option_error")
  value
}

whole_number <- function(value, name, low = 0, high = .Machine$integer.max) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value != round(value) || value < low || value > high)
    fail("'", name, "' must be a whole number from ", low, " to ", format(high, scientific = FALSE),
      class = "mkc_option_error")
  as.numeric(value)
}

thread_count <- function(threads) {
  threads <- as.integer(whole_number(threads, "threads"))
  if (threads == 0L) .Call(.about)$threads else threads
}

# A value per view: one for all, or named by views; `default` for the others.
per_view <- function(value, views, name, default = NULL) {
  found <- stats::setNames(rep(list(default), length(views)), views)
  if (is.null(value)) return(found)
  if (is.null(names(value))) {
    if (length(value) != 1)
      fail("'", name, "' has ", length(value), " values without names for ", length(views), " views",
        hint = paste0("name them: ", name, " = c(", views[[1]], " = ...)"), class = "mkc_option_error")
    found[] <- list(value[[1]])
    return(found)
  }
  unknown <- setdiff(names(value), views)
  if (length(unknown))
    fail("'", name, "': there is no view '", unknown[[1]], "'",
      hint = paste("the views are", paste(views, collapse = ", ")), class = "mkc_option_error")
  for (view in names(value)) found[[view]] <- value[[view]]
  found
}

# Kernel options per view, and those common to all.
kernel_choice <- function(kernel, views) {
  if (identical(kernel, "auto")) return(list(common = character(), views = per_view(NULL, views, "kernel")))
  if (is.character(kernel) && length(kernel) == 1 && is.null(names(kernel)) && kernel != "precomputed")
    return(list(common = c(kernel = kernel), views = per_view(NULL, views, "kernel")))
  if (is.list(kernel) && !is.null(names(kernel)) && !any(names(kernel) %in% views) && "kernel" %in% names(kernel))
    return(list(common = text_options(kernel), views = per_view(NULL, views, "kernel")))
  chosen <- lapply(per_view(kernel, views, "kernel", "auto"), function(one) {
    if (is.list(one)) text_options(one) else c(kernel = text_option(one, "kernel"))
  })
  list(common = character(), views = chosen)
}

# A sampleMap as three vectors of texts.
sample_map_of <- function(map) {
  if (is.null(map)) return(NULL)
  map <- as.data.frame(map)
  lost <- setdiff(c("assay", "primary", "colname"), names(map))
  if (length(lost))
    fail("'sample_map' has no column '", lost[[1]], "'",
      hint = "its columns are assay (view), primary (sample) and colname (name in the view)")
  lapply(map[c("assay", "primary", "colname")], as.character)
}
