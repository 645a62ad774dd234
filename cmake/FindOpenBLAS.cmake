# OpenBLAS with its LAPACK. mkc runs BLAS on one thread and parallelises over views, candidates and
# tiles itself, so it needs a flavour that may be called from several threads at once
# (docs/decisions/0002-blas-on-one-thread.md).
#   -DOpenBLAS_LIBRARY=FILE  another one, also that of PyPI's scipy-openblas32, whose symbols begin with scipy_
# Sets OpenBLAS_DEFINITIONS, for files that call it.
find_library(OpenBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-pthread openblas-openmp openblas-serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OpenBLAS_LIBRARY)
if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION "${OpenBLAS_LIBRARY}")
endif()
set(OpenBLAS_DEFINITIONS "")
if(OpenBLAS_FOUND)
  file(STRINGS "${OpenBLAS_LIBRARY}" _renamed REGEX "^scipy_(dgemm_|openblas_get_corename)$" LIMIT_COUNT 1)
  if(_renamed)
    foreach(_name dgemm_ dsymm_ dsyrk_ dpotrf_ dpotrs_ dtrmm_ dtrtri_ dlauum_ dsyevd_ dsyevr_
                  openblas_set_num_threads openblas_get_parallel openblas_get_config openblas_get_corename)
      list(APPEND OpenBLAS_DEFINITIONS "${_name}=scipy_${_name}")
    endforeach()
  endif()
endif()
mark_as_advanced(OpenBLAS_LIBRARY)
