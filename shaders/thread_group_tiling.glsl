// Thread-group tiling (L. Bavoil, "Optimizing Compute Shaders for L2 Locality using Thread-Group ID Swizzling", NVIDIA,
// 2020): workgroups that start one after the other take neighbouring places, so that what they read together is still
// in the L2 cache. The corrected form, for widths that are no multiple of n. C++ compiles this too (src/base/glsl.h).

// The place of the workgroup that starts as number `index` of columns x rows (all of the dispatch, rounded up; index <
// columns * rows): strips of `n` columns from left to right, each by rows from top to bottom. The last strip has what
// columns are left. 0: by rows of the whole dispatch. The product of columns, or n, and rows must be below 2^32.
uvec2 tiled_group(uint columns, uint rows, uint index, uint n) {
    uint strip_columns = n == 0u ? columns : min(n, columns);
    uint strip = index / (strip_columns * rows);
    uint within = index - strip * strip_columns * rows;
    uint first = strip * strip_columns;
    uint width = min(columns - first, strip_columns);
    return uvec2(first + within % width, within / width);
}

// For a dispatch in x and y alone: what to use instead of gl_WorkGroupID.xy. Devices start groups row by row, as a
// rule.
uvec2 tiled_group_id(uint n) {
    return tiled_group(gl_NumWorkGroups.x, gl_NumWorkGroups.y,
                       gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, n);
}
