# LIBSVM: support vector machines, for `mkc evaluate` with labels.
find_path(LibSVM_HEADER_DIR svm.h PATH_SUFFIXES libsvm)  # conda-forge has no folder
find_library(LibSVM_LIBRARY svm)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibSVM REQUIRED_VARS LibSVM_LIBRARY LibSVM_HEADER_DIR)
if(LibSVM_FOUND AND NOT TARGET LibSVM::LibSVM)
  add_library(LibSVM::LibSVM UNKNOWN IMPORTED)
  set_target_properties(LibSVM::LibSVM PROPERTIES
    IMPORTED_LOCATION "${LibSVM_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${LibSVM_HEADER_DIR}")
endif()
mark_as_advanced(LibSVM_LIBRARY LibSVM_HEADER_DIR)
