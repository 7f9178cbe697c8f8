# cmake -P notices.cmake PROGRAM ARGUMENT...: passes when the program, run with a mistake made on purpose, found
# pictures that differ and exited with 1: not when it failed for another reason.
math(EXPR last "${CMAKE_ARGC} - 1")
set(command)
foreach(i RANGE 3 ${last})
    list(APPEND command "${CMAKE_ARGV${i}}")
endforeach()
execute_process(COMMAND ${command} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status)
message("${output}${errors}")
if(NOT status EQUAL 1 OR NOT output MATCHES "NOT EXACT: .* DIFFER")
    message(FATAL_ERROR "the mistake went unnoticed: exit status ${status}")
endif()
