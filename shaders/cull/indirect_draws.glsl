// Draws, one for each slot of a list: indexed indirect draws, or sequences of generated commands. After
// scene/bindings.glsl. The includer declares `survivors`, what the slots are.

layout(set = kPassSet, binding = kBindDraws, std430) writeonly buffer DrawList { DrawIndexedCommand draw_commands[]; };
layout(set = kPassSet, binding = kBindDraws, std430) writeonly buffer SequenceList { GeneratedDraw generated_draws[]; };

layout(constant_id = kSpecFirstInstance) const bool kFirstInstance = false;  // draws have their slot as first instance
layout(constant_id = kSpecGenerated) const uint kGenerated = kGeneratedNot;

// `survivor`: an instance and a sublet of its mesh. Draws `sublets` sublets from that one on, with room for kSubletSize
// triangles each in the index buffer. Indices are relative to the first vertex of the meshlet, which lies at `range`.
void write_draw(uint slot, uvec2 survivor, uint sublets, MeshletRange range) {
    uint first_sublet = range.first_sublet + survivor.y % kSubletsPerMeshlet;
    DrawIndexedCommand draw = DrawIndexedCommand(sublets * (kSubletSize * 3u), 1u, first_sublet * (kSubletSize * 3u),
                                                 range.first_vertex, kFirstInstance ? slot : 0u);
    if (kGenerated == kGeneratedNot) {
        survivors[slot] = survivor;
        draw_commands[slot] = draw;
        return;
    }
    if (kGenerated == kGeneratedMeshTasks) {
        draw = DrawIndexedCommand(sublets, 1u, 1u, 0u, 0u);  // a DispatchCommand, and words that nobody reads
    }
    generated_draws[slot] = GeneratedDraw(GeneratedConstants(survivor.x, survivor.y), draw);
}

// Draws take the items from all over the scene in turn. In the order of the items, neighbours after one another, they
// cover one part of the window at a time, and not all of the rasteriser has work (docs/BENCHMARKS.md). Where sources
// have dispatches of their own, a workgroup's items are those of its source.
uint scattered_item(Group group) {
    return kExpansion == kExpansionGenerated ? group.number * gl_WorkGroupSize.x + gl_LocalInvocationIndex
                                             : gl_LocalInvocationIndex * group.stride + group.number;
}
