// Shaders as nodes of execution graphs (VK_AMDX_shader_enqueue, SPV_AMDX_shader_enqueue, version 2).
//
// No GLSL compiler knows nodes. By GL_EXT_spirv_intrinsics it does make variables of their storage class, and their
// instructions, but neither their types of payload arrays, nor strings, nor modes of an entry point. A node's GLSL
// (shaders/cull/node.glsl) names its payloads node_in and node_out..., and make_node() adds the rest before a driver
// sees it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sublet::gpu {

// What every device with execution graphs has, whatever more it says.
namespace guaranteed {
inline constexpr std::uint32_t kDepth = 32;            // nodes of a chain
inline constexpr std::uint32_t kPayloads = 256;        // that a workgroup emits
inline constexpr std::uint32_t kPayloadBytes = 32768;  // of all that it takes and emits
inline constexpr std::uint32_t kRow = 65535;           // workgroups of a payload, each way
inline constexpr std::uint32_t kGroups = 16777215;     // in all
}  // namespace guaranteed

// What a node is in its graph.
struct NodeDesc {
    std::string name;
    std::uint32_t takes = 0;                     // payloads of a workgroup, where it coalesces them; else 0
    std::array<std::uint32_t, 3> groups{};       // workgroups of a payload, always; 0: as many as it says,
    std::array<std::uint32_t, 3> most_groups{};  // and so many at most
    bool entry = false;                          // the API dispatches it
    std::string below;                           // the node that it emits for; empty: none
    std::uint32_t below_indexes = 1;             // nodes of that name
    std::uint32_t most = 0;                      // payloads that a workgroup emits
};

// SPIR-V of a node, of what a GLSL compiler made without optimisation (optimisers know nothing of nodes). Members of
// payloads are scalars and vectors of 32 bits; that named `groups` counts a payload's workgroups. Throws Error on what
// is no such shader.
[[nodiscard]] std::vector<std::uint32_t> make_node(std::span<const std::uint32_t> words, const NodeDesc& desc);

// A node as its SPIR-V has it.
struct NodeInterface {
    std::string name;
    std::uint32_t takes_bytes = 0;    // of a payload that it takes,
    std::uint32_t takes = 0;          // and how many, where it coalesces them
    std::string below;                // the node that it emits for,
    std::uint32_t emits_bytes = 0;    // a payload of that,
    std::uint32_t emits = 0;          // and how many a workgroup emits
    std::uint32_t below_indexes = 0;  // nodes of that name
    // What is wrong with it, in words, of the extension's rules that can be seen in one shader: validators know few of
    // them.
    std::vector<std::string> faults;
};

// Throws Error on what is no SPIR-V.
[[nodiscard]] NodeInterface node_interface(std::span<const std::uint32_t> words);

// What is wrong in these or between them, each of which is a node of a graph: payloads that differ in size, nodes that
// there are not, a chain without end. Empty: nothing.
[[nodiscard]] std::vector<std::string> graph_faults(std::span<const NodeInterface> nodes);

}  // namespace sublet::gpu
