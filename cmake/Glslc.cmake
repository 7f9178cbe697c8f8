# The shader compiler, as the executable target sublet_glslc: the one that is installed, else built from its sources.

find_program(
    SUBLET_GLSLC
    glslc
    HINTS $ENV{VULKAN_SDK}/bin
    DOC "glslc, shaderc's GLSL to SPIR-V compiler; 'build' builds it (some minutes, needs Python 3)"
)

# An old compiler may not know mesh shaders.
if(SUBLET_GLSLC AND NOT SUBLET_GLSLC STREQUAL "build" AND NOT SUBLET_GLSLC_WORKS STREQUAL SUBLET_GLSLC)
    set(probe ${PROJECT_BINARY_DIR}/generated/glslc_probe.mesh)
    file(
        WRITE ${probe}
        [[#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 32) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() { SetMeshOutputsEXT(0, 0); }
]]
    )
    execute_process(
        COMMAND ${SUBLET_GLSLC} --target-env=vulkan1.3 ${probe} -o ${probe}.spv
        RESULT_VARIABLE result
        OUTPUT_QUIET
        ERROR_QUIET
    )
    if(result EQUAL 0)
        set(SUBLET_GLSLC_WORKS ${SUBLET_GLSLC} CACHE INTERNAL "")
    else()
        message(STATUS "glslc: ${SUBLET_GLSLC} cannot compile a mesh shader")
    endif()
endif()

if(SUBLET_GLSLC AND SUBLET_GLSLC STREQUAL "${SUBLET_GLSLC_WORKS}")
    message(STATUS "glslc: ${SUBLET_GLSLC}")
    add_executable(sublet_glslc IMPORTED GLOBAL)
    set_target_properties(sublet_glslc PROPERTIES IMPORTED_LOCATION ${SUBLET_GLSLC})
    return()
endif()

if(CMAKE_CROSSCOMPILING)
    # One built here would run on the other system.
    message(FATAL_ERROR "glslc: install it (Debian: glslc), or set SUBLET_GLSLC to its path: shaders are compiled here")
endif()
message(STATUS "glslc: none is installed; building it takes some minutes (Debian's package is glslc)")
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
    message(FATAL_ERROR "glslc: install it, or set SUBLET_GLSLC to its path, or install Python 3 to have it built")
endif()

sublet_dependency(
    spirv_headers
    ARCHIVE s/spirv-headers/spirv-headers_1.6.1+1.4.309.0.orig.tar.gz
    SHA256 64ea06bf123c5c063a6be01dd45adec6a30cc0862000781ca18f9104693b722c
)
sublet_dependency(
    spirv_tools
    ARCHIVE s/spirv-tools/spirv-tools_2025.1~rc1.orig.tar.gz
    SHA256 6895160d5a842552eda6412440747cbadddd47005957bc43bb03926162686777
)
sublet_dependency(
    glslang
    ARCHIVE g/glslang/glslang_15.1.0+1.4.309.0.orig.tar.gz
    SHA256 180f17ea51e6b71bf57b9e0fea78ba3ecd76e3ec8e4c91f0771b922eb22bf4b2
)
sublet_dependency(
    shaderc
    ARCHIVE s/shaderc/shaderc_2025.2.orig.tar.gz
    SHA256 3fddc13bbb87411c6f7b8f447e87c1637933450087e70fc21da650041f4e0132
)

# In a function: what these projects ask for is set for them alone.
function(sublet_build_glslc)
    foreach(
        option IN
        ITEMS SHADERC_SKIP_TESTS
              SHADERC_SKIP_EXAMPLES
              SHADERC_SKIP_COPYRIGHT_CHECK
              SPIRV_SKIP_TESTS
              ENABLE_OPT
    )
        set(${option} ON CACHE INTERNAL "")
    endforeach()
    foreach(option IN ITEMS SPIRV_WERROR ENABLE_GLSLANG_BINARIES GLSLANG_TESTS SHADERC_ENABLE_WERROR_COMPILE)
        set(${option} OFF CACHE INTERNAL "")
    endforeach()
    set(SHADERC_SPIRV_HEADERS_DIR ${spirv_headers_SOURCE_DIR} CACHE INTERNAL "")
    set(SHADERC_SPIRV_TOOLS_DIR ${spirv_tools_SOURCE_DIR} CACHE INTERNAL "")
    set(SHADERC_GLSLANG_DIR ${glslang_SOURCE_DIR} CACHE INTERNAL "")
    # Their installation rules stay: shaderc can only leave out some of them, and EXCLUDE_FROM_ALL leaves out all.
    set(BUILD_SHARED_LIBS OFF)
    set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
    add_subdirectory(${shaderc_SOURCE_DIR} ${shaderc_BINARY_DIR} EXCLUDE_FROM_ALL SYSTEM)
endfunction()
sublet_build_glslc()
add_executable(sublet_glslc ALIAS glslc_exe)
