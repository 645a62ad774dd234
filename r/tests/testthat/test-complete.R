test_that("observed entries come back, and all kernels are symmetric and positive semi-definite", {
  result <- completed()
  given <- compute_kernels(small$views, small$kernel, verbose = FALSE)
  for (view in names(small$views)) {
    K <- kernels(result, view)
    here <- rownames(small$views[[view]])
    expect_identical(K[here, here], given[[view]][here, here])
    expect_identical(K, t(K))
    expect_gt(min(eigen(K, symmetric = TRUE, only.values = TRUE)$values), -1e-8 * max(abs(K)))
    expect_false(anyNA(K))
  }
  expect_identical(result$observed, small$observed[result$samples, ])
})

test_that("kernels are those of the definition", {
  X <- small$views$expression
  gamma <- as.numeric(small$kernel$expression$gamma)
  slow <- exp(-gamma * as.matrix(dist(X))^2)
  found <- compute_kernels(list(a = X, b = small$views$protein), list(a = small$kernel$expression, b = "linear"),
    verbose = FALSE)
  expect_equal(found$a[rownames(X), rownames(X)], slow, tolerance = 1e-12)
  Z <- scale(small$views$protein) * sqrt(nrow(small$views$protein) / (nrow(small$views$protein) - 1))
  expect_equal(found$b[rownames(Z), rownames(Z)], tcrossprod(Z), tolerance = 1e-10)
})

test_that("completion recovers what was hidden better than the average row", {
  result <- completed(quality = TRUE)
  truth <- compute_kernels(small$complete, small$kernel, verbose = FALSE)
  for (view in names(truth)) {
    lost <- result$samples[!result$observed[, view]]
    seen <- result$samples[result$observed[, view]]
    K <- truth[[view]][result$samples, result$samples]
    mean_row <- matrix(colMeans(K[seen, seen]), length(lost), length(seen), byrow = TRUE)
    error <- norm(kernels(result, view)[lost, seen] - K[lost, seen], "F")
    expect_lt(error, norm(mean_row - K[lost, seen], "F"))
  }
  expect_setequal(result$quality$sample[result$quality$view == "protein"],
    result$samples[!result$observed[, "protein"]])
  expect_true(all(result$quality$low <= result$quality$relative_error & result$quality$relative_error <= result$quality$high))
})

test_that("the number of threads, the order of rows and R's own seed change no bit; the own seed decides", {
  one <- complete_views(small$views, "auto", budget = 20, kernel = small$kernel, verbose = FALSE, seed = 7)
  set.seed(99)
  expect_identical(
    complete_views(small$views, "auto", budget = 20, kernel = small$kernel, verbose = FALSE, seed = 7, threads = 2)$kernels,
    one$kernels)
})

test_that("samples may be in rows or columns, and rows of NA are missing", {
  turned <- lapply(small$views, t)
  result <- completed()
  expect_identical(quietly(complete_views(turned, "transfer", kernel = small$kernel, samples_in = "columns"))$kernels,
    result$kernels)
  expect_message(complete_views(list(a = turned[[1]], b = small$views[[2]]), "mean", progress = FALSE),
    "samples are in columns")
  with_na <- lapply(names(small$complete), function(view) {
    X <- small$complete[[view]]
    X[!small$observed[, view], ] <- NA
    X
  })
  names(with_na) <- names(small$complete)
  again <- quietly(complete_views(with_na, "transfer", kernel = small$kernel))
  expect_identical(again$observed, small$observed)
  expect_equal(again$kernels$protein[result$samples, result$samples], result$kernels$protein, tolerance = 1e-12)
})

test_that("kernels are recognised, and completed as they are", {
  given <- compute_kernels(small$views, small$kernel, verbose = FALSE)
  result <- quietly(complete_views(given, "wknn", k = 5))
  expect_identical(result$parameters[["k"]], "5")
  here <- rownames(given$protein)
  expect_identical(kernels(result, "protein")[here, here], given$protein)
  declared <- quietly(complete_views(given, "wknn,k=5", kind = "kernel"))
  expect_identical(declared$kernels, result$kernels)
})

test_that("data frames with words, dates and ids in the first column are views", {
  n <- 30
  ids <- sprintf("P%02d", seq_len(n))
  clinical <- data.frame(
    id = ids, age = 40 + (seq_len(n) * 7) %% 31, stage = rep(c("I", "II", "III"), 10),
    born = as.Date("1960-01-01") + 100 * seq_len(n)
  )
  numbers <- matrix(sin(seq_len(n * 4)), n, dimnames = list(ids, paste0("g", 1:4)))
  expect_message(result <- complete_views(list(clinical = clinical[1:25, ], rna = numbers[4:n, ]), "mean",
    progress = FALSE), "column 'id' is read as the sample ids")
  expect_identical(result$observed[, "clinical"], stats::setNames(result$samples %in% ids[1:25], result$samples))
  expect_setequal(result$samples, ids)
})

test_that("indefinite kernels follow psd, and options are refused in R's words", {
  K <- diag(4)
  K[1, 2] <- K[2, 1] <- 1.5
  dimnames(K) <- list(letters[1:4], letters[1:4])
  L <- diag(4)
  dimnames(L) <- dimnames(K)
  L[4, ] <- L[, 4] <- NA
  expect_error(complete_views(list(a = K, b = L), "mean", verbose = FALSE), "psd = \"clip\"", class = "mkc_input_error")
  expect_no_error(complete_views(list(a = K, b = L), "mean", psd = "clip", verbose = FALSE))
  expect_error(completed(k = 7), "k", class = "mkc_option_error")
  expect_error(complete_views(small$views, "wknnn"), "did you mean 'wknn'", class = "mkc_option_error")
})
