# The C library of HDF5 without MPI. CMake's own FindHDF5 asks for the C language and runs compilers.
find_path(HDF5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5Serial_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Serial REQUIRED_VARS HDF5Serial_LIBRARY HDF5Serial_INCLUDE_DIR)
if(HDF5Serial_FOUND AND NOT TARGET HDF5Serial::HDF5Serial)
  add_library(HDF5Serial::HDF5Serial UNKNOWN IMPORTED)
  set_target_properties(HDF5Serial::HDF5Serial PROPERTIES
    IMPORTED_LOCATION "${HDF5Serial_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${HDF5Serial_INCLUDE_DIR}")
  if(HDF5Serial_LIBRARY MATCHES "\\.a$")  # its filters; what it has for web addresses is not linked
    find_library(HDF5Serial_SZIP sz REQUIRED)
    find_library(HDF5Serial_AEC aec REQUIRED)
    target_link_libraries(HDF5Serial::HDF5Serial INTERFACE "${HDF5Serial_SZIP}" "${HDF5Serial_AEC}" ZLIB::ZLIB
                                                           ${CMAKE_DL_LIBS} m)
  endif()
endif()
mark_as_advanced(HDF5Serial_LIBRARY HDF5Serial_INCLUDE_DIR)
