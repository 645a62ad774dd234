# Configuring with -ffast-math must fail, and say why.
file(REMOVE_RECURSE "${WORK}")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" "-DCMAKE_CXX_COMPILER=${CXX}"
                        "-DCMAKE_CXX_FLAGS=-O2 ${FLAG}"
                RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(code EQUAL 0 OR NOT text MATCHES "NaN marks missing")
  message(FATAL_ERROR "mkc let itself be configured with ${FLAG}:\n${text}")
endif()
