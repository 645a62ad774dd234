test_that("combine() is the weighted sum of kernels divided by their variance", {
  result <- completed()
  H <- diag(60) - 1 / 60
  slow <- Reduce(`+`, lapply(result$kernels, function(K) K / (sum(diag(H %*% K %*% H)) / 60) / 4))
  K <- combine(result)
  expect_equal(matrix(K, 60), matrix(slow, 60), tolerance = 1e-10)
  expect_identical(rownames(K), result$samples)
  only <- combine(result, c(protein = 2), scale = FALSE)
  expect_equal(matrix(only, 60), matrix(2 * kernels(result, "protein"), 60), tolerance = 1e-12)
  expect_error(combine(result, c(proteins = 1)), "there is no view 'proteins'")
  y <- rep(c("a", "b"), 30)
  expect_equal(sum(attr(combine(result, "alignf", labels = y), "weights")), 1)
  expect_error(combine(result, "alignment"), "labels")
})

test_that("predict() gives kernel rows of new samples, also in views they lack, also after saveRDS()", {
  whole <- small$complete
  training <- rownames(whole$protein)[1:45]
  new <- rownames(whole$protein)[46:60]
  views <- lapply(whole, function(X) X[training, ])
  views$protein <- views$protein[-(1:8), ]
  result <- complete_views(views, "transfer", kernel = small$kernel, verbose = FALSE)
  path <- tempfile(fileext = ".rds")
  saveRDS(result, path)
  given <- list(expression = whole$expression[new, ], methylation = whole$methylation[new, ])
  found <- predict(readRDS(path), given, verbose = FALSE)
  truth <- compute_kernels(whole, small$kernel, verbose = FALSE)
  expect_equal(kernels(found, "expression")[new, training], truth$expression[new, training], tolerance = 1e-10)
  expect_identical(dim(kernels(found, "protein")), c(15L, 45L))
  expect_true(all(found$quality$view %in% c("protein", "mutations")))
  K <- combine(found, result)
  own <- predict(result, lapply(views, function(X) X[training[9:12], ]), verbose = FALSE)
  expect_equal(unname(combine(own, result)), unname(matrix(combine(result), 45)[9:12, ]), tolerance = 1e-8)
  expect_output(print(found), "15 new samples")
  expect_error(predict(result, list(rna = given[[1]])), "no view 'rna'")
})

test_that("evaluate() compares methods on hidden rows", {
  found <- evaluate(small$views, "wknn", repeats = 2, kernel = small$kernel, verbose = FALSE, progress = FALSE)
  expect_setequal(found$summary$method, c("mean", "knn", "wknn"))
  expect_identical(found$finished, 6L)
  of_wknn <- found$trials[found$trials$method == "wknn", ]
  means <- tapply(of_wknn$are, of_wknn$`repeat`, mean)
  expect_equal(found$summary$error[found$summary$method == "wknn"], mean(means), tolerance = 1e-12)
  expect_output(print(found), "6 of 6 trials")
  expect_error(evaluate(small$complete, "wknn", verbose = FALSE), "mechanism = \"mcar\"")
})

test_that("clusters() and embed_views() work on the result", {
  result <- completed()
  found <- clusters(result, k = 4, progress = FALSE)
  expect_identical(names(found$cluster), result$samples)
  expect_setequal(found$cluster, 1:4)
  expect_identical(dim(embed_views(result)), c(60L, 2L))
  expect_output(print(found), "4 clusters")
})

test_that("print, summary and plots show the result", {
  result <- complete_views(small$views, "auto", budget = 10, kernel = small$kernel, verbose = FALSE)
  expect_output(print(result), "Completion of 60 samples in 4 views by 'auto'")
  expect_output(print(summary(result)), "samples by the views they have")
  path <- tempfile(fileext = ".pdf")
  pdf(path)
  plot(result)
  plot(result, "kernels")
  plot(result, "quality")
  dev.off()
  expect_gt(file.size(path), 5000)
  expect_error(plot(completed(), "quality"), "quality = TRUE")
})

test_that("kernlab's ksvm takes the combined kernel and predicted rows", {
  skip_if_not_installed("kernlab")
  result <- completed()
  y <- factor(rep(1:4, length.out = 60))
  K <- combine(result)
  model <- kernlab::ksvm(kernlab::as.kernelMatrix(K), y, type = "C-svc", C = 10)
  expect_gt(mean(kernlab::fitted(model) == y), 0.3)
})

test_that("methods and their options are listed", {
  all <- completion_methods()
  expect_true(all(c("auto", "transfer", "embd_hm", "wknn") %in% all$method))
  expect_true("k" %in% completion_methods("wknn")$option)
  expect_error(completion_methods("wknnn"), "did you mean 'wknn'")
  expect_named(mkc_info(), c("version", "blas", "threads"))
})
