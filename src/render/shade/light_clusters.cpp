#include "render/shade/light_clusters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <utility>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/lights.h"

namespace sublet::render {
namespace {

constexpr std::uint64_t kDefaultBudget = std::uint64_t{16} << 20U;
constexpr std::uint64_t kMostSum = (std::uint64_t{1} << 30U) - 1;  // Scan::limit_is_30_bits()
constexpr std::uint32_t kCullLanes = 64;
constexpr std::uint32_t kLightWords = sizeof(shared::PunctualLight) / sizeof(std::uint32_t);

gpu::ComputePipelineDesc cull_desc() {
    return {.name = "cull lights", .shader = {.spirv = shaders::lights_cull_comp}};
}

gpu::ComputePipelineDesc blocks_desc() {
    return {.name = "lights of large blocks", .shader = {.spirv = shaders::lights_blocks_comp}};
}

gpu::ComputePipelineDesc cluster_desc() {
    return {.name = "cluster lights", .shader = {.spirv = shaders::lights_cluster_comp}};
}

std::uint32_t cluster_count(const shared::ClusterState& state) {
    return state.tiles.x * state.tiles.y * shared::kClusterSlices;
}

// Of clusters, `size` each way.
struct BlockGrid {
    BlockGrid(const shared::ClusterState& state, std::uint32_t size)
        : x((state.tiles.x + size - 1) / size),
          y((state.tiles.y + size - 1) / size),
          z(shared::kClusterSlices / size) {}

    [[nodiscard]] std::uint32_t count() const { return x * y * z; }

