// The GPU copy of a scene: the file's sections as they lie, and what is made from the rest of the scene once.
#pragma once

#include <cstdint>
#include <glm/vec4.hpp>
#include <memory>
#include <span>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/resources.h"
#include "render/scene/bit_tables.h"
#include "render/scene/decoded_vertices.h"
#include "render/scene/index_buffers.h"
#include "render/scene/residency.h"
#include "render/scene/scene_animation.h"
#include "render/scene/scene_deform.h"
#include "render/scene/scene_joints.h"
#include "render/scene/scene_levels.h"
#include "render/scene/scene_lights.h"
#include "render/scene/survivor_plan.h"
#include "render/scene/textures.h"
#include "render/settings/settings.h"
#include "scene/container.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// A run of meshlets of one mesh that lie side by side, of at most kDirectChunkMeshlets, which direct draws address from
// one vertex.
struct DirectChunk {
    std::uint32_t first_sublet = 0;    // within the mesh
    std::uint32_t first_triangle = 0;  // in an index buffer, which has room for kSubletSize triangles of each sublet
    std::uint32_t triangle_room = 0;   // triangles there, those without an area included
    std::uint32_t triangle_count = 0;
    std::uint32_t first_vertex = 0;  // in decoded positions

    [[nodiscard]] std::uint32_t sublet_count() const { return triangle_room / shared::kSubletSize; }
    [[nodiscard]] std::uint32_t meshlet_count() const {
        return (sublet_count() + shared::kSubletsPerMeshlet - 1) / shared::kSubletsPerMeshlet;
    }
};

struct GpuScene {
    // The encoded sections (shaders/shared/mesh_format.h).
    gpu::Buffer meshes, sublet_bounds, meshlet_bounds, streams, payload;
    // shaders/shared/scene.h
    gpu::Buffer instances, materials, material_lobes, uv_transforms;
    // FirstOf of each instance, and behind them the way back: of each 2^block_shift sublets, the instance that has the
    // first, and the last instance after all.
    gpu::Buffer first_of;
    gpu::Buffer task_sources;  // class by class
    std::uint32_t block_shift = 0;

    // What the decode pass writes (scene/decode.h).
    gpu::Buffer sublet_records, meshlet_ranges;
    std::unique_ptr<DecodedVertices> vertices = std::make_unique<DecodedVertices>();  // for frames that read them
    bool wide_positions = false;                                                      // of some mesh
    bool with_leads = false;                                                          // DecodedVertices::leads

    // By draws that read indices, made when they are first drawn.
    std::unique_ptr<IndexBuffers> indices = std::make_unique<IndexBuffers>();

    std::unique_ptr<SceneTextures> textures;
    SceneAnimation animation;
    SceneDeform deform;
    SceneSkeletons skeletons;
    SceneLights lights;
    gpu::Buffer lod_groups, cut_places;  // LevelsData; empty without levels

    // CPU copies, for direct draws and for sizes; headers are the file's, and instances that deform name their mesh of
    // the file. Where instances are while animations play, the GPU alone knows: transforms and scales of those that
    // move are the file's. The spheres of these, and of those that deform, are without end.
    std::vector<shared::MeshHeader> mesh_headers;
    std::vector<shared::Instance> instance_data;
    std::vector<shared::FirstOf> first_of_data;
    std::vector<std::uint32_t> instance_nodes;      // that place them; none of a grid
    std::vector<glm::vec4> instance_spheres;        // world space: centre, radius
    glm::vec4 bounds{0.0F};                         // a sphere around them all, as the file has them
    std::vector<glm::vec4> movers;                  // find_movers()
    std::vector<shared::Bound> meshlet_bound_data;  // the file's, in object space
    std::vector<std::uint16_t> meshlet_triangles;   // of each meshlet
    LevelsData levels;                              // with what is there, where that changes,
    std::uint32_t stream_frame = 0;                 // and the number of the frame by which it does
    std::vector<shared::MeshletRange> ranges;       // of each meshlet of the file, likewise
    std::vector<DirectChunk> direct_chunks;
    std::vector<std::uint32_t> mesh_first_chunk;  // mesh_count + 1

