# mkc_harden(target): what makes an error in memory a clean stop instead of a foothold. For all that
# is shipped; tests/cli/test_hardening.py reads the binaries. It changes no arithmetic.
function(mkc_harden target)
  target_compile_options(${target} PRIVATE -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(${target} PRIVATE -fcf-protection=full)
  endif()
  # Checked versions of the functions of the C library exist only in optimised code, and a
  # sanitizer has its own.
  if(NOT MKC_SANITIZE)
    target_compile_options(${target} PRIVATE
      "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  endif()
  get_target_property(_type ${target} TYPE)
  if(NOT _type STREQUAL "STATIC_LIBRARY")
    target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now,-z,noexecstack
                        "$<$<STREQUAL:${_type},EXECUTABLE>:-pie>")
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
endfunction()