    std::uint32_t x, y, z;
};

std::uint32_t block_words(const shared::ClusterState& state) {
    return std::min(shared::kMostBlockWords, 1 + state.lights - state.everywhere);
}

// Slices begin at a thousandth of the way to the scene's far end, or at the near plane; the last begins at that end.
void place_slices(shared::ClusterState& state, const View& view, const glm::vec4& bounds) {
    constexpr float kNearest = 1e-3F;
    const float end = glm::distance(view.eye, glm::vec3(bounds)) + bounds.w;
    const float near = view.orthographic ? 0.0F : view.near_plane;
    state.nearest = std::max({near, end * kNearest, 1e-20F});
    const float octaves = std::log2(std::max(end / state.nearest, 2.0F));
    state.slices_per_octave = static_cast<float>(shared::kClusterSlices - 2) / octaves;
}

shared::ClusterState cluster_state(const ViewContext& context, VkExtent2D extent) {
    const SceneLights& lights = context.scene.lights;
    const auto tiles = [](std::uint32_t pixels) { return (pixels + shared::kClusterTile - 1) / shared::kClusterTile; };
    shared::ClusterState state{};
    state.tiles = {tiles(extent.width), tiles(extent.height)};
    state.lights = lights.count;
    state.first_end = shared::kClusterWords + (lights.count + shared::kLightsAligned - 1) / shared::kLightsAligned *
                                                  shared::kLightsAligned * kLightWords;
    state.everywhere = lights.everywhere;
    state.reach = context.hooks.fault == Fault::kLightsReachLess ? 0.7F : 1.0F;
    if (lights.count == lights.everywhere) return state;
    place_slices(state, context.geometry.view, context.scene.bounds);
    const std::uint64_t clusters = cluster_count(state);
    const std::uint64_t budget = context.plan.light_budget == 0 ? kDefaultBudget : context.plan.light_budget;
    const std::uint64_t all = clusters * (lights.count - lights.everywhere);
    state.capacity = static_cast<std::uint32_t>(
        std::min({budget / sizeof(std::uint32_t), all, kMostSum, std::uint64_t{context.hooks.most_light_words}}));
    state.most = static_cast<std::uint32_t>(kMostSum / clusters - 1);
    return state;
}

// Room for `bytes` or more.
void keep_room(gpu::Device& device, gpu::Buffer& buffer, const char* name, std::uint64_t bytes,
               VkBufferUsageFlags usage = 0) {
    if (buffer && buffer.size() == bytes) return;
    gpu::Buffer made = make_storage_buffer(device, name, bytes, usage);
    device.retire(std::exchange(buffer, std::move(made)));
}

}  // namespace

bool lights_shine(const GpuScene& scene, const FramePlan& plan) {
    return plan.lights && scene.lights.count != 0 && (plan.show == Show::kShaded || plan.show == Show::kCulled);
}

LightClusterPass::LightClusterPass(gpu::Device& device)
    : device_(device), scan_(device.capabilities(), {.most_sum = kMostSum}) {}

void LightClusterPass::make_room(LightClusters& lights, const shared::ClusterState& state) {
    const std::uint32_t ranged = state.lights - state.everywhere;
    const std::uint32_t clusters = ranged == 0 ? 0 : cluster_count(state);
    keep_room(device_, lights.clusters, "clusters of lights",
              (std::uint64_t{state.first_end} + clusters + state.capacity) * sizeof(std::uint32_t));
    if (ranged == 0) {
        for (gpu::Buffer* buffer : {&lights.order, &lights.in_view, &lights.blocks, &lights.workspace}) {
            device_.retire(std::exchange(*buffer, {}));
        }
        return;
    }
    keep_room(device_, lights.order, "order of lights", std::uint64_t{ranged} * sizeof(std::uint32_t));
    keep_room(device_, lights.in_view, "lights in view", std::uint64_t{ranged} * sizeof(shared::ClusterLight));
    keep_room(device_, lights.blocks, "lights of blocks of clusters",
              (std::uint64_t{BlockGrid(state, shared::kClusterBlock).count()} * block_words(state) +
               std::uint64_t{BlockGrid(state, shared::kLargeBlock).count()} * (1 + ranged)) *
                  sizeof(std::uint32_t));
    const std::uint32_t most = std::max(ranged, clusters);
    if (!lights.workspace || lights.workspace.size() != scan_.workspace_bytes(most)) {
        device_.retire(std::exchange(lights.workspace, scan_.make_workspace(device_, most)));
    }
}

void LightClusterPass::record(const ViewContext& context, PictureState& picture, VkExtent2D extent) {
    LightClusters& lights = picture.lights;
    if (!lights_shine(context.scene, context.plan)) {
        for (gpu::Buffer* buffer : lights.all()) device_.retire(std::exchange(*buffer, {}));
        return;
    }
    const shared::ClusterState state = cluster_state(context, extent);
    make_room(lights, state);
    VkCommandBuffer commands = context.frame.commands;
    const auto pass = context.pass("cluster lights");
    vkCmdUpdateBuffer(commands, lights.clusters.handle(), 0, sizeof(state), &state);
    const gpu::Buffer& of_scene = context.scene.lights.lights;
    const VkBufferCopy copy{0, shared::kClusterWords * sizeof(std::uint32_t),
                            state.lights * sizeof(shared::PunctualLight)};
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kTransferRead);
    vkCmdCopyBuffer(commands, of_scene.handle(), lights.clusters.handle(), 1, &copy);
    const std::vector<std::uint32_t>& dark = context.scene.lights.dark;
    const bool have_maps = (shown_shadows(context.scene, context.plan) & shared::kLightShadows) != 0;
    if (have_maps || !dark.empty()) gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kTransferWrite);
    for (const std::uint32_t light : dark) {
        const VkDeviceSize at = copy.dstOffset + light * sizeof(shared::PunctualLight);
        vkCmdFillBuffer(commands, lights.clusters.handle(), at + offsetof(shared::PunctualLight, color),
                        sizeof(shared::PunctualLight::color), 0);
    }
    if (have_maps) {
        for (const ShadowMaps::Lit& lit : picture.shadows.lights()) {
            const VkDeviceSize at = copy.dstOffset + lit.light * sizeof(shared::PunctualLight);
            vkCmdUpdateBuffer(commands, lights.clusters.handle(), at + offsetof(shared::PunctualLight, maps),
                              sizeof(lit.maps), &lit.maps);
        }
    }
    gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
    const std::uint32_t ranged = state.lights - state.everywhere;
    if (ranged == 0) return;

    const std::vector<gpu::Descriptor> set{gpu::buffer_at(shared::kBindLights, of_scene),
                                           gpu::buffer_at(shared::kBindLightOrder, lights.order),
                                           gpu::buffer_at(shared::kBindLightsInView, lights.in_view),
                                           gpu::buffer_at(shared::kBindLightBlocks, lights.blocks),
                                           gpu::buffer_at(shared::kBindClusters, lights.clusters)};
    shared::ClusterConstants constants{};
    constants.size = {extent.width, extent.height};
    const BlockGrid small(state, shared::kClusterBlock);
    const BlockGrid large(state, shared::kLargeBlock);
    constants.block_words = block_words(state);
    constants.large_blocks = small.count() * constants.block_words;
    const auto sum = [&](const ScanRange& range, std::uint32_t count) {
        gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
        scan_.record(commands, *context.frame.descriptors, context.pipelines, range, range, {.most = count},
                     ScanKind::kInclusive, lights.workspace);
    };
    // Twice by the same pipeline: another one might round otherwise, and count other lights than it writes.
    const auto cull = [&](std::uint32_t write) {
        constants.write = write;
        context.bind(cull_desc(), set).push(commands, constants);
        dispatch_rows(commands, (ranged + kCullLanes - 1) / kCullLanes);
    };
    const auto cluster = [&](std::uint32_t write) {
        constants.write = write;
        context.bind(cluster_desc(), set).push(commands, constants);
        vkCmdDispatch(commands, small.x, small.y, small.z);
    };
    cull(0);
    sum({lights.order}, ranged);
    cull(1);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
    context.bind(blocks_desc(), set).push(commands, constants);
    vkCmdDispatch(commands, large.x, large.y, large.z);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
    cluster(0);
    sum({lights.clusters, state.first_end * sizeof(std::uint32_t)}, cluster_count(state));
    cluster(1);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
}

void LightClusterPass::add_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) const {
    if (!lights_shine(scene, plan) || scene.lights.count == scene.lights.everywhere) return;
    out.add(cull_desc());
    out.add(blocks_desc());
    out.add(cluster_desc());
    scan_.add_pipelines(1, out);  // there are few lights and clusters
}

}  // namespace sublet::render
