clusters <- function(x, ...) UseMethod("clusters")

clusters.default <- function(x, k = NULL, max_k = 10, resamples = 20, seed = 0, threads = 1,
                             progress = interactive(), ...) {
  given <- complete_kernels(x)
  options <- list(
    clusters = if (is.null(k)) 0L else as.integer(whole_number(k, "k", 2)),
    max_clusters = as.integer(whole_number(max_k, "max_k", 2)),
    resamples = as.integer(whole_number(resamples, "resamples", 2)), seed = whole_number(seed, "seed", high = 2^53),
    threads = thread_count(threads)
  )
  shower <- shower(progress)
  found <- tryCatch(
    checked(.Call(.cluster_kernels, given$kernels, given$views, given$samples, options, shower$hear)),
    finally = shower$end())
  structure(class = "mkc_clusters", list(
    cluster = stats::setNames(found$of_sample + 1L, given$samples),
    strength = stats::setNames(found$strength, given$samples), k = found$clusters, found = found$found,
    stability = found$stability, reference = found$reference, notices = found$notices
  ))
}

print.mkc_clusters <- function(x, ...) {
  cat(sprintf("%d clusters of %d samples\n", x$k, length(x$cluster)))
  print(table(cluster = x$cluster))
  if (x$k > 1)
    cat(sprintf("stability %.2f, without clusters %.2f\n", x$stability, x$reference))
  for (notice in x$notices) cat("note: ", in_r(notice), "\n", sep = "")
  invisible(x)
}

embed_views <- function(x, ...) UseMethod("embed_views")

embed_views.default <- function(x, method = c("kernel-pca", "diffusion", "latent"), dimensions = 2, ...) {
  given <- complete_kernels(x)
  coordinates <- checked(.Call(.embed_kernels, given$kernels, given$views, given$samples, match.arg(method),
    as.integer(whole_number(dimensions, "dimensions", 1))))
  dimnames(coordinates) <- list(given$samples, paste0("axis", seq_len(ncol(coordinates))))
  coordinates
}

completion_methods <- function(name = NULL) {
  all <- .Call(.all_methods)
  if (is.null(name))
    return(data.frame(method = vapply(all, `[[`, "", "name"), summary = vapply(all, `[[`, "", "summary")))
  one <- Filter(function(method) method$name == one_text(name, "name"), all)
  if (length(one) == 0) checked(.Call(.check_method, name))
  as.data.frame(one[[1]]$options)
}

mkc_info <- function() .Call(.about)

example_views <- function(samples = 150, missing = 0.25, seed = 1) {
  made <- checked(.Call(.make_example, as.integer(whole_number(samples, "samples", 10)), as.double(missing),
    whole_number(seed, "seed", high = 2^53)))
  names <- vapply(made$views, `[[`, "", "name")
  features <- lapply(seq_along(made$views), function(m) {
    X <- made$views[[m]]$features
    dimnames(X) <- list(made$samples, paste0(substr(names[[m]], 1, 1), seq_len(ncol(X))))
    X
  })
  observed <- `dimnames<-`(made$observed, list(made$samples, names))
  views <- lapply(seq_along(features), function(m) features[[m]][observed[, m], , drop = FALSE])
  list(
    views = stats::setNames(views, names), complete = stats::setNames(features, names), observed = observed,
    kernel = stats::setNames(lapply(made$views, function(view) as.list(view$kernel)), names)
  )
}
