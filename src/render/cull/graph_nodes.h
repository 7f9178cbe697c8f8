// The table of shaders/shared/graph.h for the CPU: what follows from it, and what it is held to.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "gpu/node_shader.h"
#include "shaders/shared/graph.h"

namespace sublet::render {

struct GraphNode {
    std::string_view name;
    std::uint32_t kind;           // shared::kNode...
    std::uint32_t lanes, takes;   // of a workgroup
    std::uint32_t payload_bytes;  // of one that it takes
    std::string_view below;       // the node that it emits for
    std::uint32_t most;           // payloads that a workgroup emits
};

// From the API's entry on, level by level.
inline constexpr std::array kGraph{
#define SUBLET_ROW(name, Name, kind, lanes, takes, below, most)                                                      \
    GraphNode{                                                                                                       \
        #name,  shared::kind,         shared::k##Name##Lanes, shared::k##Name##Takes, sizeof(shared::Name##Payload), \
        #below, shared::k##Name##Most},
    SUBLET_GRAPH(SUBLET_ROW)
#undef SUBLET_ROW
};

// What is wrong with a graph on such devices; empty: nothing.
constexpr std::string_view graph_fault(std::span<const GraphNode> graph) {
    using namespace gpu::guaranteed;
    if (graph.size() > kDepth) return "it has too many levels";
    for (std::size_t level = 0; level < graph.size(); ++level) {
        const GraphNode& node = graph[level];
        const bool last = level + 1 == graph.size();
        if (node.lanes == 0 || node.takes == 0) return "a workgroup does nothing";
        if (node.takes != 1 && node.kind != shared::kNodeCoalescing)
            return "only coalescing nodes take several payloads";
        if ((node.kind == shared::kNodeMesh) != last) return "what is drawn is the last level, and nothing else is";
        if (node.most > kPayloads) return "a workgroup emits too many payloads";
        if (last && node.most != 0) return "mesh nodes emit nothing";
        if (last) continue;
        const GraphNode& below = graph[level + 1];
        if (node.below != below.name) return "a level emits for another one than the next";
        if (node.takes * node.payload_bytes + node.most * below.payload_bytes > kPayloadBytes) {
            return "payloads of a workgroup are too large";
        }
    }
    return {};
}
static_assert(graph_fault(kGraph).empty());
static_assert(shared::kDispatchRow <= gpu::guaranteed::kRow && shared::kMeshDrawRow <= gpu::guaranteed::kRow);

// Draws that a payload of `sublets` may become, and what queues take for it with those.
inline constexpr std::uint32_t kDrawsOfMeshlet = shared::kSubletsMost / shared::kSubletsTakes;
inline constexpr std::uint32_t kQueueBytesOfMeshlet =
    sizeof(shared::SubletsPayload) + kDrawsOfMeshlet * sizeof(shared::DrawPayload);
static_assert(kDrawsOfMeshlet == shared::kSubletsPerMeshlet);

}  // namespace sublet::render
