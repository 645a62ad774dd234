# OpenBLAS with its LAPACK. mkc runs BLAS on one thread and parallelises over views, candidates and
# tiles itself, so it needs a flavour that may be called from several threads at once
# (docs/decisions/0002-blas-on-one-thread.md).
find_library(OpenBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-pthread openblas-openmp openblas-serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION "${OpenBLAS_LIBRARY}")
endif()
mark_as_advanced(OpenBLAS_LIBRARY)
