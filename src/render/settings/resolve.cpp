// What is left of the settings once a device and a scene have had their say.
#include <algorithm>
#include <optional>
#include <string>

#include "base/error.h"
#include "render/settings/backend_info.h"
#include "render/settings/settings.h"

namespace sublet::render {
namespace {

// A processor that plays a GPU: the fewer tests, the better (docs/BENCHMARKS.md).
bool on_cpu(const gpu::Capabilities& capabilities) {
    return capabilities.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

bool culls_primitives_in_compute(const RenderSettings& settings) {
    return backend_info(settings.backend).primitives == PrimitiveCulling::kCompute;
}

}  // namespace

bool subgroups_of(std::uint32_t size, VkShaderStageFlagBits stage, const gpu::Capabilities& capabilities) {
    constexpr VkSubgroupFeatureFlags kOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                                                   VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
                                                   VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    const bool native = capabilities.min_subgroup_size == size && capabilities.max_subgroup_size == size;
    return capabilities.has_subgroup_operations(stage, kOperations) &&
           (native || capabilities.can_require_subgroup_size(stage, size));
}

namespace {

void resolve_subgroup(RenderSettings& settings, VkShaderStageFlagBits stage, const gpu::Capabilities& capabilities) {
    if (settings.subgroup == SubgroupPath::kAuto) {
        settings.subgroup = subgroups_of(32, stage, capabilities)   ? SubgroupPath::k32
                            : subgroups_of(64, stage, capabilities) ? SubgroupPath::k64
                                                                    : SubgroupPath::kGeneral;
    } else if (settings.subgroup != SubgroupPath::kGeneral) {
        const std::uint32_t size = settings.subgroup == SubgroupPath::k32 ? 32 : 64;
        if (!subgroups_of(size, stage, capabilities)) {
            throw Error(
                capabilities.name, "subgroup " + std::to_string(size),
                "this device can't be asked for subgroups of that size in the stage that culls primitives (it has " +
                    std::to_string(capabilities.min_subgroup_size) + " to " +
                    std::to_string(capabilities.max_subgroup_size) + "): use auto or general");
        }
    }
}

void resolve_workgroup(RenderSettings& settings, const gpu::Capabilities& capabilities) {
    const VkPhysicalDeviceMeshShaderPropertiesEXT& mesh = capabilities.mesh;
    const std::uint32_t most = std::min({mesh.maxMeshWorkGroupInvocations, mesh.maxMeshWorkGroupSize[0],
                                         mesh.maxMeshOutputVertices, mesh.maxMeshOutputPrimitives});
    // With driver 580.159.04 lanes of larger workgroups were lost (a quarter of 128, some of 64) where mesh shaders
    // cull; the same shaders are right with 32 lanes there, and with any number on lavapipe. Those that draw what a
    // compute pass left are right with 64 and 128 there too.
    const bool small = capabilities.vendor_id == gpu::kVendorNvidia && !culls_primitives_in_compute(settings);
    if (settings.meshlet_workgroup == 0) {
        settings.meshlet_workgroup = 32;
        std::uint32_t preferred = small ? 32 : std::min(mesh.maxPreferredMeshWorkGroupInvocations, most);
        if (settings.backend == Backend::kTaskMesh) {
            preferred = std::min(preferred, 64U);  // 32 sublets rarely leave more
        }
        for (const std::uint32_t lanes : {64U, 128U, 256U}) {
            if (lanes <= preferred) settings.meshlet_workgroup = lanes;
        }
    } else if (settings.meshlet_workgroup > most) {
        throw Error(capabilities.name, "meshlet-workgroup " + std::to_string(settings.meshlet_workgroup),
                    "this device's mesh shaders have at most " + std::to_string(most) + " lanes and outputs");
    } else if (small && settings.meshlet_workgroup > 32) {
        throw Error(capabilities.name, "meshlet-workgroup " + std::to_string(settings.meshlet_workgroup),
                    "NVIDIA's driver loses lanes of larger workgroups where mesh shaders cull triangles: use 32, or "
                    "mesh-indirect or task-mesh, whose triangles compute culls");
    }
}

// What `auto` becomes for this device and this scene.
Backend best_backend(const RenderSettings& settings, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    const auto works = [&](Backend backend) { return !backend_unavailable(backend, capabilities, scene); };
    if (on_cpu(capabilities)) {  // it rasterises triangles faster than it tests them
        // Without a count on the GPU every slot of the list is a draw, and runs have four times as many.
        const bool runs = settings.cull_sublets && capabilities.draw_count && scene.run_rounds <= scene.meshlets.rounds;
        if (runs && works(Backend::kMdi)) return Backend::kMdi;
        if (works(Backend::kMdiMeshlets)) return Backend::kMdiMeshlets;
    }
    for (const Backend backend : all_backends()) {
        if (works(backend)) return backend;
    }
    throw Error(capabilities.name, "backend",
                "none works on this device: " + *backend_unavailable(Backend::kDirect, capabilities, scene));
}

// Whether occlusion culling goes down to single triangles; for the backends that do not test them it stays as asked
// for.
void resolve_occlusion_detail(RenderSettings& settings, const gpu::Capabilities& capabilities,
                              const SceneFacts& scene) {
    if (!culls_primitives_in_compute(settings)) {
        if (backend_info(settings.backend).primitives == PrimitiveCulling::kMeshShader &&
            settings.occlusion_detail == OcclusionDetail::kPrimitives) {
            throw Error(capabilities.name, "occlusion-detail primitives",
                        std::string(backend_name(settings.backend)) +
                            " culls triangles in the mesh shader, which keeps no bits of them: use mesh-indirect, "
                            "task-mesh or compact");
        }
        return;
    }
    const std::uint64_t bytes = scene.sublets * sizeof(std::uint32_t);
    const bool fits =
        bytes <= capabilities.limits.maxStorageBufferRange && bytes <= capabilities.device_local_bytes / 32;
    const bool asked = settings.occlusion_detail == OcclusionDetail::kPrimitives;
    if (asked && !settings.cull_primitives) {
        throw Error(capabilities.name, "occlusion-detail primitives",
                    "primitive culling is off: use --cull-primitives on");
    }
    if (asked && !fits) {
        throw Error(capabilities.name, "occlusion-detail primitives",
                    "its bits take two buffers of " + std::to_string(bytes >> 20U) +
                        " MiB, more than this device binds or than a thirty-second of its memory: use meshlets");
    }
    if (settings.occlusion_detail == OcclusionDetail::kAuto) {
        settings.occlusion_detail = settings.cull_primitives && fits && !on_cpu(capabilities)
                                        ? OcclusionDetail::kPrimitives
                                        : OcclusionDetail::kMeshlets;
    }
}

// Payload, workgroup and subgroup path, for the backends that work on sublets. For the others they stay as asked for.
void resolve_sublets(RenderSettings& settings, const gpu::Capabilities& capabilities) {
    const BackendInfo& backend = backend_info(settings.backend);
    if (backend.primitives == PrimitiveCulling::kNone) return;
    if (settings.payload == Payload::kAuto) settings.payload = Payload::kDecoded;
    resolve_subgroup(settings,
                     culls_primitives_in_compute(settings) ? VK_SHADER_STAGE_COMPUTE_BIT : VK_SHADER_STAGE_MESH_BIT_EXT,
                     capabilities);
    if (!backend.mesh_shader) return;
    resolve_workgroup(settings, capabilities);
    const bool local = capabilities.mesh.prefersLocalInvocationVertexOutput == VK_TRUE ||
                       capabilities.mesh.prefersLocalInvocationPrimitiveOutput == VK_TRUE;
    if (settings.local_invocation_output == AutoSwitch::kAuto) {
        settings.local_invocation_output = local ? AutoSwitch::kOn : AutoSwitch::kOff;
    }
}

// For the backends whose meshlets are culled in compute. For the others it stays as asked for.
void resolve_expansion(RenderSettings& settings, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    const Survivors survivors = backend_info(settings.backend).survivors;
    if (survivors == Survivors::kNone) return;
    ExpansionDemand demand = scene.meshlets;
    if (survivors == Survivors::kRuns) demand.rounds = std::max(demand.rounds, scene.run_rounds);
    if (settings.expansion == ExpansionStrategy::kAuto) {
        settings.expansion = best_expansion(demand, capabilities);
    } else if (const auto reason = expansion_unavailable(settings.expansion, demand, capabilities)) {
        throw Error(capabilities.name, "expansion " + std::string(expansion_name(settings.expansion)), *reason);
    }
}

}  // namespace

RenderSettings resolve(const RenderSettings& settings, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    RenderSettings resolved = settings;
    if (settings.backend == Backend::kAuto) {
        resolved.backend = best_backend(settings, capabilities, scene);
    } else if (const auto reason = backend_unavailable(settings.backend, capabilities, scene)) {
        throw Error(capabilities.name, "backend " + std::string(backend_name(settings.backend)), *reason);
    }
    if (resolved.backend == Backend::kDirect) resolved.cull_occlusion = false;
    resolve_occlusion_detail(resolved, capabilities, scene);
    resolve_sublets(resolved, capabilities);
    resolve_expansion(resolved, capabilities, scene);
    return resolved;
}

}  // namespace sublet::render
