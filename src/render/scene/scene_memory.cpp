#include "render/scene/scene_memory.h"

#include <algorithm>
#include <glm/vec4.hpp>

#include "base/count_text.h"
#include "base/error.h"
#include "base/free_memory.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {
namespace {

struct Placed {
    std::uint64_t instances = 0, sublets = 0;

    void add(const shared::MeshHeader& mesh, std::uint64_t times) {
        if (mesh.meshlet_count == 0) return;
        instances += times;
        sublets += times * mesh.sublet_count;
    }
};

Placed count_placed(const scene::EncodedScene& scene, const scene::Grid& grid) {
    Placed placed;
    const auto add_group = [&](const scene::MeshGroup& group, std::uint64_t times) {
        for (const shared::MeshHeader& mesh : scene.geometry.meshes.subspan(group.first_mesh, group.mesh_count)) {
            placed.add(mesh, times);
        }
    };
    if (!grid.empty()) {
        const std::uint64_t places = std::uint64_t{grid.count.x} * grid.count.y * grid.count.z;
        if (!scene.scene.mesh_groups.empty()) add_group(scene.scene.mesh_groups[0], places);
        return placed;
    }
    const std::vector<char> drawable = scene::drawable_nodes(scene.scene);
    for (std::size_t i = 0; i < scene.scene.nodes.size(); ++i) {
        const int group = scene.scene.nodes[i].mesh_group;
        if (group >= 0 && drawable[i] != 0) add_group(scene.scene.mesh_groups[static_cast<std::size_t>(group)], 1);
    }
    return placed;
}

std::string mib(std::uint64_t bytes) {
    return grouped((bytes + (1U << 20U) - 1) >> 20U) + " MiB";
}

[[noreturn]] void refuse(const SceneMemory& need, std::uint64_t bytes, std::uint64_t room, const std::string& whose) {
    throw Error("scene", "memory",
                "it takes at least " + mib(bytes) + " (geometry " + mib(need.geometry) + ", decoded " +
                    mib(need.decoded) + ", instances " + mib(need.instances) +
                    (need.left_out != 0 ? "; without levels of detail of " + mib(need.left_out) : "") + "), but " +
                    whose + " has " + grouped(room >> 20U) +
                    " MiB left: close other programs, or draw fewer instances or a smaller scene");
}

}  // namespace

SceneMemory scene_memory(const scene::EncodedScene& scene, const SceneSettings& settings, bool finds_corners) {
    const mesh::GeometryView& geometry = scene.geometry;
    SceneMemory out;
    // A buffer is bound where there are no streams, too.
    const std::uint64_t streams =
        std::max(geometry.streams.size_bytes() + geometry.morph_streams.size_bytes(), sizeof(shared::StreamHeader));
    out.geometry = geometry.meshes.size_bytes() + geometry.sublet_bounds.size_bytes() +
                   geometry.meshlet_bounds.size_bytes() + streams + geometry.payload.size_bytes() +
                   geometry.morph_payload.size_bytes() + geometry.lod_groups.size_bytes() +
                   geometry.lod_meshlets.size() * sizeof(shared::CutPlace);
    for (const shared::MeshHeader& mesh : geometry.meshes) {
        const std::uint64_t words = 2 + mesh.attribute_stride + (finds_corners ? 1 : 0);
        out.decoded += mesh.vertex_count * words * sizeof(std::uint32_t);
    }
    out.decoded += geometry.meshlet_bounds.size() * sizeof(shared::MeshletRange) +
                   geometry.sublet_bounds.size() * sizeof(shared::SubletRecord);

    const Placed placed = count_placed(scene, settings.grid);
    constexpr std::uint64_t kWord = sizeof(std::uint32_t);
    const std::uint64_t lists = placed.instances * (sizeof(shared::FirstOf) + sizeof(shared::TaskSource));
    const std::uint64_t blocks = std::min(placed.sublets, 2 * placed.instances) * kWord;
    out.instances = placed.instances * sizeof(shared::Instance) + lists + blocks;
    // While they are placed; and while they are uploaded.
    const std::uint64_t kept = placed.instances * (sizeof(shared::Instance) + sizeof(glm::vec4)) +
                               geometry.meshlet_bounds.size() * (sizeof(shared::Bound) + sizeof(std::uint16_t));
    out.host = kept + std::max(placed.instances * sizeof(scene::Instance),
                               placed.instances * sizeof(shared::Instance) + lists);
    return out;
}

MemoryRoom memory_room(const gpu::Device& device) {
    const gpu::MemoryUsage usage = device.memory_usage();
    return {usage.budget - std::min(usage.budget, usage.used), free_memory_bytes(), usage.budget};
}

VramBudget vram_budget(const SceneSettings& settings, std::uint64_t granted, std::uint64_t left,
                       std::uint64_t whole_geometry) {
    const std::uint64_t given = std::min(settings.texture_budget, left);
    const std::uint64_t usual = given != 0 ? given + (left - given) / 2 : granted / 2;
    VramBudget out{.all = settings.vram_budget != 0 ? settings.vram_budget : std::min(usual, left - left / 4)};
    out.textures = settings.texture_budget != 0 ? std::min(settings.texture_budget, out.all)
                                                : std::max(out.all / 2, out.all - std::min(out.all, whole_geometry));
    return out;
}

void require_room(const SceneMemory& need, const MemoryRoom& room, const gpu::Capabilities& device) {
    if (need.device() > room.device) refuse(need, need.device(), room.device, device.name);
    const bool shares = device.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const std::uint64_t of_machine = need.host + (shares ? need.device() : 0);
    if (of_machine > room.machine) refuse(need, of_machine, room.machine, "the machine");
}

}  // namespace sublet::render
