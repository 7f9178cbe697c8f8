// Push constants of packed.task and packed.mesh, and the masks that they read (cull/primitives.comp).
#include "shared/passes.h"

layout(push_constant) uniform Push { PackedConstants constants; };

layout(set = kPassSet, binding = kBindState, std430) readonly buffer State { CullState state; };
// For each slot of the class: its triangles that survive, and the vertices of those.
layout(set = kPassSet, binding = kBindTriangles, std430) readonly buffer Masks { uvec2 masks[]; };
