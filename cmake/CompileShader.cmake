# cmake -D GLSLC=... -D SOURCE=... -D OUTPUT=... -D CACHE=folder -P CompileShader.cmake -- FLAG...
#
# Compiles a shader, or copies what it became before: several builds of one tree have the same shaders. What is kept has
# the name of a hash of all that it was made of: the compiler, its flags, the source with its includes.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/ScriptArguments.cmake)
sublet_script_arguments(flags)

execute_process(
    COMMAND ${GLSLC} ${flags} -E -MD -MF ${OUTPUT}.d -MT ${OUTPUT} ${SOURCE} OUTPUT_VARIABLE text
    COMMAND_ERROR_IS_FATAL ANY
)
file(TIMESTAMP ${GLSLC} made)
string(SHA256 key "${GLSLC} ${made} ${flags} ${text}")
if(NOT EXISTS ${CACHE}/${key}.spv)
    execute_process(COMMAND ${GLSLC} ${flags} -o ${OUTPUT} ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
    # Another build may write the same just now: it appears whole.
    string(RANDOM LENGTH 12 suffix)
    file(MAKE_DIRECTORY ${CACHE})
    file(COPY_FILE ${OUTPUT} ${CACHE}/${key}.${suffix})
    file(RENAME ${CACHE}/${key}.${suffix} ${CACHE}/${key}.spv)
else()
    file(COPY_FILE ${CACHE}/${key}.spv ${OUTPUT})
endif()
