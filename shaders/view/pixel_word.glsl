// A depth and who has it, as two words, the lower one first. Of two such, the greater one is nearer; of equal depths it
// has the greater id. Depths from 0 to 1 take 30 bits, so ids may have 34. The upper word is the depth's bits, shifted
// up by two, and the id's upper two. 0: nothing.

uvec2 pixel_words(float depth, uvec2 id) { return uvec2(id.x, floatBitsToUint(depth) << 2u | id.y); }
bool words_less(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
