// A lane for each item that there might be, `most` for every source: no search, no list but the counts; lanes beyond a
// source's count do nothing.

#ifdef EXPANSION_PUSH
void max_n_push(uint count, uint source) {
    uint kept = source < expansion.sources ? min(count, expansion.most) : 0u;
    if (source < expansion.sources) {
        expansion_words[source] = kept;
    }
    expansion_drop(count - kept);
}
#else
bool max_n_pop(uint work, out uint source, out uint item) {
    source = work / expansion.most;
    item = work % expansion.most;
    return source < expansion.sources && item < expansion_words[source];
}
#endif
