#include "render/settings/backend_info.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "gpu/embedded.h"
#include "gpu/shader_interface.h"
#include "render/settings/frame_plan.h"
#include "shaders/embedded.h"
#include "shaders/shared/scene.h"

namespace sublet::render {
namespace {

std::optional<std::string> nothing(const gpu::Capabilities& /*capabilities*/, const SceneFacts& /*scene*/) {
    return std::nullopt;
}

constexpr const char* kNotBindless =
    "this device does not index textures freely (shaderSampledImageArrayNonUniformIndexing)";

std::optional<std::string> lacking_mesh(const gpu::Capabilities& capabilities, const SceneFacts& /*scene*/) {
    if (!capabilities.mesh_shader) return "this device has no mesh shaders (VK_EXT_mesh_shader)";
    if (!plan_device(capabilities).bindless) return kNotBindless;
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

// Edge functions are exact up to this window (shaders/backends/raster_triangle.glsl).
constexpr std::uint32_t kMostRasterSide = 16384;

std::optional<std::string> lacking_raster(const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    if (!capabilities.shader_int64) return "this device has no 64-bit integers in shaders (shaderInt64)";
    if (!plan_device(capabilities).bindless) return kNotBindless;
    const std::string window =
        "the window has " + std::to_string(scene.width) + "x" + std::to_string(scene.height) + " pixels, ";
    if (std::max(scene.width, scene.height) > kMostRasterSide) {
        return window + "and it draws at most " + std::to_string(kMostRasterSide) + " to a side";
    }
    const std::uint64_t layers = scene.transmissive ? 2 : 1;
    const std::uint64_t bytes = layers * scene.width * scene.height * kRasterPixelBytes;
    if (bytes > capabilities.limits.maxStorageBufferRange) {
        return window + "which take " + std::to_string(bytes >> 20U) + " MiB in one buffer, and this device binds " +
               std::to_string(capabilities.limits.maxStorageBufferRange >> 20U);
    }
    return std::nullopt;
}

std::optional<std::string> lacking_generated(const gpu::Capabilities& capabilities, const SceneFacts& /*scene*/) {
    if (!capabilities.generated_commands) {
        return "this device has no device generated commands (VK_EXT_device_generated_commands), or a validation layer "
               "that is older than those (1.3.298)";
    }
    const DevicePlan device = plan_device(capabilities);
    if (!device.mesh_tasks && !device.numbers_triangles && !device.finds_corners) {
        return "this device has neither mesh shaders nor numbers of triangles in fragment shaders (geometryShader)";
    }
    return std::nullopt;
}

std::optional<std::string> lacking_graph(const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    if (!capabilities.execution_graphs) {
        return "this device has no execution graphs with mesh nodes (VK_AMDX_shader_enqueue, version 2), or a "
               "validation "
               "layer that is older than those (1.3.298)";
    }
    return lacking_mesh(capabilities, scene);
}

const std::array kTable{
    BackendInfo{.backend = Backend::kRaster,
                .name = "raster",
                .help = "compute culls down to sublets and rasterises their triangles itself",
                .instead = Backend::kCompact,
                .lacking = lacking_raster,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kRaster,
                .mesh_shader = false},
    BackendInfo{.backend = Backend::kCompact,
                .name = "compact",
                .help = "compute culls down to triangles and writes a list of indices for each draw class",
                .instead = Backend::kMdi,
                .lacking = nothing,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kCompute,
                .mesh_shader = false},
    BackendInfo{.backend = Backend::kMeshIndirect,
                .name = "mesh-indirect",
                .help = "compute culls down to triangles, packed into batches for mesh shaders",
                .instead = Backend::kCompact,
                .lacking = lacking_mesh,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kCompute,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kTaskMesh,
                .name = "task-mesh",
                .help = "compute culls down to triangles, which task shaders pack into mesh workgroups",
                .instead = Backend::kMeshIndirect,
                .lacking = lacking_task,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kCompute,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kMeshSublets,
                .name = "mesh-sublets",
                .help = "compute culls down to sublets, and mesh shaders cull their triangles",
                .instead = Backend::kMeshIndirect,
                .lacking = lacking_mesh,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kMeshShader,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kTaskFlat,
                .name = "task-flat",
                .help = "compute culls instances, task shaders a task each, mesh shaders triangles",
                .instead = Backend::kTaskHierarchical,
                .lacking = lacking_task_flat,
                .survivors = Survivors::kNone,
                .primitives = PrimitiveCulling::kMeshShader,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kTaskHierarchical,
                .name = "task-hierarchical",
                .help = "task shaders cull 32 tasks each, mesh shaders sublets and triangles",
                .instead = Backend::kMeshSublets,
                .lacking = lacking_task,
                .survivors = Survivors::kNone,
                .primitives = PrimitiveCulling::kMeshShader,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kMdi,
                .name = "mdi",
                .help = "compute culls down to sublets, and each run of them that lie side by side is a draw",
                .instead = Backend::kDirect,
                .lacking = nothing,
                .survivors = Survivors::kMeshlets,
                .primitives = PrimitiveCulling::kNone,
                .mesh_shader = false},
    BackendInfo{.backend = Backend::kDirect,
                .name = "direct",
                .help = "the CPU culls instances and records a draw for each: the reference",
                .instead = Backend::kDirect,
                .lacking = nothing,
                .survivors = Survivors::kNone,
                .primitives = PrimitiveCulling::kNone,
                .mesh_shader = false},
    // What `auto` never takes.
    BackendInfo{.backend = Backend::kGenerated,
                .name = "generated",
                .help = "as mdi, but the GPU generates commands, by mesh shaders where it has them",
                .instead = Backend::kMdi,
                .lacking = lacking_generated,
                .survivors = Survivors::kMeshlets,
                .primitives = PrimitiveCulling::kNone,
                .mesh_shader = false},
    BackendInfo{.backend = Backend::kGraph,
                .name = "graph",
                .help = "an execution graph, played by compute level by level; its last nodes are mesh shaders",
                .instead = Backend::kMdi,
                .lacking = nothing,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kMeshShader,
                .mesh_shader = true},
    BackendInfo{.backend = Backend::kGraphAmdx,
                .name = "graph-amdx",
                .help = "the same graph, played by the driver in one dispatch (VK_AMDX_shader_enqueue)",
                .instead = Backend::kGraph,
                .lacking = lacking_graph,
                .survivors = Survivors::kSublets,
                .primitives = PrimitiveCulling::kMeshShader,
                .mesh_shader = true},
};

std::optional<std::string> lacking(const BackendInfo& info, const gpu::Capabilities& capabilities,
                                   const SceneFacts& scene) {
    if (auto reason = info.lacking(capabilities, scene)) return reason;
    const std::uint32_t most = capabilities.limits.maxPerStageDescriptorStorageBuffers;
    if (most >= kEnoughStorageBuffers) return std::nullopt;
    const std::uint32_t needed = storage_buffers();
    if (most < needed) {
        return "one of its shaders reads and writes " + std::to_string(needed) +
               " storage buffers, and this device binds " + std::to_string(most) + " in a stage";
    }
    return std::nullopt;
}

}  // namespace

std::uint32_t storage_buffers() {
    static const std::uint32_t count =
        gpu::storage_buffers(gpu::shader_interface(gpu::unpack(shaders::shade_comp), VK_SHADER_STAGE_ALL));
    return count;
}

std::span<const BackendInfo> backend_table() {
    return kTable;
}

const BackendInfo& backend_info(Backend backend) {
    for (const BackendInfo& info : kTable) {
        if (info.backend == backend) return info;
    }
    throw Error("settings", "backend", "has no row in its table");
}

BackendInfo backend_info(const FramePlan& plan) {
    BackendInfo info = backend_info(plan.backend);
    if (info.backend == Backend::kGraph && !plan.device.mesh_tasks) {
        info.primitives = PrimitiveCulling::kNone;
        info.mesh_shader = false;
    }
    return info;
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
