# The shader compiler, as the imported executable sublet_glslc: the one that is installed, else built from its sources.

find_program(SUBLET_GLSLC glslc HINTS $ENV{VULKAN_SDK}/bin DOC "The GLSL to SPIR-V compiler of shaderc")

if(SUBLET_GLSLC)
    message(STATUS "glslc: ${SUBLET_GLSLC}")
    add_executable(sublet_glslc IMPORTED GLOBAL)
    set_target_properties(sublet_glslc PROPERTIES IMPORTED_LOCATION ${SUBLET_GLSLC})
else()
    message(FATAL_ERROR "glslc was not found: install it (package glslc), or set SUBLET_GLSLC to its path.")
endif()
