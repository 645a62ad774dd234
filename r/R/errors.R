# Errors of the library, in R's words.

# What the command line has as an option and R does in another way.
elsewhere <- c(
  name = "give every element of the list a name of its own",
  dates = "make dates of the column with as.Date()",
  categories = "make a factor of the column"
)

# ("psd", "clip", "takes ...") -> psd = "clip" takes ...
advice_in_r <- function(advice) {
  option <- advice[[1]]
  value <- advice[[2]]
  sentence <- in_r(advice[[3]])
  if (option == "") return(sentence)
  if (option == "samples" && value == "FILE") return("samples takes a vector of samples that a view has")
  if (option %in% names(elsewhere)) return(elsewhere[[option]])
  if (option == "command") return(paste0(value, "() ", sentence))
  if (value == "") return(paste(option, "= TRUE", sentence))
  if (value == toupper(value)) return(paste(option, sentence))
  paste0(option, " = \"", value, "\" ", sentence)
}

# Options inside sentences: kind=features -> kind = "features".
in_r <- function(text) {
  gsub("\\b(kind|samples_in|psd|replicates|zero_rows|na_features|ids|kernel|transform)=([a-z_:]+)",
    "\\1 = \"\\2\"", text)
}

fail <- function(..., hint = NULL, class = "mkc_input_error") {
  message <- paste0(...)
  if (length(hint) && any(nzchar(hint))) message <- paste0(message, "\n  hint: ", paste(hint, collapse = "; "))
  stop(structure(class = c(class, "mkc_error", "error", "condition"), list(message = message, call = NULL)))
}

# What the library returned, or its error as R's.
checked <- function(value) {
  if (!inherits(value, "mkc_failure")) return(value)
  advice <- unique(vapply(value$advice, advice_in_r, ""))
  fail(in_r(value$what), hint = advice, class = paste0("mkc_", value$kind, "_error"))
}

tell <- function(notices, verbose) {
  if (verbose) for (text in unique(notices)) message("mkc: ", in_r(text))
}