    // The direct chunks of `mesh`, ascending: one, but for meshes of more than kDirectChunkMeshlets meshlets. Those
    // that are streamed have none: what is there of them, meshlet by meshlet, `ranges` tells.
    [[nodiscard]] std::span<const DirectChunk> chunks(std::uint32_t mesh) const {
        return {direct_chunks.data() + mesh_first_chunk[mesh], mesh_first_chunk[mesh + 1] - mesh_first_chunk[mesh]};
    }

    std::uint32_t mesh_count = 0, instance_count = 0;
    std::uint32_t meshlet_count = 0;       // of the file
    std::uint64_t triangle_count = 0;      // of the file, decoded
    Residency residency;                   // how much of it there is room for
    std::uint64_t drawable_sublets = 0;    // of all levels, over all instances
    std::uint64_t drawable_triangles = 0;  // of the finest
    BitTables bit_tables;                  // of the finest level, and
    BitTables cut_bit_tables;              // where levels of detail are chosen
    // What culling may leave of each class: meshlets, sublets, runs of sublets of one meshlet that lie side by side.
    PerClass<std::uint64_t> class_meshlets{}, class_sublets{}, class_runs{};
    // Bytes of a list of them, and where levels of detail are chosen.
    std::uint64_t survivor_budget = 0, cut_survivor_budget = 0;
    [[nodiscard]] std::uint64_t list_bytes(const LevelSettings& chosen) const {
        return facts.demand(chosen).of_cut ? cut_survivor_budget : survivor_budget;
    }
    PerClass<std::uint32_t> class_tasks{};  // tasks of each class, which are numbered together
    PerClass<std::uint32_t> task_base{};
    // That have tasks.
    [[nodiscard]] std::vector<std::uint32_t> classes() const;
    [[nodiscard]] bool has_transmissive() const { return class_tasks[shared::kClassTransmissive] != 0; }
    // Of classes that are tested for alpha, and of others.
    [[nodiscard]] bool has_blended() const { return class_tasks[shared::kClassBlended] != 0; }
    // `with_blended`: those that blend are, too.
    [[nodiscard]] bool has_alpha_tested(bool with_blended = true) const {
        return class_tasks[shared::kClassMasked] != 0 || has_transmissive() || (with_blended && has_blended());
    }
    [[nodiscard]] bool has_untested() const { return task_base[shared::kClassMasked] != 0; }
    SceneFacts facts;
    SceneTotals totals;

    std::uint32_t features = 0;      // of materials and meshes: shared/shade.h, kFeature...
    bool hides = false;              // instances may be invisible, or are hidden
    float transmission_blur = 0.0F;  // SceneMaterials::transmission_blur
    // Ids of two words, where one does not count all triangles (kNarrowIdSublets).
    bool wide_ids = false;

    std::uint64_t geometry_bytes = 0, decoded_bytes = 0;
    std::uint64_t instance_bytes = 0, material_bytes = 0;  // without textures
    std::uint64_t animation_bytes = 0;
};

// The GPU's view of one instance, which has this material. One whose sides may change is of a class that judges them
// triangle by triangle.
[[nodiscard]] shared::Instance make_instance(const scene::Instance& instance, const scene::Material& material,
                                             Facing facing = Facing::kByTransform);

// Uploads `scene`, whose meshes are all in one coding, and waits, but for its textures, which come as they are decoded
// (SceneTextures). Buffers for decoded data are made but not filled. Throws Error when a limit of the device (storage
// buffer range, textures, 2^32 tasks) or its memory (scene_memory.h) can't hold it, naming both. `hooks`:
// wide_ids, and before_reading of images.
[[nodiscard]] std::unique_ptr<GpuScene> upload_scene(gpu::Device& device, const scene::EncodedScene& scene,
                                                     const SceneSettings& settings, const TestHooks& hooks = {});

[[nodiscard]] inline shared::vec4 to_shared(const glm::vec4& v) {
    return {v.x, v.y, v.z, v.w};
}

// All of set kSceneSet but its textures. `frame_data`: FrameData; null where no shader reads it.
[[nodiscard]] std::vector<gpu::Descriptor> scene_descriptors(const GpuScene& scene, const gpu::Buffer* frame_data);

}  // namespace sublet::render
