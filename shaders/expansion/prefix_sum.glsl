// Packed entries, found by binary search.

#include "expansion/packed.glsl"

#ifndef EXPANSION_PUSH
bool expansion_pop(uint work, out uint source, out uint item) {
    uint first = 0u;
    uint last = work < expansion.items ? min(expansion.entries, expansion.capacity) : 0u;
    while (first < last) {
        uint middle = (first + last) / 2u;
        if (expansion_entries[middle].y <= work) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    return expansion_found(work < expansion.items ? first : 0xffffffffu, work, source, item);
}
#endif
