// Shaders that become nodes of an execution graph, and mistakes in them that must be noticed.
#include "gpu/node_shader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/embedded.h"
#include "gpu/spirv.h"
#include "shaders/embedded.h"
#include "test_device.h"

namespace sublet::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

Words embedded(std::span<const std::uint32_t> shader) {
    const std::span<const std::uint32_t> words = unpack(shader);
    return {words.begin(), words.end()};
}

NodeDesc instances_node() {
    NodeDesc desc;
    desc.name = "instances";
    desc.most_groups = {32768, 511, 1};
    desc.entry = true;
    desc.below = "meshlets";
    desc.most = 128;
    return desc;
}

NodeDesc sublets_node() {
    NodeDesc desc;
    desc.name = "sublets";
    desc.takes = 16;
    desc.below = "draw";
    desc.below_indexes = 2;
    desc.most = 128;
    return desc;
}

NodeDesc draw_node() {
    NodeDesc desc;
    desc.name = "draw";
    desc.groups = {1, 1, 1};
    return desc;
}

// The nodes of a scene with two draw classes.
std::vector<NodeInterface> graph() {
    NodeDesc meshlets = instances_node();
    meshlets.name = "meshlets";
    meshlets.entry = false;
    meshlets.below = "sublets";
    meshlets.most = 32;
    const NodeInterface draw = node_interface(make_node(embedded(shaders::node_draw_mesh), draw_node()));
    return {node_interface(make_node(embedded(shaders::node_instances_comp), instances_node())),
            node_interface(make_node(embedded(shaders::node_meshlets_comp), meshlets)),
            node_interface(make_node(embedded(shaders::node_sublets_comp), sublets_node())), draw, draw};
}

// Faults of the node `sublets`, once its instructions were changed: `change` is called with each, to return what is to
// stand in its place.
std::vector<std::string> faults_of(const std::function<Words(spirv::Instruction)>& change) {
    const Words good = make_node(embedded(shaders::node_sublets_comp), sublets_node());
    Words bad(good.begin(), good.begin() + spirv::kHeaderWords);
    spirv::for_each_instruction(good, [&](spirv::Instruction instruction) {
        const Words changed = change(instruction);
        bad.insert(bad.end(), changed.begin(), changed.end());
    });
    EXPECT_NE(bad, good) << "nothing was changed";
    return node_interface(bad).faults;
}

bool tells(const std::vector<std::string>& faults, std::string_view of) {
    return std::ranges::any_of(faults, [&](const std::string& fault) { return fault.find(of) != std::string::npos; });
}

TEST(Nodes, OfTheGraphFitEachOther) {
    const std::vector<NodeInterface> nodes = graph();
    EXPECT_EQ(graph_faults(nodes), std::vector<std::string>{});
    const auto is = [&](std::size_t i, std::uint32_t takes_bytes, const char* below, std::uint32_t emits_bytes,
                        std::uint32_t emits) {
        EXPECT_EQ(nodes[i].takes_bytes, takes_bytes);
        EXPECT_EQ(nodes[i].below, below);
        EXPECT_EQ(nodes[i].emits_bytes, emits_bytes);
        EXPECT_EQ(nodes[i].emits, emits);
    };
    is(0, 16, "meshlets", 24, 128);
    is(1, 24, "sublets", 8, 32);
    is(2, 8, "draw", 8, 128);
    is(3, 8, "", 0, 0);
    EXPECT_EQ(nodes[2].takes, 16U);
}

TEST(Nodes, MistakesBetweenThemAreNoticed) {
    const auto faults = [](const std::function<void(std::vector<NodeInterface>&)>& change) {
        std::vector<NodeInterface> nodes = graph();
        change(nodes);
        return graph_faults(nodes);
    };
    EXPECT_TRUE(tells(faults([](auto& nodes) { nodes.pop_back(); }), "another number"));
    EXPECT_TRUE(tells(faults([](auto& nodes) { nodes[0].below = "nowhere"; }), "another number"));
    EXPECT_TRUE(tells(faults([](auto& nodes) { nodes[0].below = "sublets"; }), "payloads of 24 bytes"));
    EXPECT_TRUE(tells(faults([](auto& nodes) { nodes[4].takes_bytes = 12; }), "takes 12"));
    EXPECT_TRUE(tells(faults([](auto& nodes) { nodes[1].below = "meshlets"; }), "too many nodes"));
    EXPECT_TRUE(tells(faults([](auto& nodes) { nodes[2].faults = {"it is odd"}; }), "node 'sublets': it is odd"));
}

TEST(Nodes, MistakesInOneAreNoticed) {
    const auto made = [](std::span<const std::uint32_t> shader, const NodeDesc& desc) {
        return node_interface(make_node(embedded(shader), desc)).faults;
    };
    NodeDesc desc = sublets_node();
    desc.most = 257;
    EXPECT_TRUE(tells(made(shaders::node_sublets_comp, desc), "257 payloads"));
    desc = sublets_node();
    desc.takes = 4096;
    EXPECT_TRUE(tells(made(shaders::node_sublets_comp, desc), "33792 bytes"));
    desc.takes = 0;
    EXPECT_TRUE(tells(made(shaders::node_sublets_comp, desc), "coalesces none"));
    desc = instances_node();
    desc.takes = 16;
    EXPECT_TRUE(tells(made(shaders::node_instances_comp, desc), "coalesces none"));
    EXPECT_TRUE(tells(made(shaders::node_instances_comp, desc), "WorkgroupId"));
    desc = draw_node();
    desc.groups = {};
    EXPECT_TRUE(tells(made(shaders::node_draw_mesh, desc), "how many workgroups"));
    // An ordinary shader takes and emits nothing.
    EXPECT_TRUE(tells(made(shaders::cull_instances_comp, instances_node()), "capability"));
}

