// What is left of the settings once a device and a scene have had their say.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/error.h"
#include "render/cull/cull_state.h"
#include "render/cull/survivor_plan.h"
#include "render/settings.h"

namespace sublet::render {
namespace {

// Of the stage that has the most: the meshlet pass of culling, the primitive pass, or the task shader that does the
// work of the first; for direct, the shading pass.
std::uint32_t storage_buffers(Backend backend) {
    switch (backend) {
        case Backend::kAuto:
        case Backend::kDirect:
            return 9;
        case Backend::kMdi:
            return 15;
        case Backend::kCompact:
        case Backend::kMeshIndirect:
            return 16;
        case Backend::kTaskMesh:
            return 17;
    }
    return 0;
}

}  // namespace

std::span<const Backend> all_backends() {
    static constexpr std::array kBackends{Backend::kCompact, Backend::kMeshIndirect, Backend::kTaskMesh, Backend::kMdi,
                                          Backend::kDirect};
    return kBackends;
}

namespace {

// A processor that plays a GPU: the fewer tests, the better (docs/BENCHMARKS.md).
bool on_cpu(const gpu::Capabilities& capabilities) {
    return capabilities.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

bool draws_mesh_tasks(const RenderSettings& settings) {
    return settings.backend == Backend::kMeshIndirect || settings.backend == Backend::kTaskMesh;
}

}  // namespace

bool culls_primitives_in_compute(const RenderSettings& settings) {
    return settings.backend == Backend::kCompact ||
           (draws_mesh_tasks(settings) && settings.primitive_stage == PrimitiveStage::kCompute);
}

bool draws_runs(const RenderSettings& settings) {
    return settings.backend == Backend::kMdi && settings.mdi_draws == MdiDraws::kRuns;
}

std::optional<std::string> runs_unavailable(const gpu::Capabilities& capabilities, const ExpansionDemand& sources) {
    const std::uint32_t draws = sources.run_draws;
    if (!capabilities.multi_draw || !(capabilities.draw_parameters || capabilities.first_instance)) {
        return "this device has no indirect draws of several commands that tell which of them a vertex belongs to "
               "(multiDrawIndirect, with shaderDrawParameters or drawIndirectFirstInstance): use auto or meshlets";
    }
    if (!capabilities.geometry_shader) {
        return "this device's fragments don't number the triangles of a draw (geometryShader): use auto or meshlets";
    }
    if (draws > capabilities.limits.maxDrawIndirectCount) {
        return "the scene may leave " + std::to_string(draws) + " runs to one call, and this device draws at most " +
               std::to_string(capabilities.limits.maxDrawIndirectCount) + ": use auto or meshlets";
    }
    if (sources.run_rounds > kMostCullRounds) {
        return "the scene's runs would be culled in " + std::to_string(sources.run_rounds) + " rounds, and at most " +
               std::to_string(kMostCullRounds) + " are recorded: use auto or meshlets";
    }
    constexpr std::uint32_t kStorageBuffers = 17;  // of the culling pass
    const std::uint32_t most = capabilities.limits.maxPerStageDescriptorStorageBuffers;
    if (most < kStorageBuffers) {
        return "culling down to runs reads and writes " + std::to_string(kStorageBuffers) +
               " storage buffers, and this device binds " + std::to_string(most) + " in a stage: use auto or meshlets";
    }
    return std::nullopt;
}

std::string_view backend_name(Backend backend) {
    switch (backend) {
        case Backend::kAuto:
            return "auto";
        case Backend::kDirect:
            return "direct";
        case Backend::kMdi:
            return "mdi";
        case Backend::kCompact:
            return "compact";
        case Backend::kMeshIndirect:
            return "mesh-indirect";
        case Backend::kTaskMesh:
            return "task-mesh";
    }
    return "auto";
}

std::optional<std::string> backend_unavailable(Backend backend, const gpu::Capabilities& capabilities) {
    if (!capabilities.unusable.empty()) return capabilities.unusable;
    switch (backend) {
        case Backend::kAuto:
        case Backend::kDirect:
        case Backend::kMdi:
        case Backend::kCompact:
            break;  // these have a road for every feature that a usable device may lack
        case Backend::kMeshIndirect:
            if (!capabilities.mesh_shader) {
                return "this device has no mesh shaders (VK_EXT_mesh_shader): use compact, mdi or direct";
            }
            break;
        case Backend::kTaskMesh:
            if (!capabilities.mesh_shader) {
                return "this device has no mesh shaders (VK_EXT_mesh_shader): use compact, mdi or direct";
            }
            if (!capabilities.task_shader) {
                return "this device has no task shaders (taskShader of VK_EXT_mesh_shader): use mesh-indirect or "
                       "compact";
            }
            break;
    }
    const std::uint32_t most = capabilities.limits.maxPerStageDescriptorStorageBuffers;
    if (most < storage_buffers(backend)) {
        return "one of its shaders reads and writes " + std::to_string(storage_buffers(backend)) +
               " storage buffers, and this device binds " + std::to_string(most) + " in a stage: use direct";
    }
    return std::nullopt;
}

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
        if (settings.backend == Backend::kTaskMesh && culls_primitives_in_compute(settings)) {
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
                    "--primitive-stage compute");
    }
}

