# sublet_embed_file(<file> <include>): writes the bytes of a file as numbers of 64 bits, the first byte the lowest, with
# zeros behind its end: what stands between the braces of an array. The size in bytes goes to <include>'s first line, as
# the macro SUBLET_EMBEDDED_SIZE. Arrays of single bytes would take the compiler ten times as long.
function(sublet_embed_file file include)
    file(READ ${file} text HEX)
    file(SIZE ${file} size)
    math(EXPR padding "(8 - ${size} % 8) % 8")
    string(REPEAT "00" ${padding} zeros)
    string(APPEND text ${zeros})
    set(byte "(..)")
    string(
        REGEX REPLACE "${byte}${byte}${byte}${byte}${byte}${byte}${byte}${byte}" "0x\\8\\7\\6\\5\\4\\3\\2\\1u,\n" text
        "${text}"
    )
    file(CONFIGURE OUTPUT ${include} CONTENT "#define SUBLET_EMBEDDED_SIZE ${size}\n${text}" @ONLY)
endfunction()
