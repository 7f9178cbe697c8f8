// A lane for each item that there might be, `most` for every source: no search, no list but the counts; lanes beyond a
// source's count do nothing.

layout(set = kPassSet, binding = kBindExpansionList, std430) EXPANSION_ACCESS buffer ExpansionList { uint expansion_counts[]; };

#ifdef EXPANSION_PUSH
void expansion_push(uint count, uint source) {
    uint kept = source < expansion.sources ? min(count, expansion.most) : 0u;
    if (source < expansion.sources) {
        expansion_counts[source] = kept;
    }
    expansion_drop(count - kept);
}
#else
bool expansion_pop(uint work, out uint source, out uint item) {
    source = work / expansion.most;
    item = work % expansion.most;
    return source < expansion.sources && item < expansion_counts[source];
}
#endif
