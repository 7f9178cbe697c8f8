#include "render/scene/gpu_scene.h"
#include "render/scene/placed_sphere.h"

#include <algorithm>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "gpu/upload.h"
#include "mesh/recode.h"
#include "render/scene/buffer_maker.h"
#include "render/scene/direct_chunks.h"
#include "render/scene/material_animation.h"
#include "render/scene/materials.h"
#include "render/scene/movers.h"
#include "render/scene/scene_memory.h"
#include "render/scene/scene_size.h"
#include "render/settings/frame_plan.h"
#include "scene/animation.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/shade.h"

namespace sublet::render {
namespace {

constexpr std::uint64_t kWordBytes = sizeof(std::uint32_t);

// Their number shares a word with an instance's flags.
constexpr std::size_t kMostMaterials = std::size_t{1} << (32U - shared::kInstanceMaterialShift);

// What deforms an instance of that mesh, in that copy of the scene.
std::optional<PosedMesh> pose_of(const scene::Scene& scene, const scene::Instance& instance,
                                 const shared::MeshHeader& mesh, const AnimationData& animation, std::size_t copy) {
    PosedMesh out{.mesh = instance.mesh};
    if (instance.skin >= 0) {
        const auto skin = static_cast<std::size_t>(instance.skin);
        out.first_joint = static_cast<std::uint32_t>(copy * animation.joints.size() + animation.first_joint[skin]);
        out.joint_count = static_cast<std::uint32_t>(scene.skins[skin].joints.size());
    }
    if (mesh::morphs(mesh) && animation.weights_of[instance.node] != kNoWeights) {
        out.morphs = true;
        out.first_weight = static_cast<std::uint32_t>(copy * animation.weight_vectors) +
                           animation.weights[animation.weights_of[instance.node]].first_vector;
    }
    if (out.joint_count == 0 && !out.morphs) return std::nullopt;
    return out;
}

void place_instances(GpuScene& out, const scene::EncodedScene& scene, const SceneSettings& settings, bool staggered,
                     AnimationData& animation, DeformData& deform, SkeletonData& skeletons) {
    const std::vector<scene::Instance> placed = scene::instances(scene, settings.grid, settings.variant);
    out.instance_data.reserve(placed.size());
    out.instance_spheres.reserve(placed.size());
    for (std::size_t number = 0; number < placed.size(); ++number) {
        const scene::Instance& instance = placed[number];
        const shared::MeshHeader& mesh = out.mesh_headers[instance.mesh];
        if (mesh.meshlet_count == 0) {
            continue;
        }
        const auto index = static_cast<std::uint32_t>(out.instance_data.size());
        const Facing facing = add_moved(animation, instance.node, index);
        shared::Instance data = make_instance(instance, scene.scene.materials[instance.material], facing);
        // A grid's places follow one another, each with all meshes of the group.
        const std::size_t copy = staggered ? number / scene.scene.mesh_groups[0].mesh_count : 0;
        if (const std::optional<PosedMesh> pose = pose_of(scene.scene, instance, mesh, animation, copy)) {
            add_deformed(deform, index, *pose);
            if (pose->joint_count != 0) {
                add_skeleton(skeletons,
                             {.instance = index,
                              .first_matrix = pose->first_joint,
                              .first_place = animation.first_joint[static_cast<std::size_t>(instance.skin)],
                              .joint_count = pose->joint_count},
                             settings.grid.empty() ? 0 : number / scene.scene.mesh_groups[0].mesh_count);
            }
            data.flags &= ~shared::kInstanceConeTest;  // no cone holds in every pose
        }
        if (!instance.visible) {
            data.flags |= shared::kInstanceInvisible;
            out.hides = true;
        }
        out.facts.meshlets.add(mesh.meshlet_count);
        data.first_sublet = static_cast<std::uint32_t>(out.drawable_sublets);  // narrow ids: all of it
        out.first_of_data.push_back({.task = 0,
                                     .sublet = data.first_sublet,
                                     .sublet_high = static_cast<std::uint32_t>(out.drawable_sublets >> 32U)});
        out.drawable_sublets += mesh.sublet_count;
        out.facts.sublets += mesh.sublet_count;
        out.instance_spheres.push_back(placed_sphere(data, mesh.sphere));
        out.instance_data.push_back(data);
        if (settings.grid.empty()) out.instance_nodes.push_back(instance.node);
    }
    constexpr std::uint64_t kMostTasks = std::numeric_limits<std::uint32_t>::max();
    if (out.facts.meshlets.chunks > kMostTasks) {
        throw Error("scene", "instances",
                    std::to_string(out.facts.meshlets.items) +
                        " meshlets over all instances, of all levels of detail: fewer than 2^32 times " +
                        std::to_string(shared::kTaskMeshlets) + " can be drawn");
    }
    out.hides = out.hides || !animation.shown.empty();
    out.facts.moves = !animation.moved.empty() || animation.poses_move;
    require_drawable_size(out.instance_spheres);
    out.bounds = sphere_around(out.instance_spheres);
    for (const shared::MovedInstance& moved : animation.moved) {
        out.instance_spheres[moved.instance].w = std::numeric_limits<float>::infinity();
    }
    for (const DeformData::Placed& deformed : deform.placed) {
        out.instance_spheres[deformed.instance].w = std::numeric_limits<float>::infinity();
    }
    out.instance_count = static_cast<std::uint32_t>(out.instance_data.size());
}

// Of the finest level.
SceneTotals scene_totals(const GpuScene& scene, const mesh::GeometryView& geometry) {
    SceneTotals out;
    out.instances = scene.instance_data.size();
    std::vector<bool> placed(scene.mesh_headers.size());
    std::vector<FinestLevel> finest;
    finest.reserve(scene.mesh_headers.size());
    for (std::uint32_t m = 0; m < scene.mesh_count; ++m) finest.push_back(finest_level(mesh::mesh_view(geometry, m)));
    const auto add = [](SceneTotals::Geometry& to, const FinestLevel& level) {
        to.meshlets += level.meshlets;
        to.sublets += level.sublets;
        to.triangles += level.triangles;
    };
    for (const shared::Instance& instance : scene.instance_data) {
        add(out.instanced, finest[instance.mesh]);
        if (placed[instance.mesh]) continue;
        placed[instance.mesh] = true;
        ++out.meshes;
        add(out.unique, finest[instance.mesh]);
    }
    return out;
}

// Numbers the tasks of all instances, class by class.
std::vector<shared::TaskSource> number_tasks(GpuScene& out) {
    std::vector<shared::TaskSource> sources;
    sources.reserve(out.instance_data.size());
    std::uint32_t task = 0;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        out.task_base[c] = task;
        for (std::uint32_t i = 0; i < out.instance_count; ++i) {
            const shared::Instance& instance = out.instance_data[i];
            if ((instance.flags & shared::kInstanceClassMask) != c) continue;
            sources.push_back({.instance = i, .first_task = task});
            out.first_of_data[i].task = task;
            const std::uint32_t meshlets = out.mesh_headers[instance.mesh].meshlet_count;
            task += (meshlets + shared::kTaskMeshlets - 1) / shared::kTaskMeshlets;
        }
        out.class_tasks[c] = task - out.task_base[c];
    }
    return sources;
}

// What culling may leave, and the budget for a list of that.
void count_survivors(GpuScene& out, const gpu::Capabilities& capabilities, std::uint64_t budget) {
    for (const shared::Instance& instance : out.instance_data) {
        const shared::MeshHeader& mesh = out.mesh_headers[instance.mesh];
        const std::uint32_t c = instance.flags & shared::kInstanceClassMask;
        out.class_meshlets[c] += mesh.meshlet_count;
        out.class_sublets[c] += mesh.sublet_count;
        // Every other one, in each meshlet.
        const std::uint32_t last = mesh.sublet_count % shared::kSubletsPerMeshlet;
        out.class_runs[c] += (mesh.sublet_count - last) / 2 + (last + 1) / 2;
    }
    // Frames show far less than scenes hold, and of cuts still less: 64 MiB are eight million sublets.
    constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
    const std::uint64_t most = capabilities.limits.maxStorageBufferRange;
    const std::uint64_t all = std::clamp(capabilities.device_local_bytes / 64, 64 * kMiB, 512 * kMiB);
    out.survivor_budget = std::min(budget == 0 ? all : budget, most);
    out.cut_survivor_budget = std::min(budget == 0 ? 64 * kMiB : budget, most);
}

std::vector<std::uint32_t> instance_blocks(const GpuScene& scene) {
    std::vector<std::uint32_t> out;
    const auto first_sublet = [&](std::uint32_t i) {
        return std::uint64_t{scene.first_of_data[i].sublet_high} << 32U | scene.first_of_data[i].sublet;
    };
    std::uint32_t instance = 0;
    for (std::uint64_t sublet = 0; sublet < scene.drawable_sublets; sublet += std::uint64_t{1} << scene.block_shift) {
        while (instance + 1 < scene.instance_count && first_sublet(instance + 1) <= sublet) ++instance;
        out.push_back(instance);
    }
    out.push_back(scene.instance_count - 1);
    return out;
}

// Which skins of the scene deform something.
std::vector<char> used_skins(const scene::EncodedScene& scene) {
    std::vector<char> used(scene.scene.skins.size(), 0);
    for (const scene::Node& node : scene.scene.nodes) {
        if (node.mesh_group < 0 || node.skin < 0) continue;
        const scene::MeshGroup& group = scene.scene.mesh_groups[static_cast<std::size_t>(node.mesh_group)];
        const auto meshes = scene.geometry.meshes.subspan(group.first_mesh, group.mesh_count);
        if (std::ranges::any_of(meshes, mesh::deforms)) used[static_cast<std::size_t>(node.skin)] = 1;
    }
    return used;
}

// Which nodes have a mesh group that morph targets deform.
std::vector<char> morphed_nodes(const scene::EncodedScene& scene) {
    std::vector<char> out(scene.scene.nodes.size(), 0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int number = scene.scene.nodes[i].mesh_group;
        if (number < 0) continue;
        const scene::MeshGroup& group = scene.scene.mesh_groups[static_cast<std::size_t>(number)];
        const auto meshes = scene.geometry.meshes.subspan(group.first_mesh, group.mesh_count);
        if (std::ranges::any_of(meshes, mesh::morphs)) out[i] = 1;
    }
    return out;
}

// Parts of the scene that have times of their own: a grid's places, where they are staggered.
struct Copies {
    std::uint32_t count = 1;
    double stagger = 0;  // seconds by which each is ahead of the one before
};

Copies copies_of(const SceneSettings& settings) {
    if (settings.grid.empty() || settings.stagger == 0.0F) return {};
    const glm::uvec3& count = settings.grid.count;
    return {count.x * count.y * count.z, settings.stagger};
}

DeformRoom deform_room(const AnimationData& animation, const Copies& copies, const mesh::GeometryView& geometry,
                       const Residency& residency, const SceneSettings& settings,
                       const gpu::Capabilities& capabilities) {
    std::uint64_t bytes = settings.deform_budget;
    if (bytes == 0) bytes = capabilities.device_local_bytes / 4;
    // Half of what a buffer may have is left for poses.
    bytes = std::min<std::uint64_t>(bytes, capabilities.limits.maxStorageBufferRange / 2);
    return {.vertices = bytes / sizeof(shared::uvec4),
            .joints = animation.joints.size() * copies.count,
            .weight_vectors = std::uint64_t{animation.weight_vectors} * copies.count,
            .streams = static_cast<std::uint32_t>(geometry.streams.size()),
            .payload = static_cast<std::uint32_t>(residency.payload_words)};
}

// Nothing of it where nothing deforms.
void upload_deform(GpuScene& out, BufferMaker& maker, const DeformLayout& layout) {
    if (layout.headers.empty()) return;
    SceneDeform& deform = out.deform;
    deform.mesh_count = static_cast<std::uint32_t>(layout.headers.size());
    deform.vertex_task_count = static_cast<std::uint32_t>(layout.vertex_tasks.size());
    deform.bounds_task_count = static_cast<std::uint32_t>(layout.bounds_tasks.size());
    deform.instance_count = static_cast<std::uint32_t>(layout.instances.size());
    deform.first_matrix = static_cast<std::uint32_t>(layout.first_matrix);
    deform.first_weight = static_cast<std::uint32_t>(layout.first_weight);
    deform.pose_vectors = static_cast<std::uint32_t>(layout.pose_vectors);
    deform.kinds = layout.kinds;
    deform.vectors = maker.filled("deformation", std::span<const shared::uvec4>(layout.vectors), deform.bytes,
                                  layout.all_vectors - layout.vectors.size());
    deform.vertex_tasks = maker.filled("vertices that deform", layout.vertex_tasks, deform.bytes);
    deform.bounds_tasks = maker.filled("meshlets that deform", layout.bounds_tasks, deform.bytes);
    deform.instances = maker.filled("instances that deform", layout.instances, deform.bytes);
    deform.pose_rounds = maker.make("rounds of poses", layout.headers.size() * sizeof(std::uint32_t), deform.bytes);
    // Which their buffers have behind those of the file.
    const std::uint64_t own =
        layout.headers.size() * sizeof(shared::MeshHeader) + (layout.sublets + layout.meshlets) * sizeof(shared::Bound);
    deform.bytes += own;
    out.geometry_bytes -= own;
}

void upload_skeletons(GpuScene& out, BufferMaker& maker, SkeletonData data) {
    if (data.skeletons.empty()) return;
    SceneSkeletons& skeletons = out.skeletons;
    for (shared::Skeleton& skeleton : data.skeletons) {
        skeleton.first_matrix = out.deform.first_matrix + skeleton.first_matrix * shared::kSkinMatrixVectors;
        skeletons.most_joints = std::max(skeletons.most_joints, skeleton.joint_count);
    }
    skeletons.count = static_cast<std::uint32_t>(data.skeletons.size());
    skeletons.skeletons = maker.filled("skeletons", data.skeletons, out.animation_bytes);
    out.facts.joints = true;
    skeletons.places = maker.filled("places of joints", data.places, out.animation_bytes);
}

// Nothing of it where nothing that is drawn moves or deforms.
void upload_animation(GpuScene& out, BufferMaker& maker, AnimationData data, const Copies& copies) {
    if (!data.plays() && !out.deform.any()) return;
    SceneAnimation& animation = out.animation;
    animation.times = maker.make("animation times", data.lengths.size() * sizeof(float), out.animation_bytes);
    std::vector<shared::AnimationChannel> channels = data.channels;
    channels.insert(channels.end(), data.weight_channels.begin(), data.weight_channels.end());
    channels.insert(channels.end(), data.other_channels.begin(), data.other_channels.end());
    animation.channels = maker.filled("animation channels", channels, out.animation_bytes);
    animation.keys = maker.filled("animation keys", data.keys, out.animation_bytes);
    // Buffers come before what is in them: that a device can't bind as much shows before memory is taken.
    const std::uint64_t copy_count = copies.count;
    animation.time_shifts =
        maker.make("time shifts", (1 + copy_count) * data.lengths.size() * sizeof(float), out.animation_bytes);
    std::vector<float> shifts(data.lengths.begin(), data.lengths.end());
    for (std::uint32_t copy = 0; copy < copies.count; ++copy) {
        for (const double length : data.lengths) shifts.push_back(scene::looped_time(copy * copies.stagger, length));
    }
    maker.fill(animation.time_shifts, std::span<const float>(shifts));
    animation.vectors =
        maker.make("local transforms", (data.matrices.size() + copy_count * data.driven.size()) * sizeof(shared::vec4),
                   out.animation_bytes);
    std::vector<shared::vec4> vectors = std::move(data.matrices);
    animation.matrix_count = static_cast<std::uint32_t>(vectors.size() / shared::kLinkVectors);
    animation.driven_count = static_cast<std::uint32_t>(data.driven.size() / shared::kLinkVectors);
    animation.copies = copies.count;
    for (std::uint32_t copy = 0; copy < copies.count; ++copy) {
        vectors.insert(vectors.end(), data.driven.begin(), data.driven.end());
    }
    maker.fill(animation.vectors, std::span<const shared::vec4>(vectors));
    animation.links = maker.filled("links of transforms", data.links, out.animation_bytes);
    animation.moved = maker.filled("instances that move", data.moved, out.animation_bytes);
    animation.channel_count = static_cast<std::uint32_t>(data.channels.size());
    animation.moved_count = static_cast<std::uint32_t>(data.moved.size());
    animation.shown = maker.filled("instances that hide", data.shown, out.animation_bytes);
    animation.shown_count = static_cast<std::uint32_t>(data.shown.size());
    animation.drivers = maker.filled("materials that are played", data.drivers, out.animation_bytes);
    animation.driver_count = static_cast<std::uint32_t>(data.drivers.size());
    animation.light_drivers = maker.filled("lights that are played", data.light_drivers, out.animation_bytes);
    animation.light_count = static_cast<std::uint32_t>(data.light_drivers.size());
    if (out.deform.any()) {
        animation.joints = maker.filled("joints", data.joints, out.animation_bytes);
        animation.joint_count = static_cast<std::uint32_t>(data.joints.size());
        animation.weights = maker.filled("morph weights", data.weights, out.animation_bytes);
        animation.weights_count = static_cast<std::uint32_t>(data.weights.size());
        animation.weight_vectors = data.weight_vectors;
        animation.poses_move = data.poses_move;
    }
    animation.lengths = std::move(data.lengths);
    animation.numbers = std::move(data.numbers);
    animation.names = std::move(data.names);
}

// The headers of the file, and what they add up to. Returns the streams that some of them have.
std::uint32_t take_meshes(GpuScene& out, const mesh::GeometryView& geometry) {
    out.mesh_headers.assign(geometry.meshes.begin(), geometry.meshes.end());
    out.mesh_count = static_cast<std::uint32_t>(geometry.meshes.size());
    out.meshlet_count = static_cast<std::uint32_t>(geometry.meshlet_bounds.size());
    std::uint32_t streams_present = 0;
    for (const shared::MeshHeader& mesh : geometry.meshes) {
        out.triangle_count += mesh.triangle_count;
        out.wide_positions = out.wide_positions || mesh::has_wide_positions(mesh);
        streams_present |= mesh.streams_present;
    }
    return streams_present;
}

// What of the geometry has room in so many bytes.
void make_resident(GpuScene& out, const mesh::GeometryView& geometry, std::uint64_t budget, bool leads) {
    out.residency = plan_residency(geometry, {.budget = budget, .leads = leads});
    out.with_leads = leads;
    out.facts.in_part = !out.residency.whole();
    if (const auto note = residency_note(out.residency, budget)) note_once(*note);
}

void require_drawable(const GpuScene& scene, std::size_t materials) {
    if (scene.instance_count == 0) {
        throw Error("scene", "instances", "there is nothing to draw: no node has a mesh with triangles");
    }
    if (materials > kMostMaterials) {
        throw Error("scene", "materials",
                    std::to_string(materials) + ": at most " + std::to_string(kMostMaterials) + " can be drawn");
    }
}

// What shading has to be able to do.
std::uint32_t shading_features(const GpuScene& scene, const SceneMaterials& materials, std::uint32_t streams_present) {
    std::uint32_t features = materials.features;
    if (!scene.has_transmissive()) features &= ~shared::kFeatureTransmission;
    if ((streams_present & 1U << shared::kStreamUv) == 0) features &= ~shared::kFeatureUv;
    if ((streams_present & 1U << shared::kStreamUv1) == 0) features &= ~shared::kFeatureSecondUv;
    if ((streams_present & 1U << shared::kStreamColor) != 0) features |= shared::kFeatureColor;
    return features;
}

// The file's sections as they lie, or what of them is there, with room behind them for the meshes that deform.
void upload_geometry(GpuScene& out, BufferMaker& maker, const mesh::GeometryView& geometry,
                     const DeformLayout& deformed) {
    const Residency& residency = out.residency;
    std::vector<shared::MeshHeader> meshes = residency.meshes;
    meshes.insert(meshes.end(), deformed.headers.begin(), deformed.headers.end());
    out.meshes = maker.filled("meshes", meshes, out.geometry_bytes);
    std::vector<shared::Bound> resident_bounds;
    std::vector<std::uint32_t> resident_words;
    std::span<const shared::Bound> bounds = geometry.sublet_bounds;
    std::span<const std::uint32_t> payload = geometry.payload;
    if (!residency.whole()) {
        bounds = resident_bounds = resident_sublet_bounds(geometry);
        payload = resident_words = resident_payload(geometry);
    }
    out.sublet_bounds =
        maker.filled("sublet bounds", bounds, out.geometry_bytes, residency.sublets - bounds.size() + deformed.sublets);
    out.meshlet_bounds = maker.filled("meshlet bounds", geometry.meshlet_bounds, out.geometry_bytes, deformed.meshlets);
    // Of compact meshes without morph targets there are none.
    const bool none = geometry.streams.empty() && geometry.morph_streams.empty();
    out.streams = none ? maker.make("streams", sizeof(shared::StreamHeader), out.geometry_bytes)
                       : maker.filled("streams", geometry.streams, geometry.morph_streams, out.geometry_bytes);
    // The pool lies before what morph targets have.
    out.payload = maker.make("payload", residency.payload_words * kWordBytes + geometry.morph_payload.size_bytes(),
                             out.geometry_bytes);
    maker.fill(out.payload, payload);
    maker.fill(out.payload, geometry.morph_payload, residency.payload_words * kWordBytes);
}

// Instances, where their tasks begin, and the ways from sublets of all instances to these.
void upload_instances(GpuScene& out, BufferMaker& maker, const std::vector<shared::Instance>& instances,
                      const std::vector<shared::TaskSource>& tasks) {
    out.instances = maker.filled("instances", instances, out.instance_bytes);
    out.task_sources = maker.filled("tasks of instances", tasks, out.instance_bytes);
    // Blocks about half as large as an instance is on average: most hold one border, so that a search is over at once.
    while ((out.drawable_sublets >> (out.block_shift + 1)) > std::uint64_t{out.instance_count} * 2) {
        ++out.block_shift;
    }
    std::vector<std::uint32_t> words;
    for (const shared::FirstOf& first : out.first_of_data) {
        words.insert(words.end(), {first.task, first.sublet, first.sublet_high});
    }
    const std::vector<std::uint32_t> blocks = instance_blocks(out);
    words.insert(words.end(), blocks.begin(), blocks.end());
    out.first_of = maker.filled("first tasks and sublets", words, out.instance_bytes);
}

// Nothing of it where no mesh has levels.
void upload_levels(GpuScene& out, BufferMaker& maker) {
    if (!out.levels.any()) return;
    out.lod_groups = maker.filled("groups of levels of detail", out.levels.groups, out.geometry_bytes);
    out.cut_places = maker.filled("places of meshlets", out.levels.places, out.geometry_bytes);
}

}  // namespace

