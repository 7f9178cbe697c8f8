// A depth and who has it, as one 64-bit word. Of two, the greater one is nearer; of equal depths it has the greater id.
// Depths from 0 to 1 take 30 bits, so ids may have 34, low word first. The upper word is the depth's bits, shifted up
// by two, and the id's upper two. 0: nothing.

uint64_t pixel_word(float depth, uvec2 id) { return pack64(uvec2(id.x, floatBitsToUint(depth) << 2u | id.y)); }
