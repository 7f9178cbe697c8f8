# What `cmake --install` and CPack put where, in two components: `program`, and `library` for engines.
include(CMakePackageConfigHelpers)

# --- The program, on Windows: all in one folder, which may lie anywhere.
if(WIN32)
    install(TARGETS sublet RUNTIME DESTINATION . COMPONENT program)
    install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION . COMPONENT program)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION . COMPONENT program RENAME LICENSE.txt)
    install(
        DIRECTORY ${PROJECT_SOURCE_DIR}/docs
        DESTINATION .
        COMPONENT program
    )
    install(
        DIRECTORY ${PROJECT_BINARY_DIR}/licences
        DESTINATION .
        COMPONENT program
    )
    # What the compiler puts into every program.
    foreach(runtime IN ITEMS mingw-w64-common gcc-mingw-w64-x86-64-posix)
        if(EXISTS /usr/share/doc/${runtime}/copyright)
            install(
                FILES /usr/share/doc/${runtime}/copyright
                DESTINATION licences
                COMPONENT program
                RENAME ${runtime}.txt
            )
        endif()
    endforeach()
    include(Packages)
    return()
endif()

# --- The program
install(TARGETS sublet RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(
    FILES ${PROJECT_SOURCE_DIR}/packaging/sublet.desktop
    DESTINATION ${CMAKE_INSTALL_DATADIR}/applications
    COMPONENT program
)
install(
    FILES ${PROJECT_SOURCE_DIR}/packaging/sublet.xml
    DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
    COMPONENT program
)
install(
    FILES ${PROJECT_SOURCE_DIR}/packaging/sublet.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
    COMPONENT program
)
install(
    FILES ${PROJECT_SOURCE_DIR}/README.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/sublet
    COMPONENT program
)
install(
    FILES ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/sublet
    COMPONENT program
    RENAME copyright
)
install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/docs
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/sublet
    COMPONENT program
)
# Of the libraries that the program carries.
install(
    DIRECTORY ${PROJECT_BINARY_DIR}/licences
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/sublet
    COMPONENT program
    OPTIONAL
)

# --- The library: <sublet/mesh.h>, and what shaders include. Folders are those of the repository, so that files find
# each other as they do there.
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/sublet)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Sublet)
install(
    TARGETS sublet_library
    EXPORT Sublet
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT library
)
install(FILES ${PROJECT_SOURCE_DIR}/src/mesh/mesh.h DESTINATION ${headers} COMPONENT library)
foreach(
    file IN ITEMS
    shared/compact.h shared/compact_morph.h shared/mesh_format.h shared/types.h
    scene/decode.glsl scene/decode_compact.glsl scene/octahedral.glsl scene/unpack.glsl
)
    cmake_path(GET file PARENT_PATH folder)
    install(
        FILES ${PROJECT_SOURCE_DIR}/shaders/${file}
        DESTINATION ${headers}/shaders/${folder}
        COMPONENT library
    )
endforeach()
foreach(text IN ITEMS FORMAT LIBRARY)
    install(
        FILES ${PROJECT_SOURCE_DIR}/docs/${text}.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsublet-dev
        COMPONENT library
    )
endforeach()
install(
    FILES ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsublet-dev
    COMPONENT library
    RENAME copyright
)
install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/examples
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsublet-dev
    COMPONENT library
)

# An installed meshoptimizer is asked for again by whoever links the library; a fetched one is in it.
if(TARGET meshoptimizer)
    set(find_meshoptimizer "")
    set(link_meshoptimizer "")
    install(
        FILES ${PROJECT_BINARY_DIR}/licences/meshoptimizer.txt
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsublet-dev
        COMPONENT library
    )
else()
    set(find_meshoptimizer "find_dependency(meshoptimizer)")
    set(link_meshoptimizer " -lmeshoptimizer")
endif()
install(EXPORT Sublet NAMESPACE sublet:: FILE SubletTargets.cmake DESTINATION ${package} COMPONENT library)
configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/packaging/SubletConfig.cmake.in ${PROJECT_BINARY_DIR}/packaging/SubletConfig.cmake
    INSTALL_DESTINATION ${package}
    PATH_VARS headers
)
# Below 1.0 a new minor version may change the header.
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/packaging/SubletConfigVersion.cmake COMPATIBILITY SameMinorVersion
)
install(
    FILES ${PROJECT_BINARY_DIR}/packaging/SubletConfig.cmake ${PROJECT_BINARY_DIR}/packaging/SubletConfigVersion.cmake
    DESTINATION ${package}
    COMPONENT library
)
# Relative to the file itself, so that the tree may be moved.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/packaging/sublet.pc.in ${PROJECT_BINARY_DIR}/packaging/sublet.pc @ONLY)
install(
    FILES ${PROJECT_BINARY_DIR}/packaging/sublet.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT library
)

include(Packages)
