// Indexed indirect draws, one for each slot of a list. After scene/bindings.glsl.

layout(set = kPassSet, binding = kBindDraws, std430) writeonly buffer DrawList { DrawIndexedCommand draw_commands[]; };

layout(constant_id = kSpecFirstInstance) const bool kFirstInstance = false;  // draws have their slot as first instance

// Of `sublets` sublets from `first_sublet` of the scene's, with room for kSubletSize triangles each in the index
// buffer. Indices are relative to `first_vertex`.
void write_draw(uint slot, uint first_sublet, uint sublets, uint first_vertex) {
    draw_commands[slot] = DrawIndexedCommand(sublets * (kSubletSize * 3u), 1u, first_sublet * (kSubletSize * 3u),
                                             first_vertex, kFirstInstance ? slot : 0u);
}

// Draws take the items from all over the scene in turn. In the order of the items, neighbours after one another, they
// cover one part of the window at a time, and not all of the rasteriser has work (docs/BENCHMARKS.md).
uint scattered_item(Group group) { return gl_LocalInvocationIndex * group.stride + group.number; }
