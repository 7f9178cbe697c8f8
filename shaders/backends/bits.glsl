// The place of set bit number `n` (counted from 0, the lowest) of `mask`, which has more than `n` of them.
uint nth_set_bit(uint mask, uint n) {
    uint place = 0u;
    for (uint width = 16u; width != 0u; width >>= 1u) {
        uint below = bitCount(bitfieldExtract(mask, int(place), int(width)));
        if (n >= below) {
            n -= below;
            place += width;
        }
    }
    return place;
}
