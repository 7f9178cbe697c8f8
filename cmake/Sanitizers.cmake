# The sanitizers, for all that is compiled from here on: what reads files of strangers is in part third-party code.
# SUBLET_HAS_FUZZER: the compiler has libFuzzer.
if(SUBLET_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
    check_cxx_source_compiles(
        "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }" SUBLET_HAS_FUZZER
    )
    unset(CMAKE_REQUIRED_FLAGS)
    if(SUBLET_HAS_FUZZER)
        add_link_options(-fsanitize=fuzzer-no-link)
    endif()
endif()

# sublet_fuzzed(<target>...): what reads files of strangers, compiled so that fuzz targets see which branches run. It
# takes the compiler a fifth longer.
function(sublet_fuzzed)
    foreach(target IN LISTS ARGN)
        if(SUBLET_HAS_FUZZER AND TARGET ${target})
            target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
        endif()
    endforeach()
endfunction()

# sublet_not_sanitized(<target>...): for large third-party code that parses no file of strangers, or that its own project
# fuzzes (Zstandard). Sanitizing it takes the compiler several times as long.
function(sublet_not_sanitized)
    foreach(target IN LISTS ARGN)
        if(SUBLET_SANITIZE AND TARGET ${target})
            target_compile_options(${target} PRIVATE -fno-sanitize=all)
        endif()
    endforeach()
endfunction()

# sublet_optimise_sanitized(<target>...): for what computes much. The sanitizers' build is not optimised otherwise, which
# takes the compiler half as long; by that these would take the tests minutes longer. Of other builds nothing changes.
function(sublet_optimise_sanitized)
    foreach(target IN LISTS ARGN)
        if(SUBLET_SANITIZE AND TARGET ${target})
            target_compile_options(${target} PRIVATE -O1)
        endif()
    endforeach()
endfunction()
