two <- function(a, b, ...) complete_views(list(rna = a, prot = b), "mean", verbose = FALSE, ...)
named <- function(values, ids) `rownames<-`(values, ids)
A <- matrix(sin(1:40), 10)
B <- matrix(cos(1:30), 10)
ids <- paste0("P", 1:10)

test_that("errors name view and sample, and say how to mend it", {
  expect_error(two(A, B), "no sample ids.*match_rows = TRUE")
  expect_no_error(two(A, B, match_rows = TRUE))
  expect_error(two(named(A, ids), named(B, paste0("Q", 1:10))), "no sample")
  broken <- named(A, ids)
  broken[3, 2] <- NA
  expect_error(two(broken, named(B, ids)), "'rna'.*'P3'.*na_features = \"mean\"|'P3'")
  expect_no_error(two(broken, named(B, ids), na_features = "mean"))
  infinite <- named(A, ids)
  infinite[2, 1] <- Inf
  expect_error(two(infinite, named(B, ids)), "P2")
  twice <- named(A, c("P1", ids[-1][c(1, 1, 3:9)]))
  expect_error(two(twice, named(B, ids)), "replicates = \"mean\"|'P2'")
  expect_error(two(list(1), B), "view 'rna'.*list")
  expect_error(two(matrix("a", 3, 2), B), "view 'rna'.*character")
  expect_error(two(dist(A), B), "distances")
  expect_error(complete_views(list()), "list of matrices")
})

test_that("an error is a condition without a call", {
  caught <- tryCatch(two(A, B), error = identity)
  expect_s3_class(caught, "mkc_input_error")
  expect_null(conditionCall(caught))
  expect_error(kernels(completed(), "rnaa"), "there is no view 'rnaa'")
})

test_that("a callback can stop with the best so far, and its errors come through", {
  stopping <- function(phase, iteration, iterations, share) FALSE
  views <- example_views(200, 0.3)
  slow <- function(callback) {
    suppressWarnings(complete_views(views$views, "embd_hm", kernel = views$kernel, callback = callback, verbose = FALSE,
      tol = 1e-12, max_iter = 100000))
  }
  expect_identical(slow(stopping)$status, "interrupted")
  expect_error(slow(function(...) stop("enough of it")), "enough of it")
})
