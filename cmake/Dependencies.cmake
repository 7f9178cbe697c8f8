# How a dependency is found or fetched. See third_party/README.md.
include(FetchContent)

set(SUBLET_PACKAGE_MIRROR
    ""
    CACHE STRING
    "Root of a Debian mirror (the folder that holds pool/) to fetch dependencies from; empty: the one apt uses"
)

# The mirror this machine installs its own packages from.
function(sublet_package_mirror out)
    set(mirror "${SUBLET_PACKAGE_MIRROR}")
    if(NOT mirror)
        find_program(SUBLET_APT_GET apt-get)
        mark_as_advanced(SUBLET_APT_GET)
        if(SUBLET_APT_GET)
            execute_process(
                COMMAND ${SUBLET_APT_GET} indextargets --format "$(SITE)" "Created-By: Packages" "Label: Debian"
                OUTPUT_VARIABLE mirror
                ERROR_QUIET
            )
            # One line per suite and component; the first has the pool, as all of them do.
            string(REGEX REPLACE "\n.*" "" mirror "${mirror}")
        endif()
    endif()
    string(REGEX REPLACE "/+$" "" mirror "${mirror}")
    set(${out} "${mirror}" PARENT_SCOPE)
endfunction()

# The version that regular expressions find in a header: their captures, in order, joined by dots. Empty: none found.
function(sublet_header_version out header)
    set(version "")
    if(EXISTS ${header})
        file(READ ${header} text)
        foreach(regex IN LISTS ARGN)
            if(NOT text MATCHES "${regex}")
                set(version "")
                break()
            endif()
            foreach(i RANGE 1 ${CMAKE_MATCH_COUNT})
                list(APPEND version ${CMAKE_MATCH_${i}})
            endforeach()
        endforeach()
        list(JOIN version "." version)
    endif()
    set(${out} "${version}" PARENT_SCOPE)
endfunction()

# sublet_dependency(<name> ARCHIVE path SHA256 hash [VERSION least]
#                   [HEADER file [VERSION_HEADER file] [VERSION_REGEX regex...] [INSTALLED_SUFFIX folder] [INCLUDE folder...]]
#                   [PACKAGE name [TARGET target]])
#
# Looks for an installed package of at least VERSION: by its CMake package (PACKAGE), or by a header (HEADER) whose
# version VERSION_REGEX reads from VERSION_HEADER (default HEADER). With neither, none is looked for. When there is none,
# fetches ARCHIVE, a path under pool/main/ of the Debian mirror, and checks its hash. FETCHCONTENT_SOURCE_DIR_<NAME>, in
# capitals, is used before either.
#
# Sets in the caller's scope: <name>_INCLUDE_DIR, the folder of HEADER (in the archive, the first of INCLUDE that has it);
# <name>_SOURCE_DIR and <name>_BINARY_DIR, when the sources are there to be built, else empty.
function(sublet_dependency name)
    cmake_parse_arguments(
        PARSE_ARGV 1 arg "" "ARCHIVE;SHA256;VERSION;HEADER;VERSION_HEADER;INSTALLED_SUFFIX;PACKAGE;TARGET"
        "VERSION_REGEX;INCLUDE"
    )
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "sublet_dependency(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    string(TOUPPER ${name} upper)
    set(source "")
    set(include "")

    if(FETCHCONTENT_SOURCE_DIR_${upper})
        set(source ${FETCHCONTENT_SOURCE_DIR_${upper}})
        set(origin "${source}")
    else()
        sublet_find_installed(${name})
        if(installed)
            set(origin "installed")
        else()
            sublet_fetch(${name})
            set(origin "${arg_ARCHIVE}")
        endif()
    endif()

    if(source AND arg_HEADER)
        foreach(folder IN LISTS arg_INCLUDE)
            if(EXISTS ${source}/${folder}/${arg_HEADER})
                cmake_path(SET include NORMALIZE ${source}/${folder})
                break()
            endif()
        endforeach()
        if(NOT include)
            message(FATAL_ERROR "${name}: no ${arg_HEADER} in ${source} (${arg_INCLUDE})")
        endif()
    endif()
    message(STATUS "${name}: ${origin} ${version}")
    if(source)
        sublet_keep_licence(${name} ${source})
    endif()
    set(${name}_INCLUDE_DIR "${include}" PARENT_SCOPE)
    set(${name}_SOURCE_DIR "${source}" PARENT_SCOPE)
    set(${name}_BINARY_DIR ${PROJECT_BINARY_DIR}/third_party/${name} PARENT_SCOPE)
