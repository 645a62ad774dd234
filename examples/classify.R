# A classifier on the combined kernel, in R: with kernlab where it is installed, else in base R.
#
#   mkc complete rna.csv protein.csv methyl.tsv.gz -o result
#   mkc combine result -o K.tsv
#   Rscript classify.R K.tsv labels.tsv        # labels: a header, then sample <tab> class
#
# A third of the labelled samples is held out. The classifier is trained on K[train, train] and
# predicts from K[test, train].
arguments <- commandArgs(trailingOnly = TRUE)
K <- as.matrix(read.table(arguments[1], header = TRUE, row.names = 1, sep = "\t",
                          check.names = FALSE, quote = "\"", comment.char = ""))
labels <- read.table(arguments[2], header = TRUE, sep = "\t", colClasses = "character",
                     na.strings = c("", "NA"))
labels <- labels[!is.na(labels[[2]]) & labels[[1]] %in% rownames(K), ]
samples <- labels[[1]]
y <- factor(labels[[2]])

set.seed(0)
test <- unlist(lapply(split(samples, y), function(s) sample(s, length(s) %/% 3)))
train <- setdiff(samples, test)
y_train <- y[match(train, samples)]
y_test <- y[match(test, samples)]

if (requireNamespace("kernlab", quietly = TRUE)) {
  how <- "support vector machine (kernlab)"
  machine <- kernlab::ksvm(kernlab::as.kernelMatrix(K[train, train]), y_train, type = "C-svc",
                           C = 10)
  support <- train[kernlab::SVindex(machine)]
  predicted <- kernlab::predict(machine, kernlab::as.kernelMatrix(K[test, support, drop = FALSE]))
} else {
  # Kernel ridge regression of 0/1 indicators; the class with the largest value is predicted.
  how <- "kernel ridge regression (base R)"
  indicators <- outer(as.character(y_train), levels(y), "==") * 1
  means <- colMeans(indicators)
  alpha <- solve(K[train, train] + diag(0.1, length(train)), sweep(indicators, 2, means))
  values <- sweep(K[test, train] %*% alpha, 2, means, "+")
  predicted <- factor(levels(y)[max.col(values, ties.method = "first")], levels(y))
}
cat(sprintf("trained on %d samples: %s\n", length(train), how))
cat(sprintf("accuracy %.3f on %d others\n", mean(predicted == y_test), length(test)))
