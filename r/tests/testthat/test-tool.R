tool <- Sys.getenv("MKC_BINARY")

with_files <- function() {
  folder <- tempfile("mkc")
  dir.create(folder)
  for (view in names(small$views)) {
    X <- small$views[[view]]
    text <- apply(X, 2, format, digits = 17, trim = TRUE)
    write.table(cbind(sample = rownames(X), text), file.path(folder, paste0(view, ".tsv")), sep = "\t",
      row.names = FALSE, quote = FALSE)
  }
  folder
}

run_tool <- function(folder, ..., format = "npz") {
  out <- file.path(folder, paste0("result-", format))
  files <- file.path(folder, paste0(names(small$views), ".tsv"))
  options <- vapply(small$kernel, function(one) paste0(",", names(one), "=", unlist(one), collapse = ""), "")
  code <- system2(tool, c("complete", paste0(files, options), "-o", out, "--format", format, "--report", "none", ...),
    stdout = FALSE, stderr = FALSE)
  expect_identical(code, 0L)
  out
}

test_that("kernels are those of the tool", {
  skip_if(tool == "", "MKC_BINARY is not set")
  folder <- with_files()
  for (method in c("transfer", "auto")) {
    out <- run_tool(folder, "--method", paste0(method, if (method == "auto") ",budget=20"), "--seed", "3", "--force")
    theirs <- read_result(out)
    ours <- complete_views(small$views, method, seed = 3, quality = method == "auto", kernel = small$kernel,
      verbose = FALSE, budget = if (method == "auto") 20)
    expect_identical(theirs$samples, ours$samples)
    expect_identical(theirs$observed, ours$observed)
    for (view in names(small$views))
      expect_lt(max(abs(kernels(theirs, view) - kernels(ours, view))) / max(abs(kernels(ours, view))), 1e-8)
    if (method == "auto") {
      expect_equal(theirs$quality$relative_error, ours$quality$relative_error, tolerance = 1e-4)
      expect_identical(theirs$worth$verdict, ours$worth$verdict)
    }
    expect_output(print(theirs), paste0("by '", method, "'"))
  }
})

test_that("results of both formats are read", {
  skip_if(tool == "", "MKC_BINARY is not set")
  folder <- with_files()
  first <- read_result(run_tool(folder, "--method", "mean"))
  second <- read_result(run_tool(folder, "--method", "mean", format = "tsv"))
  expect_equal(second$kernels, first$kernels, tolerance = 1e-14)
  expect_equal(combine(second), combine(first), tolerance = 1e-12)
  expect_error(predict(first, small$views), "no model")
  expect_error(read_result(folder), "no meta_info.json")
})
