// A mesh shader's workgroup: kLanes lanes, each with one vertex and one triangle at most. WIDE: 64, 128 or 256 of them;
// else 32.

#ifdef WIDE
layout(local_size_x_id = kSpecMeshLanes) in;
layout(triangles, max_vertices = 256, max_primitives = 256) out;
const uint kLanes = gl_WorkGroupSize.x;
#else
layout(local_size_x = 32) in;
layout(triangles, max_vertices = 32, max_primitives = 32) out;
const uint kLanes = 32u;
#endif
