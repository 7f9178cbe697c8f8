# cmake -P notices.cmake FAULT bash SCRIPT: passes when scripts/compile_for_gpus.sh finds nothing wrong with a clean
# log, and, with the fault put in, exits with 1 and says which shader it is.
set(fault ${CMAKE_ARGV3})
set(script ${CMAKE_ARGV4} ${CMAKE_ARGV5})
set(clean "note: settings: backend=compact payload=encoded
note: shader 'cull primitives' compute, 64 lanes: SGPRs 128, VGPRs 48, Spilled SGPRs 0, Spilled VGPRs 0, LDS size 512, \
Scratch size 0, Subgroups per SIMD 32
")

function(judge log status_name output_name)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${fault}.log "${log}")
    execute_process(
        COMMAND ${script} --log navi31
        INPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/${fault}.log
        OUTPUT_VARIABLE output
        RESULT_VARIABLE status
    )
    set(${status_name} ${status} PARENT_SCOPE)
    set(${output_name} "${output}" PARENT_SCOPE)
endfunction()

judge("${clean}" status output)
if(NOT status EQUAL 0 OR NOT output MATCHES "navi31 +cull primitives +compute +64 +48 .* 32/32 +backend=compact")
    message(FATAL_ERROR "a clean log is found wrong: exit status ${status}\n${output}")
endif()

if(fault STREQUAL "spills")
    string(REPLACE "Spilled VGPRs 0" "Spilled VGPRs 3" log "${clean}")
    judge("${log}" status output)
    set(expected "spills: navi31, cull primitives compute, with backend=compact payload=encoded")
elseif(fault STREQUAL "says_too_little")
    string(REPLACE "Spilled VGPRs 0, " "" log "${clean}")
    judge("${log}" status output)
    set(expected "not understood: note: shader 'cull primitives' compute")
else()
    # A program that compiles for `compact`, but not for `mdi`.
    set(program ${CMAKE_CURRENT_BINARY_DIR}/${fault}.sh)
    file(WRITE ${program} "#!/bin/sh\ncase \"$*\" in\n\
devices) printf '0: (RADV NAVI31)\\n   backend compact: yes\\n   backend mdi: yes\\n' ;;\n\
*'--backend mdi '*) echo 'error: compiling pipeline' >&2; exit 1 ;;\n\
*) cat ${CMAKE_CURRENT_BINARY_DIR}/${fault}.log >&2 ;;\nesac\n")
    file(CHMOD ${program} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    set(ENV{SUBLET_PROGRAM} ${program})
    execute_process(COMMAND ${script} navi31 OUTPUT_VARIABLE output RESULT_VARIABLE status)
    set(expected "fails: navi31, mdi .*: error: compiling pipeline")
endif()
message("${output}")
if(NOT status EQUAL 1 OR NOT output MATCHES "${expected}")
    message(FATAL_ERROR "what ${fault} went unnoticed: exit status ${status}")
endif()