TEST(Nodes, MistakesInTheirCodeAreNoticed) {
    const auto kept = [](spirv::Instruction instruction) { return Words(instruction.begin(), instruction.end()); };
    const auto without = [&](std::uint32_t opcode) {
        return faults_of([&, opcode](spirv::Instruction instruction) {
            return spirv::opcode(instruction) == opcode ? Words{} : kept(instruction);
        });
    };
    EXPECT_TRUE(tells(without(spirv::kCapability), "capability"));
    EXPECT_TRUE(tells(without(spirv::kEnqueuePayloads), "other payloads than it allocates"));
    EXPECT_TRUE(tells(without(spirv::kConstantString), "which node"));
    EXPECT_TRUE(tells(without(spirv::kMemberDecorate), "no offset"));
    EXPECT_TRUE(tells(without(spirv::kDecorateId), "how many payloads"));
    // Where some lanes may go another way: in a branch, or once some have returned from one.
    EXPECT_TRUE(tells(faults_of([&](spirv::Instruction instruction) {
                          Words words = kept(instruction);
                          if (spirv::opcode(instruction) == spirv::kAllocatePayloads) {
                              words.insert(words.begin(), {3U << 16U | spirv::kSelectionMerge, ~0U, 0U});
                          }
                          return words;
                      }),
                      "not all of its lanes"));
    EXPECT_TRUE(tells(faults_of([&](spirv::Instruction instruction) {
                          Words words = kept(instruction);
                          if (spirv::opcode(instruction) == spirv::kAllocatePayloads) {
                              words.insert(words.begin(), {3U << 16U | spirv::kSelectionMerge, 7U, 0U,
                                                           1U << 16U | spirv::kReturn, 2U << 16U | spirv::kLabel, 7U});
                          }
                          return words;
                      }),
                      "not all of its lanes"));
    // The number of workgroups is known to no node.
    EXPECT_TRUE(tells(faults_of([&](spirv::Instruction instruction) {
                          Words words = kept(instruction);
                          if (spirv::opcode(instruction) == spirv::kDecorate && words[2] == spirv::kBuiltIn) {
                              words[3] = spirv::kNumWorkgroups;
                          }
                          return words;
                      }),
                      "NumWorkgroups"));
}

// A graph of two draw classes that draw depth alone, as pipelines have it.
ExecutionGraphDesc graph_desc() {
    NodeDesc meshlets = instances_node();
    meshlets.name = "meshlets";
    meshlets.entry = false;
    meshlets.below = "sublets";
    meshlets.most = 32;
    ExecutionGraphDesc desc;
    desc.name = "graph";
    desc.nodes = {{.node = instances_node(), .shader = {.spirv = shaders::node_instances_comp}},
                  {.node = meshlets, .shader = {.spirv = shaders::node_meshlets_comp}},
                  {.node = sublets_node(), .shader = {.spirv = shaders::node_sublets_comp}}};
    desc.draw = draw_node();
    for (int i = 0; i < 2; ++i) {
        GraphicsPipelineDesc draw;
        draw.name = "draw";
        draw.mesh.spirv = shaders::node_draw_mesh;
        draw.depth_format = VK_FORMAT_D32_SFLOAT;
        draw.faces = Faces{};
        desc.draws.push_back(std::move(draw));
    }
    return desc;
}

// Mistakes end in an error before a driver sees them, which need not notice any.
TEST(Nodes, MistakesEndPipelines) {
    Instance instance({.validation = test::validation_knows_new_extensions()});
    Device device(instance, {});
    const auto error = [&](const std::function<void(ExecutionGraphDesc&)>& change) {
        ExecutionGraphDesc desc = graph_desc();
        change(desc);
        return error_of([&] { const Pipeline pipeline(device, desc); });
    };
    if (!device.capabilities().execution_graphs) {
        EXPECT_TRUE(mentions(error([](auto&) {}), "has no execution graphs"));
        GTEST_SKIP() << "no execution graphs here";
    }
    EXPECT_TRUE(Pipeline(device, graph_desc()));
    EXPECT_TRUE(mentions(error([](auto& desc) { desc.nodes[2].node.most = 300; }), "300 payloads"));
    EXPECT_TRUE(mentions(error([](auto& desc) { desc.nodes[1].node.below = "draw"; }), "another number"));
    EXPECT_TRUE(mentions(error([](auto& desc) { desc.draws.pop_back(); }), "another number"));
    EXPECT_TRUE(mentions(error([](auto& desc) { desc.draw.groups = {}; }), "how many workgroups"));
    EXPECT_EQ(instance.validation_messages(), 0U);
}

TEST(Nodes, WhatIsCutOffIsRefused) {
    Words words = embedded(shaders::node_sublets_comp);
    words.resize(spirv::kHeaderWords + 1);  // of an instruction of two words
    EXPECT_THROW((void)make_node(words, sublets_node()), Error);
    EXPECT_THROW((void)node_interface(words), Error);
    EXPECT_THROW((void)make_node({}, sublets_node()), Error);
}

}  // namespace
}  // namespace sublet::gpu
