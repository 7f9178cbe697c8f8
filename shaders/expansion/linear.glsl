// Packed entries, looked through from the first: lanes read the same ones, but there may be many.

#include "expansion/packed.glsl"

#ifndef EXPANSION_PUSH
bool expansion_pop(uint work, out uint source, out uint item) {
    uint entries = work < expansion.items ? min(expansion.entries, expansion.capacity) : 0u;
    uint entry = 0u;
    while (entry < entries && expansion_entries[entry].y <= work) {
        ++entry;
    }
    return expansion_found(work < expansion.items ? entry : 0xffffffffu, work, source, item);
}
#endif
