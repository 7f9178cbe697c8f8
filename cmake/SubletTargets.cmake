# How every target of Sublet's own code is made: the same warnings, sanitizers and include roots for all, none of it for
# third-party code.

add_library(sublet_options INTERFACE)
if(MSVC)
    # Microsoft's compiler, and Clang in its manner: written down, not tried. Neither fuses multiply-adds by itself with
    # these.
    target_compile_options(
        sublet_options
        INTERFACE
            /W4
            /permissive-
            /utf-8
            /bigobj
            /EHsc
            /Zc:__cplusplus
            /fp:precise
            $<$<CXX_COMPILER_ID:Clang>:/clang:-ffp-contract=off>
            $<$<BOOL:${SUBLET_WERROR}>:/WX>
    )
    target_compile_definitions(sublet_options INTERFACE _CRT_SECURE_NO_WARNINGS)
else()
    target_compile_options(
        sublet_options
        INTERFACE
            -Wall
            -Wextra
            $<$<BOOL:${SUBLET_WERROR}>:-Werror>
            # GCC 12 sees overlapping copies in std::string's operator+ that are not there (its bug 105651).
            $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
            # Positions are compared with the GPU's to the bit: no fused multiply-add unless it is written. And none is:
            # std::fma() is a product and a sum, rounded twice, in some C libraries (that of mingw-w64).
            -ffp-contract=off
    )
    target_link_options(sublet_options INTERFACE -Wl,--gc-sections)
endif()
if(WIN32)
    target_compile_definitions(sublet_options INTERFACE UNICODE NOMINMAX WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0A00)
endif()
# The include roots: src/ for "mesh/view.h", the repository's root for "shaders/shared/...".
add_library(sublet_includes INTERFACE)
target_include_directories(sublet_includes INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})

# sublet_add_library(<name> [SOURCES file...] [LIBRARIES target...] [PRIVATE_LIBRARIES target...])
#
# A static library of one floor of src/; header-only (INTERFACE) when it has no sources. LIBRARIES are those that its
# headers show, PRIVATE_LIBRARIES those that only its sources use.
function(sublet_add_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;PRIVATE_LIBRARIES")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sublet_add_library(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(arg_SOURCES)
        add_library(${name} STATIC ${arg_SOURCES})
        target_link_libraries(
            ${name}
            PUBLIC sublet_includes ${arg_LIBRARIES}
            PRIVATE $<BUILD_INTERFACE:sublet_options> ${arg_PRIVATE_LIBRARIES}
        )
    else()
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE sublet_includes ${arg_LIBRARIES})
    endif()
endfunction()

# sublet_add_executable(<name> SOURCES file... [LIBRARIES target...])
function(sublet_add_executable name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sublet_add_executable(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE sublet_includes sublet_options ${arg_LIBRARIES})
endfunction()

# sublet_add_subdirectories(<folder>...): each of these folders that has a CMakeLists.txt.
macro(sublet_add_subdirectories)
    foreach(folder IN ITEMS ${ARGN})
        if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
            add_subdirectory(${folder})
        endif()
    endforeach()
endmacro()
