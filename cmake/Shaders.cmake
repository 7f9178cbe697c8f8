# Shaders: compiled to SPIR-V when the project is built, and embedded in the executable, packed where Zstandard is there
# to unpack them (third_party/CMakeLists.txt).
include(Embed)

set(SUBLET_SHADER_CACHE
    ${PROJECT_BINARY_DIR}/shader-cache
    CACHE PATH "Folder in which compiled shaders are kept; builds of one tree may share it"
)

# sublet_add_shader(<source> [NAME variant] [STAGE vert|frag|comp|task|mesh] [DEFINES A=1 B...])
#
# One variant of a shader: <source> is relative to shaders/, and by its extension tells the stage unless STAGE does.
# NAME (default: the file's name with dots as underscores, cull.comp -> cull_comp) is its C++ name. Its SPIR-V is
# generated/shaders/<NAME>.spv in the build's folder.
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

    set(spirv ${PROJECT_BINARY_DIR}/generated/shaders/${arg_NAME}.spv)
    # Without -O glslc takes a third of the time. But lavapipe then takes twice as long for the largest shader, before
    # its compiler proper begins: that one is optimised.
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
        OUTPUT ${spirv}
        COMMAND
            ${CMAKE_COMMAND} -D GLSLC=$<TARGET_FILE:sublet_glslc> -D SOURCE=${path} -D OUTPUT=${spirv} -D
            CACHE=${SUBLET_SHADER_CACHE} -P ${script} -- ${flags} "$<$<CONFIG:Debug>:-g>"
        DEPENDS ${path} ${script} sublet_glslc
        DEPFILE ${spirv}.d
        COMMENT "Compiling shader ${arg_NAME}"
        COMMAND_EXPAND_LISTS
        VERBATIM
    )
    set_property(GLOBAL APPEND PROPERTY sublet_shader_names ${arg_NAME})
    set_property(GLOBAL APPEND PROPERTY sublet_shader_sources ${source})
    set_property(GLOBAL APPEND PROPERTY sublet_shaders_of_${source} ${arg_NAME})
endfunction()

# sublet_embed_shaders(<target>): the library of every variant added so far in this folder, those of one source packed
# together. Its header "shaders/embedded.h" declares, in namespace sublet::shaders, one std::span<const std::uint32_t>
# per variant: what gpu::Shader takes, and gpu::unpack() makes SPIR-V of.
function(sublet_embed_shaders target)
    set(folder ${PROJECT_BINARY_DIR}/generated/shaders)
    get_property(names GLOBAL PROPERTY sublet_shader_names)
    set(declarations "")
    foreach(name IN LISTS names)
        string(APPEND declarations "extern const std::span<const std::uint32_t> ${name};\n")
    endforeach()
    file(
        CONFIGURE
        OUTPUT ${folder}/embedded.h
        CONTENT
            [[// Generated from shaders/CMakeLists.txt: every shader variant. gpu::unpack() makes SPIR-V of it.
#pragma once

#include <cstdint>
#include <span>

namespace sublet::shaders {
@declarations@}  // namespace sublet::shaders
]]
        @ONLY
    )
    if(NOT names)
        add_library(${target} INTERFACE)
        target_include_directories(${target} INTERFACE ${PROJECT_BINARY_DIR}/generated)
        return()
    endif()
    add_library(${target} STATIC)
    target_include_directories(${target} PUBLIC ${PROJECT_BINARY_DIR}/generated)
    target_link_libraries(${target} PRIVATE sublet_options)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 24)
    get_property(sources GLOBAL PROPERTY sublet_shader_sources)
    list(REMOVE_DUPLICATES sources)
    foreach(source IN LISTS sources)
        get_property(variants GLOBAL PROPERTY sublet_shaders_of_${source})
        list(GET variants 0 name) # of all of them
        list(TRANSFORM variants REPLACE "(.+)" "${folder}/\\1.spv" OUTPUT_VARIABLE files)
        set(script ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake)
        add_custom_command(
            OUTPUT ${folder}/${name}.inc
            COMMAND
                ${CMAKE_COMMAND} -D INCLUDE=${folder}/${name}.inc -D PACKED=$<TARGET_EXISTS:third_party::zstd> -P
                ${script} -- ${files}
            DEPENDS ${files} ${script}
            COMMENT "Packing shaders of ${source}"
            VERBATIM
        )
        set(definitions "")
        set(header 0)
        foreach(variant IN LISTS variants)
            string(
                APPEND definitions
                "constinit const std::span<const std::uint32_t> ${variant} = "
                "std::span<const std::uint32_t>(kPackOf_${name}).subspan(${header});\n"
            )
            math(EXPR header "${header} + 6")
        endforeach()
        file(
            CONFIGURE
            OUTPUT ${folder}/${name}.cpp
            CONTENT
                [[// Generated from shaders/@source@.
#include "shaders/embedded.h"

namespace sublet::shaders {
namespace {
constexpr std::uint32_t kPackOf_@name@[] =
#include "@name@.inc"
    ;
}  // namespace
@definitions@}  // namespace sublet::shaders
]]
            @ONLY
        )
        set_source_files_properties(${folder}/${name}.cpp PROPERTIES OBJECT_DEPENDS ${folder}/${name}.inc)
        target_sources(${target} PRIVATE ${folder}/${name}.cpp ${folder}/${name}.inc)
    endforeach()
endfunction()
