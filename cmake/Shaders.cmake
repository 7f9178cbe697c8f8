# Shaders: compiled to SPIR-V when the project is built, and embedded in the executable.

set(SUBLET_SHADER_CACHE
    ${PROJECT_BINARY_DIR}/shader-cache
    CACHE PATH "Folder in which compiled shaders are kept; builds of one tree may share it"
)

# sublet_add_shader(<source> [NAME variant] [STAGE vert|frag|comp|task|mesh] [DEFINES A=1 B...])
#
# One variant of a shader: <source> is relative to shaders/, and by its extension tells the stage unless STAGE does.
# NAME (default: the file's name with dots as underscores, cull.comp -> cull_comp) is the C++ name of its SPIR-V.
# Quoted includes are looked up beside the including file, in shaders/ and in the repository's root.
function(sublet_add_shader source)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;STAGE" "DEFINES")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sublet_add_shader(${source}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    set(path ${PROJECT_SOURCE_DIR}/shaders/${source})
    if(NOT EXISTS ${path})
        message(FATAL_ERROR "sublet_add_shader: there is no shaders/${source}")
    endif()
    if(NOT arg_NAME)
        cmake_path(GET source FILENAME arg_NAME)
        string(REPLACE "." "_" arg_NAME ${arg_NAME})
    endif()
    string(MAKE_C_IDENTIFIER ${arg_NAME} identifier)
    if(NOT identifier STREQUAL arg_NAME)
        message(FATAL_ERROR "sublet_add_shader(${source}): NAME ${arg_NAME} is not a C++ identifier")
    endif()
    get_property(names GLOBAL PROPERTY sublet_shader_names)
    if(arg_NAME IN_LIST names)
        message(FATAL_ERROR "sublet_add_shader(${source}): there is a shader named ${arg_NAME} already")
    endif()

    set(folder ${PROJECT_BINARY_DIR}/generated/shaders)
    set(words ${folder}/${arg_NAME}.inc)
    # Without -O glslc takes a third of the time. Mesa's drivers then compile the largest shader five times as long, though:
    # that one is optimised.
    set(optimise)
    if(source STREQUAL "shade/shade.comp")
        set(optimise -O)
    endif()
    set(flags --target-env=vulkan1.3 ${optimise} -Werror -I ${PROJECT_SOURCE_DIR}/shaders -I ${PROJECT_SOURCE_DIR})
    if(arg_STAGE)
        list(APPEND flags -fshader-stage=${arg_STAGE})
    endif()
    foreach(define IN LISTS arg_DEFINES)
        list(APPEND flags -D${define})
    endforeach()
    # Debug builds keep names and lines for captures and validation messages.
    set(script ${PROJECT_SOURCE_DIR}/cmake/CompileShader.cmake)
    add_custom_command(
        OUTPUT ${words}
        COMMAND
            ${CMAKE_COMMAND} -D GLSLC=$<TARGET_FILE:sublet_glslc> -D SOURCE=${path} -D OUTPUT=${words} -D
            CACHE=${SUBLET_SHADER_CACHE} -P ${script} -- ${flags} "$<$<CONFIG:Debug>:-g>"
        DEPENDS ${path} ${script} sublet_glslc
        DEPFILE ${words}.d
        COMMENT "Compiling shader ${arg_NAME}"
        COMMAND_EXPAND_LISTS
        VERBATIM
    )
    file(
        CONFIGURE
        OUTPUT ${folder}/${arg_NAME}.cpp
        CONTENT
            [[// Generated from shaders/@source@.
#include <iterator>

#include "shaders/embedded.h"

namespace sublet::shaders {
namespace {
constexpr std::uint32_t kWordsOf_@arg_NAME@[] =
#include "@arg_NAME@.inc"
    ;
}  // namespace
constinit const std::span<const std::uint32_t> @arg_NAME@{kWordsOf_@arg_NAME@, std::size(kWordsOf_@arg_NAME@)};
}  // namespace sublet::shaders
]]
        @ONLY
    )
    set_property(GLOBAL APPEND PROPERTY sublet_shader_names ${arg_NAME})
    set_property(GLOBAL APPEND PROPERTY sublet_shader_sources ${folder}/${arg_NAME}.cpp)
    set_property(GLOBAL APPEND PROPERTY sublet_shader_words ${words})
    set_source_files_properties(${folder}/${arg_NAME}.cpp PROPERTIES OBJECT_DEPENDS ${words})
endfunction()

# sublet_embed_shaders(<target>): the library of every variant added so far in this folder. Its header
# "shaders/embedded.h" declares, in namespace sublet::shaders, one std::span<const std::uint32_t> of SPIR-V per variant.
function(sublet_embed_shaders target)
    get_property(names GLOBAL PROPERTY sublet_shader_names)
    get_property(sources GLOBAL PROPERTY sublet_shader_sources)
    get_property(words GLOBAL PROPERTY sublet_shader_words)
    set(declarations "")
    foreach(name IN LISTS names)
        string(APPEND declarations "extern const std::span<const std::uint32_t> ${name};\n")
    endforeach()
    file(
        CONFIGURE
        OUTPUT ${PROJECT_BINARY_DIR}/generated/shaders/embedded.h
        CONTENT
            [[// Generated from shaders/CMakeLists.txt: the SPIR-V of every shader variant.
#pragma once

#include <cstdint>
#include <span>

namespace sublet::shaders {
@declarations@}  // namespace sublet::shaders
]]
        @ONLY
    )
    if(sources)
        add_library(${target} STATIC ${sources} ${words})
        target_include_directories(${target} PUBLIC ${PROJECT_BINARY_DIR}/generated)
        target_link_libraries(${target} PRIVATE sublet_options)
        set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 24)
    else()
        add_library(${target} INTERFACE)
        target_include_directories(${target} INTERFACE ${PROJECT_BINARY_DIR}/generated)
    endif()
endfunction()
