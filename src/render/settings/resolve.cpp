// What is left of the settings once a device and a scene have had their say.
#include <algorithm>
#include <optional>
#include <string>

#include "base/error.h"
#include "render/settings/backend_info.h"
#include "render/settings/frame_plan.h"
#include "render/settings/shows.h"
#include "shaders/shared/scene.h"

namespace sublet::render {
namespace {

// Pixels of a bounding box (docs/BENCHMARKS.md). On a CPU what a workgroup does together is dear.
constexpr std::uint32_t kRasterLimit = 16;
constexpr std::uint32_t kRasterLimitCpu = kMostRasterLimit;

// A processor that plays a GPU: the fewer tests, the better (docs/BENCHMARKS.md).
bool on_cpu(const gpu::Capabilities& capabilities) {
    return capabilities.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

bool culls_primitives_in_compute(const FramePlan& plan) {
    return backend_info(plan).primitives == PrimitiveCulling::kCompute;
}

// Whether a stage can run in subgroups of exactly `size` lanes, with what the sublet shaders need of them.
bool subgroups_of(std::uint32_t size, VkShaderStageFlagBits stage, const gpu::Capabilities& capabilities) {
    constexpr VkSubgroupFeatureFlags kOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                                                   VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
                                                   VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    const bool native = capabilities.min_subgroup_size == size && capabilities.max_subgroup_size == size;
    return capabilities.has_subgroup_operations(stage, kOperations) &&
           (native || capabilities.can_require_subgroup_size(stage, size));
}

MdiVertices mdi_vertices(const DevicePlan& device, const gpu::Capabilities& capabilities) {
    if (!capabilities.multi_draw) return MdiVertices::kInstanced;
    if (capabilities.draw_parameters && (device.numbers_triangles || device.finds_corners))
        return MdiVertices::kDrawIndex;
    return capabilities.first_instance && device.numbers_triangles ? MdiVertices::kFirstInstance
                                                                   : MdiVertices::kInstanced;
}

// What the subgroup path takes of the device.
void plan_subgroups(FramePlan& plan, const gpu::Capabilities& capabilities) {
    plan.device.full_subgroups = capabilities.subgroup_size_control;
    if (plan.subgroup == SubgroupPath::kGeneral) return;
    const std::uint32_t size = plan.subgroup == SubgroupPath::k32 ? 32 : 64;
    if (capabilities.min_subgroup_size != capabilities.max_subgroup_size) plan.device.required_subgroup_size = size;
    // The setting is what the compute pass before does.
    plan.device.packed_subgroups =
        plan.meshlet_workgroup == 32 && subgroups_of(size, VK_SHADER_STAGE_MESH_BIT_EXT, capabilities);
}

void resolve_subgroup(FramePlan& plan, const FrameSettings& settings, VkShaderStageFlagBits stage,
                      const gpu::Capabilities& capabilities) {
    if (!settings.subgroup) {
        plan.subgroup = subgroups_of(32, stage, capabilities)   ? SubgroupPath::k32
                        : subgroups_of(64, stage, capabilities) ? SubgroupPath::k64
                                                                : SubgroupPath::kGeneral;
        return;
    }
    plan.subgroup = *settings.subgroup;
    if (plan.subgroup == SubgroupPath::kGeneral) return;
    const std::uint32_t size = plan.subgroup == SubgroupPath::k32 ? 32 : 64;
    if (!subgroups_of(size, stage, capabilities)) {
        throw Error(
            capabilities.name, "subgroup " + std::to_string(size),
            "this device can't be asked for subgroups of that size in the stage that culls primitives (it has " +
                std::to_string(capabilities.min_subgroup_size) + " to " +
                std::to_string(capabilities.max_subgroup_size) + "): use auto or general");
    }
}

void resolve_workgroup(FramePlan& plan, const FrameSettings& settings, const gpu::Capabilities& capabilities) {
    const VkPhysicalDeviceMeshShaderPropertiesEXT& mesh = capabilities.mesh;
    const std::uint32_t most = std::min({mesh.maxMeshWorkGroupInvocations, mesh.maxMeshWorkGroupSize[0],
                                         mesh.maxMeshOutputVertices, mesh.maxMeshOutputPrimitives});
    // With driver 580.159.04 lanes of larger workgroups were lost (a quarter of 128, some of 64) where mesh shaders
    // cull; the same shaders are right with 32 lanes there, and with any number on lavapipe. Those that draw what a
    // compute pass left are right with 64 and 128 there too.
    const bool small = capabilities.vendor_id == gpu::kVendorNvidia && !culls_primitives_in_compute(plan);
    if (!settings.meshlet_workgroup) {
        plan.meshlet_workgroup = 32;
        std::uint32_t preferred = small ? 32 : std::min(mesh.maxPreferredMeshWorkGroupInvocations, most);
        if (plan.backend == Backend::kTaskMesh) {
            preferred = std::min(preferred, 64U);  // 32 sublets rarely leave more
        }
        for (const std::uint32_t lanes : {64U, 128U, 256U}) {
            if (lanes <= preferred) plan.meshlet_workgroup = lanes;
        }
        return;
    }
    plan.meshlet_workgroup = *settings.meshlet_workgroup;
    if (plan.meshlet_workgroup > most) {
        throw Error(capabilities.name, "meshlet-workgroup " + std::to_string(plan.meshlet_workgroup),
                    "this device's mesh shaders have at most " + std::to_string(most) + " lanes and outputs");
    }
    if (small && plan.meshlet_workgroup > 32) {
        throw Error(capabilities.name, "meshlet-workgroup " + std::to_string(plan.meshlet_workgroup),
                    "NVIDIA's driver loses lanes of larger workgroups where mesh shaders cull triangles: use 32, or "
                    "mesh-indirect or task-mesh, whose triangles compute culls");
    }
}

// Whether rasterising in compute is what `auto` takes: on a GPU with memory of its own and 64-bit atomics. It was
// measured on one such alone, where it draws every scene faster than graphics pipelines do (docs/BENCHMARKS.md).
bool rasterises_well(const gpu::Capabilities& capabilities) {
    return capabilities.type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU && capabilities.int64_atomics;
}

// Where none was asked for.
Backend best_backend(const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    const auto works = [&](Backend backend) { return !backend_unavailable(backend, capabilities, scene); };
    // A CPU rasterises triangles faster than it tests them.
    if (on_cpu(capabilities) && works(Backend::kMdi)) return Backend::kMdi;
    for (const Backend backend : all_backends()) {
        if (backend == Backend::kRaster && !rasterises_well(capabilities)) continue;
        if (works(backend)) return backend;
    }
    throw Error(capabilities.name, "backend",
                "none works on this device: " + *backend_unavailable(Backend::kDirect, capabilities, scene));
}

// Null when two phases can keep bits of this detail.
std::optional<std::string> detail_unavailable(OcclusionDetail detail, const FramePlan& plan) {
    if (detail == OcclusionDetail::kMeshlets) return std::nullopt;
    if (backend_info(plan).survivors != Survivors::kSublets) {
        return std::string(backend_name(plan.backend)) + " keeps bits of meshlets alone: use mesh-indirect";
    }
    const bool primitives = detail == OcclusionDetail::kPrimitives;
    if (primitives && !culls_primitives_in_compute(plan)) {
        return std::string(backend_name(plan.backend)) +
               " keeps no bits of single triangles: use mesh-indirect, task-mesh or compact";
    }
    if (primitives && !plan.cull_primitives) return "primitive culling is off: use --cull-primitives on";
    return std::nullopt;
}

// For the backends that work on sublets.
void resolve_occlusion_detail(FramePlan& plan, const FrameSettings& settings, const gpu::Capabilities& capabilities) {
    const BackendInfo backend = backend_info(plan);
    if (backend.primitives == PrimitiveCulling::kNone && backend.survivors != Survivors::kSublets) return;
    if (settings.occlusion_detail) {
        if (const auto reason = detail_unavailable(*settings.occlusion_detail, plan)) {
            throw Error(capabilities.name,
                        settings.occlusion_detail == OcclusionDetail::kSublets ? "occlusion-detail sublets"
                                                                               : "occlusion-detail primitives",
                        *reason);
        }
        plan.occlusion_detail = *settings.occlusion_detail;
        return;
    }
    for (const OcclusionDetail best : {OcclusionDetail::kPrimitives, OcclusionDetail::kSublets}) {
        if (best == OcclusionDetail::kPrimitives && on_cpu(capabilities)) continue;
        if (!detail_unavailable(best, plan)) {
            plan.occlusion_detail = best;
            return;
        }
    }
}

// Payload, workgroup and subgroup path, for the backends that work on sublets.
void resolve_sublets(FramePlan& plan, const FrameSettings& settings, const gpu::Capabilities& capabilities) {
    const BackendInfo backend = backend_info(plan);
    if (backend.primitives == PrimitiveCulling::kNone) return;
    plan.payload = settings.payload.value_or(Payload::kDecoded);
    resolve_subgroup(plan, settings,
                     backend.primitives == PrimitiveCulling::kMeshShader ? VK_SHADER_STAGE_MESH_BIT_EXT
                                                                         : VK_SHADER_STAGE_COMPUTE_BIT,
                     capabilities);
    if (!backend.mesh_shader) return;
    resolve_workgroup(plan, settings, capabilities);
    if (plan.backend == Backend::kGraphAmdx) {  // of its mesh node there is one form
        plan.subgroup = SubgroupPath::kGeneral;
        plan.meshlet_workgroup = shared::kSubletSize;
    }
    const bool local = capabilities.mesh.prefersLocalInvocationVertexOutput == VK_TRUE ||
                       capabilities.mesh.prefersLocalInvocationPrimitiveOutput == VK_TRUE;
    plan.local_invocation_output = settings.local_invocation_output.value_or(local);
}

// For the backends whose meshlets are culled in compute.
void resolve_expansion(FramePlan& plan, const FrameSettings& settings, const gpu::Capabilities& capabilities,
                       const SceneFacts& scene) {
    if (backend_info(plan).survivors == Survivors::kNone) return;
    const ExpansionDemand demand = scene.demand(settings);
    plan.expansion = settings.expansion ? *settings.expansion : best_expansion(demand, capabilities);
    if (!settings.expansion) return;
    if (const auto reason = expansion_unavailable(plan.expansion, demand, capabilities)) {
        throw Error(capabilities.name, "expansion " + std::string(expansion_name(plan.expansion)), *reason);
    }
}

}  // namespace

ExpansionDemand SceneFacts::demand(const LevelSettings& chosen) const {
    ExpansionDemand out = meshlets;
    out.of_cut = levels && chosen.lod && chosen.lod_error > 0.0F;
    return out;
}

DevicePlan plan_device(const gpu::Capabilities& capabilities) {
    DevicePlan plan;
    plan.draw_count = capabilities.draw_count;
    plan.bindless = capabilities.descriptor_indexing;
    plan.texture_taps = on_cpu(capabilities);
    plan.narrow_index_bits = capabilities.index_uint8 ? 8 : 16;
    plan.numbers_triangles = capabilities.geometry_shader;
    plan.raster_words = !capabilities.int64_atomics;
    plan.peels_layers = !capabilities.int64_atomics || !capabilities.fragment_stores;
    // Numbering the triangles of many small draws takes this vendor's devices nearly twice as long
    // (docs/BENCHMARKS.md).
    plan.finds_corners = capabilities.vendor_id == gpu::kVendorNvidia && capabilities.barycentric && plan.bindless;
    plan.mesh_tasks = capabilities.mesh_shader && plan.bindless;
    plan.mdi_vertices = mdi_vertices(plan, capabilities);
    // Without a count on the GPU every slot of the list is a draw, and runs have four times as many.
    plan.mdi_runs = plan.mdi_vertices != MdiVertices::kInstanced && capabilities.draw_count;
    return plan;
}

namespace {

bool rasters(Backend backend) {
    return backend_info(backend).primitives == PrimitiveCulling::kRaster;
}

// That pixels of the window have room for in one buffer (shaders/view/layers.glsl).
std::uint32_t most_blend_layers(const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    const std::uint64_t pixels = std::uint64_t{scene.width} * scene.height;
    if (pixels == 0) return kMostBlendLayers;
    std::uint32_t layers = kMostBlendLayers;
    while (layers != 0 && blend_layer_bytes(pixels, layers) > capabilities.limits.maxStorageBufferRange) --layers;
    return layers;
}

}  // namespace

std::optional<std::string> blending_unavailable(const gpu::Capabilities& capabilities, const SceneFacts& scene,
                                                std::optional<Backend> backend) {
    if (most_blend_layers(capabilities, scene) == 0) {
        return "the window has " + std::to_string(scene.width) + "x" + std::to_string(scene.height) +
               " pixels, whose layers take more memory than this device binds at once: " +
               std::to_string(capabilities.limits.maxStorageBufferRange >> 20U) + " MiB";
    }
    if (scene.wide_ids) {
        return "layers tell apart 2^27 sublets over all instances, and this scene has " + std::to_string(scene.sublets);
    }
    if (!capabilities.descriptor_indexing) {
        return "layers take arrays of textures indexed freely (descriptor-indexing)";
    }
    if (backend && rasters(*backend) && !capabilities.int64_atomics) {
        return "the layers of backend " + std::string(backend_name(*backend)) +
               " take 64-bit atomics on buffers (int64-atomics)";
    }
    return std::nullopt;
}

std::optional<std::string> blending_note(const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    if (const auto reason = blending_unavailable(capabilities, scene)) {
        return "what blends is drawn opaque: " + *reason;
    }
    if (!plan_device(capabilities).peels_layers) return std::nullopt;
    return "graphics pipelines draw the nearest --blend-layers surfaces that blend in each pixel, without those "
           "behind: they take 64-bit atomics on buffers (int64-atomics), and fragment shaders that write them "
           "(fragment-stores)";
}

FramePlan resolve(const FrameSettings& settings, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    FramePlan plan;
    plan.device = plan_device(capabilities);
    plan.compact = scene.compact;
    plan.backend = settings.backend ? *settings.backend : best_backend(capabilities, scene);
    if (settings.backend) {
        if (const auto reason = backend_unavailable(plan.backend, capabilities, scene)) {
            throw Error(capabilities.name, "backend " + std::string(backend_name(plan.backend)), *reason);
        }
    }
    static_cast<CullSettings&>(plan) = settings;
    static_cast<LevelSettings&>(plan) = settings;
    plan.in_part = scene.in_part;
    plan.textures_in_part = scene.textures_in_part;
    if (plan.in_part && !plan.lod) {
        plan.lod = true;
        plan.lod_error = 0.0F;
    }
    static_cast<LookSettings&>(plan) = settings;
    static_cast<OverlaySettings&>(plan) = settings;
    plan.cull_occlusion = settings.cull_occlusion && culls_on_gpu(backend_info(plan));
    // Without, it draws whole meshlets.
    if (plan.backend == Backend::kMdi) plan.cull_sublets = settings.cull_sublets && plan.device.mdi_runs;
    if (const auto reason = view_unavailable(settings.show, capabilities, scene)) {
        throw Error(capabilities.name, "view", *reason);
    }
    const bool pictured = settings.environment.kind == EnvironmentKind::kPicture;
    if (pictured && !settings.environment.picture) {
        throw Error("environment", settings.environment.file, "was not read");
    }
    if (!pictured) plan.environment_turn = 0.0F;
    plan.sun = settings.sun.value_or(Sun{.on = !pictured});
    const bool casts = plan.sun.on || (plan.shadows == Shadows::kOn && plan.lights);
    if (!casts) static_cast<ShadowSettings&>(plan) = {};
    const bool blends = scene.blended && !blending_unavailable(capabilities, scene, plan.backend);
    plan.blend_layers = blends ? std::min(plan.blend_layers, most_blend_layers(capabilities, scene)) : 0;
    plan.difference = settings.difference;
    const bool lit = plan.show == Show::kShaded || plan.show == Show::kCulled;
    if (!lit || plan.environment.kind == EnvironmentKind::kNone) plan.ambient_occlusion = false;
    plan.taa = settings.taa.value_or(scene.in_window) && settings.show == Show::kShaded && !settings.difference &&
               !settings.count_ties;
    plan.compact_budget = settings.compact_budget;
    plan.light_budget = settings.light_budget;
    plan.collect_counters = settings.collect_counters;
    resolve_occlusion_detail(plan, settings, capabilities);
    resolve_sublets(plan, settings, capabilities);
    plan_subgroups(plan, capabilities);
    if (rasters(plan.backend)) {
        plan.raster_limit = settings.raster_limit.value_or(on_cpu(capabilities) ? kRasterLimitCpu : kRasterLimit);
    }
    resolve_expansion(plan, settings, capabilities, scene);
    return plan;
}

FrameSettings as_planned(const FrameSettings& settings, const FramePlan& plan) {
    const BackendInfo backend = backend_info(plan);
    FrameSettings out = settings;
    out.backend = plan.backend;
    out.sun = plan.sun;
    out.taa = plan.taa;
    if (plan.blend_layers != 0) out.blend_layers = plan.blend_layers;
    out.cull_occlusion = plan.cull_occlusion;
    out.cull_sublets = plan.cull_sublets;
    if (backend.survivors != Survivors::kNone) out.expansion = plan.expansion;
    if (backend.survivors == Survivors::kSublets) out.occlusion_detail = plan.occlusion_detail;
    if (backend.primitives == PrimitiveCulling::kNone) return out;
    if (backend.primitives == PrimitiveCulling::kRaster) out.raster_limit = plan.raster_limit;
    out.payload = plan.payload;
    out.subgroup = plan.subgroup;
    if (!backend.mesh_shader) return out;
    out.meshlet_workgroup = plan.meshlet_workgroup;
    out.local_invocation_output = plan.local_invocation_output;
    return out;
}

}  // namespace sublet::render
