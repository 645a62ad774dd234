# Configuring without packages must fail, and name all of them in one line.
file(REMOVE_RECURSE "${WORK}")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" "-DCMAKE_CXX_COMPILER=${CXX}"
                        -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_LibSVM=ON
                        -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON -DMKC_BUILD_APP=ON
                RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(code EQUAL 0 OR NOT text MATCHES "\n *mkc needs packages [^\n]*: apt-get install libfmt-dev libsvm-dev libcli11-dev\n")
  message(FATAL_ERROR "the missing packages are not named:\n${text}")
endif()
