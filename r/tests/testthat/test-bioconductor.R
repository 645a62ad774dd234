test_that("a MultiAssayExperiment is completed by its sampleMap", {
  skip_if_not_installed("MultiAssayExperiment")
  turned <- lapply(small$views, t)
  # Aliquots of patients: every assay names its columns in its own way.
  assays <- Map(function(X, name) `colnames<-`(X, paste0(name, "_", colnames(X))), turned, names(turned))
  map <- do.call(rbind, lapply(names(assays), function(name) {
    data.frame(assay = name, primary = colnames(turned[[name]]), colname = colnames(assays[[name]]))
  }))
  map$assay <- factor(map$assay)
  patients <- data.frame(row.names = unique(map$primary), age = rep(50, length(unique(map$primary))))
  experiment <- MultiAssayExperiment::MultiAssayExperiment(assays, colData = S4Vectors::DataFrame(patients),
    sampleMap = S4Vectors::DataFrame(map))
  found <- quietly(complete_views(experiment, "transfer", kernel = small$kernel))
  direct <- completed()
  expect_setequal(found$samples, direct$samples)
  order <- direct$samples
  expect_equal(kernels(found, "protein")[order, order], kernels(direct, "protein"), tolerance = 1e-10)
  some <- rownames(small$views$protein)[1:3]
  expect_equal(quietly(compute_kernels(experiment, small$kernel))$protein[some, some],
    compute_kernels(small$views, small$kernel, verbose = FALSE)$protein[some, some], tolerance = 1e-12)
})

test_that("sparse matrices are views", {
  skip_if_not_installed("Matrix")
  sparse <- Matrix::Matrix(small$views$mutations, sparse = TRUE)
  views <- small$views
  views$mutations <- sparse
  found <- quietly(complete_views(views, "mean", kernel = small$kernel))
  plain <- quietly(complete_views(small$views, "mean", kernel = small$kernel))
  expect_identical(found$kernels, plain$kernels)
})

test_that("combine() of Bioconductor, which hides ours, gives the same kernel", {
  skip_if_not_installed("BiocGenerics")
  found <- completed()
  expect_identical(BiocGenerics::combine(found), combine(found))
  new <- predict(found, lapply(small$complete[1:2], function(X) X[1:3, ]), verbose = FALSE)
  expect_identical(BiocGenerics::combine(new, found), combine(new, found))
})
