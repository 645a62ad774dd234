# Bioconductor's packages attach BiocGenerics, whose combine() may hide ours and gives a single object back as it is. So it
# gets methods for our classes, whichever of the two packages is loaded first.
.onLoad <- function(libname, pkgname) {
  if (isNamespaceLoaded("BiocGenerics")) teach_combine()
  setHook(packageEvent("BiocGenerics", "onLoad"), function(...) teach_combine())
}

teach_combine <- function() {
  place <- new.env(parent = topenv())  # of classes and methods: by now our namespace is sealed
  for (class in c("mkc_completion", "mkc_prediction")) methods::setOldClass(class, where = place)
  generic <- getExportedValue("BiocGenerics", "combine")
  methods::setMethod(generic, methods::signature("mkc_completion", "missing"), function(x, y, ...) combine(x), where = place)
  methods::setMethod(generic, methods::signature("mkc_prediction", "mkc_completion"), function(x, y, ...) combine(x, y),
    where = place)
}
