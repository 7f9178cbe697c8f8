include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# Installed, then moved: nothing may know where it was.
foreach(component IN ITEMS program library)
    expect("" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/first --component ${component})
endforeach()
file(RENAME ${FOLDER}/first ${FOLDER}/prefix)
set(prefix ${FOLDER}/prefix)
file(GLOB_RECURSE texts ${prefix}/*.cmake ${prefix}/*.pc)
foreach(text IN LISTS texts)
    file(READ ${text} content)
    if(content MATCHES "${BUILD}|${SOURCE}/")
        message(FATAL_ERROR "${text} names the build tree")
    endif()
endforeach()

set(scene ${FOLDER}/triangles.sublet)
expect("" ${prefix}/bin/sublet encode ${CMAKE_CURRENT_LIST_DIR}/triangles.gltf -o ${scene})

# The examples, outside of the source tree.
file(COPY ${SOURCE}/examples DESTINATION ${FOLDER})
expect(
    "" ${CMAKE_COMMAND} -S ${FOLDER}/examples -B ${FOLDER}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_BUILD_TYPE=Release -D GLSLC=${GLSLC} -D CMAKE_PREFIX_PATH=${prefix}
    "-D CMAKE_CXX_FLAGS=-Wall -Wextra -Werror"
)
expect("" ${CMAKE_COMMAND} --build ${FOLDER}/build)
expect("200 triangles in [0-9]+ sublets.*\nthe last sublet: [0-9]+ triangles, first vertex at" ${FOLDER}/build/encode)
expect(
    "1 meshes\nmesh 0: 2 triangles, 1 sublets, 1 meshlets.*\nsublet 0: 2 triangles, 4 vertices, centre"
    ${FOLDER}/build/list ${scene}
)
if(NOT EXISTS ${FOLDER}/build/decode.spv)
    message(FATAL_ERROR "decode.comp was not compiled")
endif()

# The same by pkg-config alone. The library it names is all there is: no other folder is searched.
find_program(pkg_config pkg-config)
if(NOT pkg_config)
    message("without pkg-config its file is not tested")
    return()
endif()
set(ENV{PKG_CONFIG_LIBDIR} ${prefix}/${LIBDIR}/pkgconfig)
expect("sublet-mesh" ${pkg_config} --cflags --libs sublet)
separate_arguments(flags UNIX_COMMAND "${out}")
expect("" ${CXX} -std=c++20 ${FOLDER}/examples/list.cpp -o ${FOLDER}/list ${flags})
expect("mesh 0: 2 triangles" ${FOLDER}/list ${scene})
# In a shared library, too, as engines have them.
expect("" ${CXX} -std=c++20 -shared -fPIC ${FOLDER}/examples/list.cpp -o ${FOLDER}/list.so -Wl,-z,defs ${flags})
expect("." ${pkg_config} --variable=shaderdir sublet)
string(STRIP "${out}" shaders)
expect("" ${GLSLC} --target-env=vulkan1.3 -I ${shaders} ${FOLDER}/examples/decode.comp -o ${FOLDER}/decode.spv)
