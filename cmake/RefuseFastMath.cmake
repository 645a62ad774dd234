# NaN marks missing values, and -ffast-math makes the compiler assume there are none:
# std::isnan becomes "false" without a word. So mkc refuses to be configured with it.
set(_mkc_flags "$ENV{CXXFLAGS} ${CMAKE_CXX_FLAGS}")
foreach(_config RELEASE DEBUG RELWITHDEBINFO MINSIZEREL)
  string(APPEND _mkc_flags " ${CMAKE_CXX_FLAGS_${_config}}")
endforeach()
foreach(_flag -ffast-math -Ofast -ffinite-math-only -funsafe-math-optimizations)
  if(_mkc_flags MATCHES "(^| )${_flag}( |$)")
    message(FATAL_ERROR "mkc cannot be built with ${_flag}: NaN marks missing values, and this flag "
                        "removes every test for NaN. Take it out of CMAKE_CXX_FLAGS and CXXFLAGS.")
  endif()
endforeach()
