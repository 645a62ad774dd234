# Installs the built tree into a folder of its own, then builds and runs a project that uses it.
#   cmake -DBUILD=... -DSOURCE=... -DWORK=... -DCXX=... -DFLAGS=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
run("${CMAKE_COMMAND}" -S "${SOURCE}/downstream" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/downstream")
run("${WORK}/prefix/bin/mkc" version)
foreach(_file share/man/man1/mkc.1 share/bash-completion/completions/mkc
              share/zsh/site-functions/_mkc)
  if(NOT EXISTS "${WORK}/prefix/${_file}")
    message(FATAL_ERROR "not installed: ${_file}")
  endif()
endforeach()
