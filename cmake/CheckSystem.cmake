# What mkc cannot be built on is told before anything is compiled. The blank in front keeps CMake from breaking the line.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR " mkc is for Linux, and this is ${CMAKE_SYSTEM_NAME}: docs/install.md says what is missing (on Windows use WSL 2)")
endif()
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
  message(FATAL_ERROR " mkc needs a C++20 compiler, GCC 11 or clang 14 or later. ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}: set CXX to another, for example CXX=g++-12")
endif()