endfunction()

# Copies the licence of fetched sources to licences/<name>.txt in the build folder: it is installed with the program.
function(sublet_keep_licence name source)
    file(
        GLOB found
        ${source}/LICENSE*
        ${source}/COPYING*
        ${source}/copying*
        ${source}/usr/share/doc/*/copyright
    )
    list(FILTER found EXCLUDE REGEX "/LICENSES$")
    if(NOT found)
        file(GLOB found ${source}/LICENSES/*)
    endif()
    set(text "")
    foreach(file IN LISTS found)
        file(READ ${file} part)
        string(APPEND text "${part}\n")
    endforeach()
    if(NOT text)
        message(STATUS "${name}: no licence was found in ${source}")
    endif()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/licences/${name}.txt CONTENT "${text}" @ONLY)
endfunction()

# The two halves of sublet_dependency, in its scope.

# Sets installed, version and include.
macro(sublet_find_installed name)
    set(installed FALSE)
    set(version "")
    if(arg_PACKAGE)
        find_package(${arg_PACKAGE} ${arg_VERSION} CONFIG QUIET GLOBAL)
        if(${arg_PACKAGE}_FOUND AND (NOT arg_TARGET OR TARGET ${arg_TARGET}))
            set(installed TRUE)
            set(version ${${arg_PACKAGE}_VERSION})
        endif()
    endif()
    if(arg_HEADER AND (installed OR NOT arg_PACKAGE))
        find_path(${name}_INSTALLED_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_INSTALLED_SUFFIX})
        mark_as_advanced(${name}_INSTALLED_INCLUDE)
        set(include ${${name}_INSTALLED_INCLUDE})
        if(NOT include)
            set(installed FALSE)
        elseif(NOT arg_PACKAGE)
            if(NOT arg_VERSION_HEADER)
                set(arg_VERSION_HEADER ${arg_HEADER})
            endif()
            sublet_header_version(version ${include}/${arg_VERSION_HEADER} ${arg_VERSION_REGEX})
            if(version AND version VERSION_GREATER_EQUAL arg_VERSION)
                set(installed TRUE)
            endif()
        endif()
        if(NOT installed)
            set(include "")
        endif()
    endif()
    if(NOT installed)
        set(version "")
    endif()
endmacro()

# Sets source.
macro(sublet_fetch name)
    sublet_package_mirror(mirror)
    if(NOT mirror)
        message(
            FATAL_ERROR
            "${name}: no installed package of version ${arg_VERSION} or newer, and no mirror to fetch it from. Install it, "
            "or let apt name its mirror (apt-get update), or set SUBLET_PACKAGE_MIRROR to the root of a Debian mirror, or "
            "FETCHCONTENT_SOURCE_DIR_${upper} to its sources."
        )
    endif()
    set(url ${mirror}/pool/main/${arg_ARCHIVE})
    if(arg_ARCHIVE MATCHES "\\.deb$")
        # An ar archive that holds the tree in a tar archive. FetchContent opens the outer one alone.
        set(source ${FETCHCONTENT_BASE_DIR}/${name}-src)
        set(done ${source}/${arg_SHA256}.done)
        if(NOT EXISTS ${done})
            set(outer ${FETCHCONTENT_BASE_DIR}/${name}-deb)
            file(REMOVE_RECURSE ${source} ${outer})
            file(DOWNLOAD ${url} ${outer}/${name}.deb STATUS status)
            file(SHA256 ${outer}/${name}.deb hash)
            if(NOT hash STREQUAL arg_SHA256)
                list(GET status 1 status)
                file(REMOVE_RECURSE ${outer})
                message(FATAL_ERROR "${name}: ${url}: SHA-256 is ${hash}, not ${arg_SHA256} (download: ${status})")
            endif()
            file(ARCHIVE_EXTRACT INPUT ${outer}/${name}.deb DESTINATION ${outer})
            file(GLOB tree ${outer}/data.tar*)
            file(ARCHIVE_EXTRACT INPUT ${tree} DESTINATION ${source})
            file(REMOVE_RECURSE ${outer})
            file(TOUCH ${done})
        endif()
    else()
        # The subfolder that is not there keeps FetchContent from adding the project: third_party/ does, as it needs it.
        FetchContent_Declare(
            ${name}
            URL ${url}
            URL_HASH SHA256=${arg_SHA256}
            DOWNLOAD_EXTRACT_TIMESTAMP FALSE
            SOURCE_SUBDIR not-to-be-added
        )
        FetchContent_MakeAvailable(${name})
        set(source ${${name}_SOURCE_DIR})
    endif()
endmacro()

# sublet_installed_library(<name> OPTION variable text HEADER file [HEADER_FOLDER folder] LIBRARY name... DEBIAN package
#                          VERSION least VERSION_HEADER file VERSION_REGEX regex...)
#
# A library that is used where it is installed and never fetched: third_party::<name> is there, or it is not. The option
# leaves it out. VERSION_HEADER lies in the folder of HEADER's path.
function(sublet_installed_library name)
    cmake_parse_arguments(
        PARSE_ARGV 1 arg "" "HEADER;HEADER_FOLDER;VERSION;VERSION_HEADER;DEBIAN" "OPTION;LIBRARY;VERSION_REGEX"
    )
    list(GET arg_OPTION 0 variable)
    list(GET arg_OPTION 1 text)
    option(${variable} "${text}" ON)
    if(NOT ${variable})
        return()
    endif()
    find_path(${variable}_INCLUDE ${arg_HEADER} PATH_SUFFIXES ${arg_HEADER_FOLDER})
    find_library(${variable}_LIBRARY NAMES ${arg_LIBRARY})
    mark_as_advanced(${variable}_INCLUDE ${variable}_LIBRARY)
    sublet_header_version(version ${${variable}_INCLUDE}/${arg_VERSION_HEADER} ${arg_VERSION_REGEX})
    if(NOT ${variable}_LIBRARY OR NOT version OR version VERSION_LESS arg_VERSION)
        message(STATUS "${name}: ${arg_VERSION} or newer is not installed, its files can't be read (Debian: ${arg_DEBIAN})")
        return()
    endif()
    message(STATUS "${name}: installed ${version}")
    add_library(sublet_${name} INTERFACE)
    target_include_directories(sublet_${name} SYSTEM INTERFACE ${${variable}_INCLUDE})
    target_link_libraries(sublet_${name} INTERFACE ${${variable}_LIBRARY})
    add_library(third_party::${name} ALIAS sublet_${name})
endfunction()

# sublet_replace_once(<file> <text> <replacement>): mends a fetched source. An error when the file has neither text.
function(sublet_replace_once file text replacement)
    file(READ ${file} source)
    string(FIND "${source}" "${replacement}" done)
    if(done EQUAL -1)
        string(FIND "${source}" "${text}" at)
        if(at EQUAL -1)
            message(FATAL_ERROR "${file}: has no '${text}' to mend: look at it anew for this version")
        endif()
        string(REPLACE "${text}" "${replacement}" source "${source}")
        file(WRITE ${file} "${source}")
    endif()
endfunction()

# sublet_rename_functions(<target> <folder> <prefix>): the functions <prefix>_... of the sources in <folder>, and what is
# in namespace <prefix>, get names that begin with sublet_ instead, in <target> and in all that uses it.
function(sublet_rename_functions target folder prefix)
    file(GLOB sources ${folder}/*.h ${folder}/*.cpp)
    set(names "")
    foreach(source IN LISTS sources)
        file(READ ${source} text)
        string(REGEX MATCHALL "${prefix}_[A-Za-z0-9_]+\\(" found "${text}")
        list(APPEND names ${found})
    endforeach()
    list(TRANSFORM names REPLACE "\\(" "")
    list(REMOVE_DUPLICATES names)
    set(defines "#define ${prefix} sublet_${prefix}\n")
    foreach(name IN LISTS names)
        string(APPEND defines "#define ${name} sublet_${name}\n")
    endforeach()
    set(file ${PROJECT_BINARY_DIR}/generated/rename_${target}.h)
    file(CONFIGURE OUTPUT ${file} CONTENT "${defines}" @ONLY)
    if(MSVC)
        target_compile_options(${target} PUBLIC /FI${file})
    else()
        target_compile_options(${target} PUBLIC "SHELL:-include ${file}")
    endif()
endfunction()

# sublet_header_library(<target> <dependency> [LIBRARIES target...]): a header-only dependency as a target.
function(sublet_header_library target name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBRARIES")
    string(REGEX REPLACE "[^a-z0-9]+" "_" plain "sublet_${name}")
    add_library(${plain} INTERFACE)
    target_include_directories(${plain} SYSTEM INTERFACE ${${name}_INCLUDE_DIR})
    target_link_libraries(${plain} INTERFACE ${arg_LIBRARIES})
    add_library(${target} ALIAS ${plain})
endfunction()
