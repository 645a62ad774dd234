# Installs headers, library and tool, and what find_package(mkc) needs.
include(CMakePackageConfigHelpers)
set(_mkc_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/mkc")

install(DIRECTORY include/mkc DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_BINARY_DIR}/generated/mkc/version.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mkc")
install(TARGETS mkc mkc_io mkc_evaluate EXPORT mkcTargets)
install(EXPORT mkcTargets NAMESPACE mkc:: DESTINATION "${_mkc_cmake_dir}")

configure_package_config_file(cmake/mkcConfig.cmake.in "${PROJECT_BINARY_DIR}/mkcConfig.cmake"
                              INSTALL_DESTINATION "${_mkc_cmake_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mkcConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mkcConfig.cmake" "${PROJECT_BINARY_DIR}/mkcConfigVersion.cmake"
              cmake/FindOpenBLAS.cmake cmake/FindLibSVM.cmake cmake/FindHDF5Serial.cmake cmake/FmtArchive.cmake
        DESTINATION "${_mkc_cmake_dir}")
if(MKC_BUILD_APP)
  install(TARGETS mkc_app)
endif()
