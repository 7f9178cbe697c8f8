// Culling on the GPU, the same for every GPU-driven backend: instances, then meshlets.
#pragma once

#include <cstdint>

#include "gpu/device.h"
#include "gpu/pipeline.h"
#include "render/cull/cut_numbers.h"
#include "render/cull/phase.h"
#include "render/expansion/expansion.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

// What a backend wants of the meshlet pass.
enum class CullOutput : std::uint8_t {
    kMeshlets,      // surviving meshlets
    kMeshletDraws,  // and an indexed indirect draw for each
    kRunDraws,      // the same for each run of surviving sublets, side by side, of surviving meshlets
    kSublets,       // surviving sublets of surviving meshlets, and the mesh draws that cover them, in the cull state
    kQueue,         // surviving meshlets, for a pass that lists their sublets
};

// What a list has of each slot.
enum class ListedDraws : std::uint8_t {
    kNone,       // what survives
    kIndexed,    // and a VkDrawIndexedIndirectCommand
    kGenerated,  // a GeneratedDraw alone
    kQueued,     // what survives, of the meshlets in a queue
};

struct SurvivorLists {
    // uvec2(instance, meshlet or sublet of its mesh; a run's meshlet) by slot; class c from base[c] of its plan
    gpu::Buffer survivors;
    gpu::Buffer draws;                  // likewise; empty but for kMeshletDraws and kRunDraws
    gpu::Buffer queue;                  // SubletsPayload; empty but for kQueue
    gpu::Buffer undone;                 // UndoneGroup, of two rounds; empty where one is enough
    std::uint32_t undone_capacity = 0;  // of one round

    // Makes them for a frame where they are not there, retiring what there was.
    void prepare(const ViewContext& context, const Expansion& expansion, ListedDraws listed);
    [[nodiscard]] std::uint64_t bytes() const;
};

// What the passes below are asked for.
struct MeshletCulling {
    CullOutput output = CullOutput::kMeshlets;
    std::uint32_t sublets_per_group = 1;                  // kSublets: of the mesh shader's workgroups; 0: no mesh draws
    OcclusionDetail detail = OcclusionDetail::kMeshlets;  // kSublets: what bits are kept of
    bool counts_cut = false;                              // numbers are to be made
    bool generated = false;  // kMeshletDraws, kRunDraws: they are sequences of generated commands
};

// Passes "cull instances", in the first round of a phase, and "cull meshlets": what of the phase's survivors the lists
// have room for. The next round goes on from there.
//
// Reads: frame data, meshes, instances, levels of detail, meshlet bounds, (but for kSublets) meshlet ranges, (for
// kSublets and kRunDraws) sublet bounds, (for kRunDraws) stream headers, (for kSublets) where an instance's sublets
// begin, a reset cull state, that of the round before, and what its phase knows of visibility, (for kSublets) of
// triangles too. Draws lie in the list scattered over the scene, sublets in its order by workgroups. Writes: the cull
// state (how many of each class survive, mesh draws, counters, what is undone), the expansion's state and list, the
// survivor lists, the bits of what is visible.
//
// `expansion`: of the strategy that is asked for, for GpuScene::facts. `numbers`: made in the first round, where
// `culling` says so. Leaves everything written visible to indirect draws and shaders.
void cull_meshlets(const PhaseContext& context, const MeshletCulling& culling, const Expansion& expansion,
                   const SurvivorLists& lists, const CutNumbers* numbers = nullptr);

// The pipelines of these passes.
void add_meshlet_pipelines(const gpu::Capabilities& capabilities, const PhasePlan& phase, const MeshletCulling& culling,
                           gpu::PipelineList& out);

}  // namespace sublet::render
