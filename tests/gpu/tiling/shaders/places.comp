// Writes where each workgroup was sent.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Places { uvec2 places[]; };
layout(push_constant) uniform Push { uint n; };

#include "thread_group_tiling.glsl"

void main() {
    places[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = tiled_group_id(n);
}
