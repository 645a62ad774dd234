# What is called while the library works: list(hear = function or NULL, end = function).
shower <- function(progress, callback = NULL) {
  if (!is.null(callback) && !is.function(callback))
    fail("'callback' must be a function(phase, iteration, iterations, share)", class = "mkc_option_error")
  if (!flag(progress, "progress")) return(list(hear = callback, end = function() NULL))
  began <- proc.time()[["elapsed"]]
  shown <- 0
  hear <- function(phase, iteration, iterations, share) {
    seconds <- proc.time()[["elapsed"]] - began
    if (seconds > 1) {  # short work shows nothing
      done <- if (share > 0) sprintf(" %d %%", round(100 * share))
      else if (iterations > 0) sprintf(" %d/%d", iteration, iterations)
      else if (iteration > 0) sprintf(" %d", iteration)
      else ""
      line <- sprintf("mkc: %s%s (%d s)", phase, done, round(seconds))
      cat("\r", line, strrep(" ", max(0, shown - nchar(line))), sep = "", file = stderr())
      shown <<- nchar(line)
    }
    if (!is.null(callback)) callback(phase, iteration, iterations, share)
  }
  end <- function() if (shown > 0) cat("\r", strrep(" ", shown), "\r", sep = "", file = stderr())
  list(hear = hear, end = end)
}
