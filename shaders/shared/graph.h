// The execution graph of culling and drawing, from the scene's instances to sublets that are drawn: its nodes, and what
// they hand on. A node is a shader that takes payloads and emits payloads for the node below it. All that follows from
// that is made of this one table: constants for shaders, sizes of queues, and what src/render/cull/graph_nodes.h holds
// to the limits that every device with execution graphs (VK_AMDX_shader_enqueue) guarantees.
//
//   node       shader                what a payload is
//   instances  cull/instances.comp   the whole scene, or a part of it, where it is very large. A lane for an instance
//   meshlets   cull/meshlets.comp    an instance, and which of its meshlets need a look. A lane for each of them
//   sublets    cull/sublets.comp     a meshlet that survives. Eight lanes for each; a workgroup takes several
//   draw       backends/sublet.mesh  a sublet that survives, in the queue of its draw class: a mesh workgroup
//
// The driver plays it where it has the extension (src/render/backends/graph_amdx.cpp). Ordinary compute plays it on
// every device, level by level (src/render/backends/graph.cpp). There the queue of
// `meshlets` is the list of an expansion, which makes lanes of its payloads, whatever their size, and no queue has room
// for all that there might be: a payload goes to the queue of `sublets` once all that it may become has room in that of
// `draw`, and what has none waits for a further round (cull/rounds.glsl).
#ifndef SUBLET_SHARED_GRAPH_H
#define SUBLET_SHARED_GRAPH_H

#include "mesh_format.h"
#include "scene.h"

SUBLET_SHARED_BEGIN

// How payloads become workgroups.
SUBLET_CONST uint kNodeBroadcast = 0u;   // a payload is as many as it says
SUBLET_CONST uint kNodeCoalescing = 1u;  // one takes as many payloads as there are, up to a number
SUBLET_CONST uint kNodeMesh = 2u;        // a payload is one, of a mesh shader

// From the API's entry on, level by level: the node's name, and as it is in names of constants; its kind; lanes of a
// workgroup, and payloads that one takes at most; the node below, and payloads that a workgroup emits for it at most.
#define SUBLET_GRAPH(X)                                                               \
    X(instances, Instances, kNodeBroadcast, 128u, 1u, meshlets, 128u)                 \
    X(meshlets, Meshlets, kNodeBroadcast, kTaskMeshlets, 1u, sublets, kTaskMeshlets)  \
    X(sublets, Sublets, kNodeCoalescing, 128u, 128u / kSubletsPerMeshlet, draw, 128u) \
    X(draw, Draw, kNodeMesh, kSubletSize, 1u, nothing, 0u)

#define SUBLET_NODE(name, Name, kind, lanes, takes, below, most) \
    SUBLET_CONST uint k##Name##Lanes = lanes;                    \
    SUBLET_CONST uint k##Name##Takes = takes;                    \
    SUBLET_CONST uint k##Name##Most = most;
SUBLET_GRAPH(SUBLET_NODE)
#undef SUBLET_NODE

// Payloads. Those of broadcast nodes begin with their workgroups: rows of kDispatchRow, and how many.
struct InstancesPayload {
    uvec2 groups;
    uint first, count;  // of the scene's workgroups, where several payloads share them
};
struct MeshletsPayload {
    uvec2 groups;
    uint instance;
    uint first_place;  // of its meshlets (cull/cut.glsl)
    uint count;
    uint reserved;
};
struct SubletsPayload {
    uint instance;
    uint meshlet;  // of its mesh
};
struct DrawPayload {
    uint instance;
    uint sublet;  // of its mesh
};

SUBLET_CHECK_SIZE(InstancesPayload, 16);
SUBLET_CHECK_SIZE(MeshletsPayload, 24);
SUBLET_CHECK_SIZE(SubletsPayload, 8);
SUBLET_CHECK_SIZE(DrawPayload, 8);  // a uvec2 of the list of survivors

SUBLET_SHARED_END
#endif
