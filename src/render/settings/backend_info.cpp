#include "render/settings/backend_info.h"

#include <array>
#include <vector>

#include "base/error.h"
#include "shaders/shared/scene.h"

namespace sublet::render {
namespace {

std::optional<std::string> nothing(const gpu::Capabilities& /*capabilities*/, const SceneFacts& /*scene*/) {
    return std::nullopt;
}

std::optional<std::string> lacking_runs(const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    if (!capabilities.multi_draw || !(capabilities.draw_parameters || capabilities.first_instance)) {
        return "this device has no indirect draws of several commands that tell which of them a vertex belongs to "
               "(multiDrawIndirect, with shaderDrawParameters or drawIndirectFirstInstance)";
    }
    if (!capabilities.geometry_shader) {
        return "this device's fragments don't number the triangles of a draw (geometryShader)";
    }
    if (scene.run_draws > capabilities.limits.maxDrawIndirectCount) {
        return "the scene may leave " + std::to_string(scene.run_draws) +
               " runs to one call, and this device draws at most " +
               std::to_string(capabilities.limits.maxDrawIndirectCount);
    }
    if (scene.run_rounds > kMostCullRounds) {
        return "the scene's runs would be culled in " + std::to_string(scene.run_rounds) + " rounds, and at most " +
               std::to_string(kMostCullRounds) + " are recorded";
    }
    return std::nullopt;
}

std::optional<std::string> lacking_mesh(const gpu::Capabilities& capabilities, const SceneFacts& /*scene*/) {
    if (!capabilities.mesh_shader) return "this device has no mesh shaders (VK_EXT_mesh_shader)";
    return std::nullopt;
}

std::optional<std::string> lacking_task(const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    if (auto reason = lacking_mesh(capabilities, scene)) return reason;
    if (!capabilities.task_shader) return "this device has no task shaders (taskShader of VK_EXT_mesh_shader)";
    return std::nullopt;
}

std::optional<std::string> lacking_task_flat(const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    if (auto reason = lacking_task(capabilities, scene)) return reason;
    if (scene.meshlets.chunks > shared::kMostMeshGroups) {
        return "the scene has " + std::to_string(scene.meshlets.chunks) + " tasks, and its draws launch at most " +
               std::to_string(shared::kMostMeshGroups);
    }
    return std::nullopt;
}

// The storage buffers are those of the meshlet pass of culling, of the primitive pass, or of the task shader that does
// the work of the first; for direct, of the shading pass.
constexpr std::array kTable{
    BackendInfo{.backend = Backend::kCompact,
                .name = "compact",
                .help = "compute culls down to triangles and writes one list of indices for each draw class",
                .instead = Backend::kMdiMeshlets,
                .storage_buffers = 16,
                .lacking = nothing,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kCompute,
                .mesh_shader = false},
    BackendInfo{.backend = Backend::kMeshIndirect,
                .name = "mesh-indirect",
                .help = "compute culls down to triangles and packs them into batches for mesh shaders",
                .instead = Backend::kCompact,
                .storage_buffers = 16,
                .lacking = lacking_mesh,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kCompute,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kTaskMesh,
                .name = "task-mesh",
                .help = "compute culls down to triangles, and task shaders pack them into mesh workgroups",
                .instead = Backend::kMeshIndirect,
                .storage_buffers = 16,
                .lacking = lacking_task,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kCompute,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kMeshSublets,
                .name = "mesh-sublets",
                .help = "compute culls down to sublets, and mesh shaders cull their triangles",
                .instead = Backend::kMeshIndirect,
                .storage_buffers = 16,
                .lacking = lacking_mesh,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kMeshShader,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kTaskFlat,
                .name = "task-flat",
                .help = "compute culls instances, task shaders the meshlets of a task each, mesh shaders triangles",
                .instead = Backend::kTaskHierarchical,
                .storage_buffers = 17,
                .lacking = lacking_task_flat,
                .survivors = Survivors::kNone,
                .primitives = PrimitiveCulling::kMeshShader,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kTaskHierarchical,
                .name = "task-hierarchical",
                .help = "task shaders cull the instances and meshlets of 32 tasks each, mesh shaders triangles",
                .instead = Backend::kMeshSublets,
                .storage_buffers = 17,
                .lacking = lacking_task,
                .survivors = Survivors::kNone,
                .primitives = PrimitiveCulling::kMeshShader,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kMdi,
                .name = "mdi",
                .help = "compute culls down to sublets, and each run of them that lie side by side is a draw",
                .instead = Backend::kMdiMeshlets,
                .storage_buffers = 17,
                .lacking = lacking_runs,
                .survivors = Survivors::kRuns,
                .primitives = PrimitiveCulling::kNone,
                .mesh_shader = false},
    BackendInfo{.backend = Backend::kMdiMeshlets,
                .name = "mdi-meshlets",
                .help = "compute culls meshlets, and each is a draw",
                .instead = Backend::kDirect,
                .storage_buffers = 15,
                .lacking = nothing,
                .survivors = Survivors::kMeshlets,
                .primitives = PrimitiveCulling::kNone,
                .mesh_shader = false},
    BackendInfo{.backend = Backend::kDirect,
                .name = "direct",
                .help = "the CPU culls instances and records a draw for each: the reference",
                .instead = Backend::kDirect,
                .storage_buffers = 9,
                .lacking = nothing,
                .survivors = Survivors::kNone,
                .primitives = PrimitiveCulling::kNone,
                .mesh_shader = false},
};

std::optional<std::string> lacking(const BackendInfo& info, const gpu::Capabilities& capabilities,
                                   const SceneFacts& scene) {
    if (auto reason = info.lacking(capabilities, scene)) return reason;
    const std::uint32_t most = capabilities.limits.maxPerStageDescriptorStorageBuffers;
    if (most < info.storage_buffers) {
        return "one of its shaders reads and writes " + std::to_string(info.storage_buffers) +
               " storage buffers, and this device binds " + std::to_string(most) + " in a stage";
    }
    return std::nullopt;
}

}  // namespace

std::span<const BackendInfo> backend_table() {
    return kTable;
}

const BackendInfo& backend_info(Backend backend) {
    for (const BackendInfo& info : kTable) {
        if (info.backend == backend) return info;
    }
    throw Error("settings", "backend", "has no row in its table");
}

std::span<const Backend> all_backends() {
    static const std::vector<Backend> all = [] {
        std::vector<Backend> out;
        for (const BackendInfo& info : kTable) out.push_back(info.backend);
        return out;
    }();
    return all;
}

std::string_view backend_name(Backend backend) {
    return backend_info(backend).name;
}

std::optional<std::string> backend_unavailable(Backend backend, const gpu::Capabilities& capabilities,
                                               const SceneFacts& scene) {
    if (!capabilities.unusable.empty()) return capabilities.unusable;
    const BackendInfo* info = &backend_info(backend);
    auto reason = lacking(*info, capabilities, scene);
    if (!reason) return std::nullopt;
    while (info->instead != info->backend) {
        info = &backend_info(info->instead);
        if (!lacking(*info, capabilities, scene)) return *reason + ": use " + std::string(info->name);
    }
    return reason;
}

}  // namespace sublet::render
