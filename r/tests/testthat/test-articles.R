# The R code of the pages runs as it stands.
code_of <- function(page) {
  lines <- readLines(page, encoding = "UTF-8")
  fence <- startsWith(lines, "```")
  in_r <- cumsum(fence) %% 2 == 1 & !fence
  language <- lines[fence][c(TRUE, FALSE)]
  block <- (cumsum(fence) + 1) %/% 2
  lines[in_r & language[pmin(pmax(block, 1), length(language))] == "```r"]
}

for (page in c("r.md", "clusters.md", "coming-from.md")) {
  test_that(paste("the code of", page, "runs"), {
    skip_if_not_installed("kernlab")
    if (page == "clusters.md") skip_if_not_installed("MultiAssayExperiment")
    path <- system.file("articles", page, package = "mkc")
    expect_true(nzchar(path))
    code <- code_of(path)
    expect_gt(length(code), 4)
    pdf(NULL)
    on.exit(dev.off())
    expect_no_error(quietly(capture.output(eval(parse(text = code), new.env(parent = globalenv())))))
  })
}

test_that("the code of the README runs", {
  path <- Sys.getenv("MKC_README")
  skip_if(path == "", "MKC_README is not set")
  skip_if_not_installed("kernlab")
  code <- code_of(path)
  expect_gt(length(code), 4)
  groups <- factor(rep(1:4, length.out = 60))
  names(groups) <- rownames(small$complete$expression)
  given <- list(rna = small$views$expression, protein = small$views$protein, y = groups)
  made <- list2env(given, parent = as.environment("package:mkc"))  # other pages attach BiocGenerics, with its combine()
  expect_no_error(quietly(capture.output(eval(parse(text = code), made))))
  expect_identical(rownames(made$K), made$result$samples)
})