std::vector<std::uint32_t> GpuScene::classes() const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        if (class_tasks[c] != 0) out.push_back(c);
    }
    return out;
}

std::unique_ptr<GpuScene> upload_scene(gpu::Device& device, const scene::EncodedScene& scene,
                                       const SceneSettings& settings, const TestHooks& hooks) {
    const gpu::Capabilities& capabilities = device.capabilities();
    const bool finds_corners = plan_device(capabilities).finds_corners;
    const SceneMemory need = scene_memory(scene, settings, finds_corners);
    const MemoryRoom room = memory_room(device);
    const mesh::GeometryView& geometry = scene.geometry;
    std::uint64_t left_out = 0;  // at most; to be looked for where not all has room
    if (need.device() > room.least(capabilities)) {
        const Residency least = plan_residency(geometry, {.budget = 0, .leads = finds_corners});
        left_out = least.whole_bytes - least.bytes;
    }
    require_room(need.without(left_out), room, capabilities);
    auto out = std::make_unique<GpuScene>();
    const std::uint32_t streams_present = take_meshes(*out, geometry);
    const std::vector<char> skins = used_skins(scene);
    AnimationData animation = gather_animation(
        scene.scene, {.choice = settings.animation,
                      .nodes = settings.grid.empty(),  // it stands where it stands
                      .skins = skins,
                      .morphs = morphed_nodes(scene),
                      .lights = settings.grid.empty() ? shining_nodes(scene.scene) : std::vector<char>{},
                      .most_links = capabilities.limits.maxStorageBufferRange / sizeof(std::uint32_t)});

    DeformData deform;
    SkeletonData skeletons;
    const Copies copies = copies_of(settings);
    place_instances(*out, scene, settings, copies.count > 1, animation, deform, skeletons);
    const std::vector<shared::TaskSource> tasks = number_tasks(*out);
    const SceneMaterials materials =
        make_materials(scene.scene, capabilities.max_bindless_textures, animation.played_materials);
    const std::uint64_t whole_geometry = plan_residency(geometry, {.leads = finds_corners}).whole_bytes;
    const VramBudget budget = vram_budget(settings, room.granted, room.least(capabilities), whole_geometry);
    out->textures = std::make_unique<SceneTextures>(device, scene.scene, materials.textures,
                                                    texture_limits(settings, budget.textures), hooks.before_reading);
    out->facts.textures_in_part = out->textures->streams();
    make_resident(*out, geometry, budget.geometry(out->textures->most_bytes()), finds_corners);
    require_room(need.without(out->residency.whole_bytes - out->residency.bytes), room, capabilities);
    if (out->residency.whole()) scene.check_all();
    find_direct_chunks(*out, geometry);
    out->facts.compact = !mesh::has_other_coding(geometry, mesh::Coding::kCompact);
    out->facts.transmissive = out->has_transmissive();
    out->facts.blended = out->has_blended();
    const DeformLayout deformed =
        lay_out_deformed(deform, deform_room(animation, copies, geometry, out->residency, settings, capabilities),
                         geometry, out->residency);
    out->movers = find_movers(*out, scene, settings, animation, deformed);
    out->levels = make_levels(geometry, deformed.headers, streamed_groups(out->residency));
    if (!out->residency.whole()) set_demands(out->levels, out->residency);
    out->facts.levels = out->facts.meshlets.keeps_first = out->levels.any();
    out->totals = scene_totals(*out, geometry);
    out->drawable_triangles = out->totals.instanced.triangles;
    count_survivors(*out, capabilities, settings.survivor_budget);
    out->bit_tables = bit_tables(out->facts, capabilities, false);
    out->cut_bit_tables = bit_tables(out->facts, capabilities, true);
    out->facts.wide_ids = out->wide_ids = out->drawable_sublets > shared::kNarrowIdSublets || hooks.wide_ids;
    require_drawable(*out, scene.scene.materials.size());

    add_material_drivers(animation, scene.scene, materials);
    LightsData lights = gather_lights(scene.scene, settings, out->instance_spheres, out->bounds, animation);
    out->features = shading_features(*out, materials, streams_present);
    out->transmission_blur = materials.transmission_blur;

    Progress progress("upload", need.geometry, "bytes");
    gpu::Uploader uploader(device);
    uploader.set_progress(&progress);
    BufferMaker maker(device, uploader);
    upload_geometry(*out, maker, geometry, deformed);
    upload_levels(*out, maker);
    std::vector<shared::Instance> instances = out->instance_data;
    for (const DeformData::Placed& placed : deform.placed) {
        instances[placed.instance].mesh = deformed.mesh_of[placed.pose];
    }
    upload_instances(*out, maker, instances, tasks);
    out->materials = maker.filled("materials", materials.materials, out->material_bytes);
    out->material_lobes = maker.filled("material lobes", materials.lobes, out->material_bytes);
    out->uv_transforms = maker.filled("texture transforms", materials.uv_transforms, out->material_bytes);
    out->meshlet_ranges = maker.filled("meshlet ranges", out->ranges, out->decoded_bytes);
    out->sublet_records =
        maker.make("sublet records", out->residency.sublets * sizeof(shared::SubletRecord), out->decoded_bytes);
    upload_deform(*out, maker, deformed);
    skeletons.places = joint_places(scene.scene, skins);
    upload_skeletons(*out, maker, std::move(skeletons));
    upload_animation(*out, maker, std::move(animation), copies);
    if (!lights.lights.empty()) {
        out->lights.lights = maker.filled("lights", lights.lights, out->lights.bytes);
        out->lights.count = static_cast<std::uint32_t>(lights.lights.size());
        out->lights.everywhere = lights.everywhere;
        out->lights.nodes = std::move(lights.nodes);
        out->lights.casting = CastingLights(std::move(lights.still), lights.moving);
        out->lights.movers = std::move(lights.movers);
        out->facts.lights = true;
    }
    uploader.finish();
    return out;
}

