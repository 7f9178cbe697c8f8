// What nodes of an execution graph (shared/graph.h) know of payloads where the driver plays it
// (VK_AMDX_shader_enqueue): payloads are variables of a storage class of their own, and src/gpu/node_shader.h adds what
// GLSL can't say of them.
#extension GL_EXT_spirv_intrinsics : require

#include "shared/graph.h"

// Structs of payloads are laid out, so that no variable of a function may be one (VUID-StandaloneSpirv-None-10684).
#define NODE_WORDS extensions = ["SPV_AMDX_shader_enqueue"], capabilities = [5067]
#define NODE_PAYLOAD spirv_storage_class(NODE_WORDS, 5068)

// Payloads for the node below. node_allocate() and node_enqueue() are called by all lanes of the workgroup together,
// and by each for itself (kForLane): one that has nothing to emit allocates none. `index`: among nodes of that name.
#define NODE_OUT(below, Payload, most)                                                                      \
    NODE_PAYLOAD Payload node_out_##below[most];                                                            \
    spirv_instruction(NODE_WORDS, id = 5074) void node_allocate(spirv_by_reference Payload payloads[most],   \
                                                                uint scope, uint count, uint index);        \
    spirv_instruction(NODE_WORDS, id = 5075) void node_enqueue(spirv_by_reference Payload payloads[most]);
const uint kForLane = 4u;  // SPIR-V's scope Invocation
