# `cpack -G DEB` in the build folder: sublet_....deb, the program, and libsublet-dev_....deb, the library. For Windows
# `cpack`: sublet-...-windows-x64.zip.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sublet)
set(CPACK_PACKAGE_VENDOR "The Sublet authors")
set(CPACK_PACKAGE_CONTACT "The Sublet authors <sublet@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Encodes, looks at, renders and measures scenes of compressed meshlets.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Encodes and reads compressed meshlets, for engines: library, headers, GLSL.")

if(WIN32)
    set(CPACK_GENERATOR ZIP)
    set(CPACK_PACKAGING_INSTALL_PREFIX "")
    set(CPACK_PACKAGE_FILE_NAME sublet-${PROJECT_VERSION}-windows-x64)
    set(CPACK_COMPONENTS_ALL program)
    set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
    include(CPack)
    return()
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME sublet)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION graphics)
# The loader and the window systems' libraries are opened at run time: no tool sees them in the program.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS libvulkan1)
set(
    CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
    "mesa-vulkan-drivers | vulkan-icd, libx11-6, libxrandr2, libxinerama1, libxcursor1, libxi6, libwayland-client0, \
libwayland-cursor0, libxkbcommon0, libdecor-0-0"
)
find_program(SUBLET_DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(SUBLET_DPKG_SHLIBDEPS)
if(SUBLET_DPKG_SHLIBDEPS)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
else()
    # What the program links, without the versions that the tool would find.
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libvulkan1, libc6, libgcc-s1, libstdc++6")
endif()

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsublet-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
if(NOT TARGET meshoptimizer)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS libmeshoptimizer-dev)
endif()
include(CPack)