// Where single triangles are culled, and whether occlusion culling goes down to them; for the backends that do not cull
// them in compute the latter stays as asked for.
void resolve_primitives(RenderSettings& settings, const gpu::Capabilities& capabilities,
                        const ExpansionDemand& sources) {
    // A form of task shader that is asked for is one of those that cull themselves.
    const bool task_form = settings.backend == Backend::kTaskMesh && settings.task_form != TaskForm::kAuto;
    if (draws_mesh_tasks(settings) && settings.primitive_stage == PrimitiveStage::kAuto) {
        const bool slower = on_cpu(capabilities) && settings.backend == Backend::kMeshIndirect;
        const bool compute = settings.cull_primitives && !task_form && !slower;
        settings.primitive_stage = compute ? PrimitiveStage::kCompute : PrimitiveStage::kMesh;
    }
    if (task_form && settings.primitive_stage == PrimitiveStage::kCompute) {
        throw Error(capabilities.name, "primitive-stage compute",
                    "the task shader then packs what a compute pass leaves, and has neither of the forms of "
                    "--task-form: leave that auto, or use mesh");
    }
    if (!culls_primitives_in_compute(settings)) {
        if (draws_mesh_tasks(settings) && settings.occlusion_detail == OcclusionDetail::kPrimitives) {
            throw Error(capabilities.name, "occlusion-detail primitives",
                        settings.cull_primitives
                            ? "triangles are culled in the mesh shader, which keeps no bits of them: use "
                              "--primitive-stage compute" +
                                  std::string(task_form ? " and --task-form auto" : "")
                            : "primitive culling is off: use --cull-primitives on");
        }
        return;
    }
    const std::uint64_t bytes = sources.sublets * sizeof(std::uint32_t);
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

// For mdi. For the others it stays as asked for.
void resolve_draws(RenderSettings& settings, const gpu::Capabilities& capabilities, const ExpansionDemand& sources) {
    if (settings.backend != Backend::kMdi) return;
    const auto reason = runs_unavailable(capabilities, sources);
    if (settings.mdi_draws == MdiDraws::kAuto) {
        // Without a count on the GPU every slot of the list is a draw, and runs have four times as many.
        const bool runs =
            settings.cull_sublets && capabilities.draw_count && sources.run_rounds <= sources.rounds && !reason;
        settings.mdi_draws = runs ? MdiDraws::kRuns : MdiDraws::kMeshlets;
    } else if (settings.mdi_draws == MdiDraws::kRuns && reason) {
        throw Error(capabilities.name, "mdi-draws runs", *reason);
    }
}

// Payload, workgroup and subgroup path, for the backends that work on sublets. For the others they stay as asked for.
void resolve_sublets(RenderSettings& settings, const gpu::Capabilities& capabilities, const ExpansionDemand& sources) {
    const bool mesh = draws_mesh_tasks(settings);
    if (!mesh && settings.backend != Backend::kCompact) return;
    if (settings.payload == Payload::kAuto) settings.payload = Payload::kDecoded;
    resolve_subgroup(settings,
                     culls_primitives_in_compute(settings) ? VK_SHADER_STAGE_COMPUTE_BIT : VK_SHADER_STAGE_MESH_BIT_EXT,
                     capabilities);
    if (!mesh) return;
    resolve_workgroup(settings, capabilities);
    const bool local = capabilities.mesh.prefersLocalInvocationVertexOutput == VK_TRUE ||
                       capabilities.mesh.prefersLocalInvocationPrimitiveOutput == VK_TRUE;
    if (settings.local_invocation_output == AutoSwitch::kAuto) {
        settings.local_invocation_output = local ? AutoSwitch::kOn : AutoSwitch::kOff;
    }
    // No property says which form a device prefers. Those that want local outputs are the ones (AMD's) that launch a
    // task workgroup's meshlets as a small indirect draw of its own, and so want few and large ones; the others pay by
    // the size of the payload.
    if (settings.backend != Backend::kTaskMesh || culls_primitives_in_compute(settings)) return;
    const bool too_many = sources.chunks > kMostMeshGroups;
    if (settings.task_form == TaskForm::kAuto) {
        settings.task_form = local || too_many ? TaskForm::kHierarchical : TaskForm::kFlat;
    } else if (settings.task_form == TaskForm::kFlat && too_many) {
        throw Error(capabilities.name, "task-form flat",
                    "the scene has " + std::to_string(sources.chunks) + " tasks, and its draws launch at most " +
                        std::to_string(kMostMeshGroups) + ": use hierarchical");
    }
}

// For the backends whose meshlets are culled in compute. For the others it stays as asked for.
void resolve_expansion(RenderSettings& settings, const gpu::Capabilities& capabilities,
                       const ExpansionDemand& sources) {
    if (settings.backend == Backend::kDirect) return;
    if (settings.backend == Backend::kTaskMesh && !culls_primitives_in_compute(settings)) return;
    ExpansionDemand demand = sources;
    if (draws_runs(settings)) demand.rounds = std::max(demand.rounds, demand.run_rounds);
    if (settings.expansion == ExpansionStrategy::kAuto) {
        settings.expansion = best_expansion(demand, capabilities);
    } else if (const auto reason = expansion_unavailable(settings.expansion, demand, capabilities)) {
        throw Error(capabilities.name, "expansion " + std::string(expansion_name(settings.expansion)), *reason);
    }
}

}  // namespace

