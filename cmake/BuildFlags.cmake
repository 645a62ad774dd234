# mkc_flags: warnings and sanitizers for every target of this project; never exported to users.
add_library(mkc_flags INTERFACE)
target_compile_options(mkc_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
                                           "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees phantom overflows and uninitialised values inside std::string and Eigen when it
  # optimises; the sanitizers of the debug preset look for real ones.
  target_compile_options(mkc_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                                             -Wno-maybe-uninitialized)
endif()
if(MKC_WERROR)
  target_compile_options(mkc_flags INTERFACE -Werror)
endif()
if(MKC_SANITIZE)
  set(_mkc_sanitizers -fsanitize=${MKC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(mkc_flags INTERFACE ${_mkc_sanitizers})
  target_link_options(mkc_flags INTERFACE ${_mkc_sanitizers})
endif()

if(MKC_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "MKC_FUZZ needs clang and libFuzzer: apt-get install clang libclang-rt-14-dev")
  endif()
  target_compile_options(mkc_flags INTERFACE -fsanitize=fuzzer-no-link -g1)
endif()

# A second build is nearly free, also in another checkout: the cache sees paths relative to this one,
# and looks through the precompiled headers.
find_program(MKC_CCACHE ccache)
if(MKC_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime" "${MKC_CCACHE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(mkc_flags INTERFACE -fpch-preprocess)
  endif()
endif()

# mkc_unity(target [FILE...]): eight of its files in one compilation, which instantiates what they share
# once and so halves the time of a fresh build. FILEs, whose local names occur in others too, stay alone.
# The presets debug and lint compile every file alone.
function(mkc_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MKC_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
