# OpenBLAS with its LAPACK. mkc runs BLAS on one thread and parallelises over views, candidates and
# tiles itself, so it needs a flavour that may be called from several threads at once
# (docs/decisions/0002-blas-on-one-thread.md).
#   -DOpenBLAS_LIBRARY=FILE  another one, also that of PyPI's scipy-openblas32, whose symbols begin with scipy_
# Sets OpenBLAS_PREFIX: what the names of its functions begin with.
find_library(OpenBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-pthread openblas-openmp openblas-serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION "${OpenBLAS_LIBRARY}")
endif()
set(OpenBLAS_PREFIX "")
if(OpenBLAS_FOUND)
  file(STRINGS "${OpenBLAS_LIBRARY}" _renamed REGEX "^scipy_(dgemm_|openblas_get_corename)$" LIMIT_COUNT 1)
  if(_renamed)
    set(OpenBLAS_PREFIX "scipy_")
  endif()
endif()
mark_as_advanced(OpenBLAS_LIBRARY)
