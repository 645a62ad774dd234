# Configuring on another system, or with an older compiler, must fail before anything else, and say what is needed.
function(expect_refusal pretended told)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/pretend.cmake" "${pretended}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${CXX}"
                          "-DCMAKE_PROJECT_mkc_INCLUDE=${WORK}/pretend.cmake"
                  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(code EQUAL 0 OR NOT text MATCHES "\n *${told}")
    message(FATAL_ERROR "with '${pretended}' it does not say '${told}':\n${text}")
  endif()
endfunction()

expect_refusal("set(CMAKE_SYSTEM_NAME Darwin)" "mkc is for Linux, and this is Darwin: docs/install.md [^\n]*\n")
foreach(_old "GNU;10.2" "Clang;13.0")
  list(GET _old 0 _id)
  list(GET _old 1 _version)
  expect_refusal("set(CMAKE_CXX_COMPILER_ID ${_id})\nset(CMAKE_CXX_COMPILER_VERSION ${_version})"
                 "mkc needs a C\\+\\+20 compiler, GCC 11 or clang 14 or later[^\n]* is ${_id} ${_version}: set CXX [^\n]*\n")
endforeach()
