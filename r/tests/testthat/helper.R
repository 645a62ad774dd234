# Views of 60 samples, a quarter of the pairs missing, and what was hidden.
small <- example_views(60, 0.25, seed = 3)

completed <- function(...) {
  complete_views(small$views, "transfer", ..., kernel = small$kernel, verbose = FALSE, progress = FALSE)
}

quietly <- function(code) suppressMessages(suppressWarnings(code))
