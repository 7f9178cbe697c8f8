// Entries of a list, each for up to `step` items of one source, a power of two: the source, and in one word the first
// of those items and how many more there are.

uint entry_count(uint count, uint step) { return (count + step - 1u) / step; }

// The word of entry `i` of a source with `count` items.
uint entry_items(uint i, uint count, uint step) { return i * step + min(count - i * step, step) - 1u; }
uint entry_first(uint word, uint step) { return word & ~(step - 1u); }
// Whether it has an item for lane `lane` of `step`.
bool entry_has(uint word, uint lane, uint step) { return lane <= (word & (step - 1u)); }