std::vector<gpu::Descriptor> scene_descriptors(const GpuScene& scene, const gpu::Buffer* frame_data) {
    using namespace shared;
    // What nothing reads, as the scene lacks it, is any buffer.
    const auto or_any = [&](const gpu::Buffer& buffer) -> const gpu::Buffer& {
        return buffer ? buffer : scene.sublet_records;
    };
    std::vector<gpu::Descriptor> out{
        gpu::buffer_at(kBindMeshes, scene.meshes),
        gpu::buffer_at(kBindInstances, scene.instances),
        gpu::buffer_at(kBindMaterials, scene.materials),
        gpu::buffer_at(kBindMaterialLobes, scene.material_lobes),
        gpu::buffer_at(kBindUvTransforms, scene.uv_transforms),
        gpu::buffer_at(kBindStreams, scene.streams),
        gpu::buffer_at(kBindPayload, scene.payload),
        gpu::buffer_at(kBindMeshletBounds, scene.meshlet_bounds),
        gpu::buffer_at(kBindSubletBounds, scene.sublet_bounds),
        gpu::buffer_at(kBindFirstOf, scene.first_of),
        gpu::buffer_at(kBindPositions, or_any(scene.vertices->positions)),
        gpu::buffer_at(kBindAttributes, or_any(scene.vertices->attributes)),
        gpu::buffer_at(kBindLeads, or_any(scene.vertices->leads)),
        gpu::buffer_at(kBindMeshletRanges, scene.meshlet_ranges),
        gpu::buffer_at(kBindSubletRecords, scene.sublet_records),
        gpu::buffer_at(kBindCompactRecords, or_any(scene.vertices->compact_records)),
        gpu::buffer_at(kBindDeformation, or_any(scene.deform.vectors)),
        gpu::buffer_at(kBindLodGroups, or_any(scene.lod_groups)),
        gpu::buffer_at(kBindCutPlaces, or_any(scene.cut_places)),
    };
    if (frame_data != nullptr) out.push_back(gpu::buffer_at(kBindFrame, *frame_data));
    return out;
}

}  // namespace sublet::render