RenderSettings resolve(const RenderSettings& settings, const gpu::Capabilities& capabilities,
                       const ExpansionDemand& sources) {
    RenderSettings resolved = settings;
    if (settings.backend == Backend::kAuto && on_cpu(capabilities) &&
        !backend_unavailable(Backend::kMdi, capabilities)) {
        resolved.backend = Backend::kMdi;  // it rasterises triangles faster than it tests them
    } else if (settings.backend == Backend::kAuto) {
        for (const Backend backend : all_backends()) {
            if (!backend_unavailable(backend, capabilities)) {
                resolved.backend = backend;
                break;
            }
        }
        if (resolved.backend == Backend::kAuto) {
            throw Error(capabilities.name, "backend", "none works on this device: " + capabilities.unusable);
        }
    } else if (const auto reason = backend_unavailable(settings.backend, capabilities)) {
        throw Error(capabilities.name, "backend " + std::string(backend_name(settings.backend)), *reason);
    }
    if (resolved.backend == Backend::kDirect) resolved.cull_occlusion = false;
    resolve_primitives(resolved, capabilities, sources);
    resolve_draws(resolved, capabilities, sources);
    resolve_sublets(resolved, capabilities, sources);
    resolve_expansion(resolved, capabilities, sources);
    return resolved;
}

}  // namespace sublet::render
