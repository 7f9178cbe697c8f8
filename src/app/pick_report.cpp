#include "app/pick_report.h"

#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <utility>
#include <vector>

#include "app/placed_scene.h"
#include "mesh/mesh.h"
#include "mesh/morphs.h"
#include "mesh/short_bounds.h"
#include "mesh/sizes.h"
#include "render/scene/gpu_scene.h"
#include "scene/deform.h"

namespace sublet::app {

namespace {

glm::vec3 xyz(const shared::vec4& v) {
    return {v.x, v.y, v.z};
}

// `scale`: that the renderer gives a radius.
PickedBound make_bound(const shared::vec4& sphere, const glm::mat4& transform, float scale) {
    PickedBound out;
    out.center = xyz(sphere);
    out.radius = sphere.w;
    out.world_center = glm::vec3(transform * glm::vec4(out.center, 1.0F));
    out.world_radius = sphere.w * scale;
    return out;
}

PickedBound make_bound(const mesh::Bound& bound, const glm::mat4& transform, float scale) {
    PickedBound out = make_bound(bound.sphere, transform, scale);
    const glm::vec3 axis = xyz(bound.cone);
    const glm::vec3 turned = glm::mat3(transform) * axis;
    const float length = glm::length(turned);
    if (bound.cone.w < 1.0F && length > 0.0F) out.cone = PickedBound::Cone{axis, turned / length, bound.cone.w};
    return out;
}

// Of sublets [first, end), and of the bounds of `meshlets`.
void set_sizes(const mesh::MeshView& mesh, const mesh::BoundSizes& bounds, std::uint32_t first, std::uint32_t end,
               std::uint32_t meshlets, PickedPart& out) {
    const mesh::RangeSizes sizes = mesh::range_sizes(mesh, first, end);
    out.triangles = sizes.triangles;
    out.vertices = sizes.vertices;
    out.stream_bytes = sizes.stream_bytes;
    out.header_bytes = sizes.header_bytes;
    out.bounds_bytes = (end - first) * bounds.sublet + meshlets * bounds.meshlet;
    const mesh::RangeTargetSizes targets = mesh::range_target_sizes(mesh, first, end);
    out.morph_bytes = targets.value_bytes;
    out.header_bytes += targets.header_bytes;
}

void sum_bytes(PickedPart& part) {
    part.bytes = part.header_bytes + part.bounds_bytes;
    for (const std::uint64_t bytes : part.stream_bytes) part.bytes += bytes;
    for (const std::uint64_t bytes : part.morph_bytes) part.bytes += bytes;
}

// That ids number `instance`; and how many they number. Those without triangles have none.
std::optional<scene::Instance> find_instance(const scene::EncodedScene& scene, const render::SceneSettings& settings,
                                             std::uint32_t instance, std::uint32_t& count, std::size_t& place) {
    std::optional<scene::Instance> found;
    count = 0;
    std::size_t number = 0;
    for (const scene::Instance& placed : scene::instances(scene, settings.grid, settings.variant)) {
        const std::size_t at = number++;
        if (scene.geometry.meshes[placed.mesh].sublet_count == 0) continue;
        if (count++ != instance) continue;
        found = placed;
        if (!settings.grid.empty()) place = at / scene.scene.mesh_groups[0].mesh_count;
    }
    return found;
}

void set_bound(PickedBound& bound, const scene::PosedBounds& posed) {
    bound.world_center = glm::vec3(posed.sphere);
    bound.world_radius = posed.sphere.w;
    bound.cone.reset();
}

// As it is posed at these times: the triangle's corners, and bounds in the world.
void pose(PickReport& out, const scene::EncodedScene& scene, const render::SceneSettings& settings,
          const scene::Instance& instance, const mesh::DecodedSublet& sublet, const scene::AnimationTimes& times) {
    out.deforms = true;
    const auto playing = scene::chosen_animations(scene.scene, settings.animation);
    const scene::EncodedScene posed = scene::posed_placement(scene, playing, times);
    const std::vector<glm::mat4> world = scene::world_transforms(posed.scene);
    const std::vector<glm::vec3> vertices = scene::posed_vertices(posed, instance, world, out.at.sublet);
    for (std::size_t i = 0; i < out.corners.size(); ++i) {
        out.corners[i] = vertices[sublet.triangles[out.at.triangle][i]];
    }
    set_bound(out.of_sublet.bound, scene::bounds_around(vertices));
    const std::uint32_t first = out.meshlet * shared::kSubletsPerMeshlet;
    std::vector<glm::vec3> of_meshlet;
    for (std::uint32_t s = first; s < std::min(first + shared::kSubletsPerMeshlet, out.sublets); ++s) {
        const std::vector<glm::vec3> more = scene::posed_vertices(posed, instance, world, s);
        of_meshlet.insert(of_meshlet.end(), more.begin(), more.end());
    }
    set_bound(out.of_meshlet.bound, scene::bounds_around(of_meshlet));
    set_bound(out.of_mesh.bound, scene::posed_bounds(posed, instance, world));
}

// Where it is: corners and bounds, of what the instance places or, where that deforms, of its pose.
void set_place(PickReport& out, const scene::EncodedScene& scene, const render::SceneSettings& settings,
               const scene::Instance& instance, const mesh::DecodedSublet& sublet, const scene::AnimationTimes& times) {
    const mesh::MeshView mesh = mesh::mesh_view(scene.geometry, instance.mesh);
    const glm::mat4& transform = instance.transform;
    for (std::size_t i = 0; i < out.corners.size(); ++i) {
        const std::uint32_t vertex = sublet.triangles[out.at.triangle][i];
        const auto object = mesh::dequantize_position(*mesh.header, sublet.positions[vertex]);
        out.corners[i] = glm::vec3(transform * glm::vec4(object[0], object[1], object[2], 1.0F));
    }
    const float scale = render::make_instance(instance, {}).scale;
    out.of_mesh.bound = make_bound(mesh.header->sphere, transform, scale);
    out.of_meshlet.bound = make_bound(mesh.meshlet_bounds[out.meshlet], transform, scale);
    out.of_sublet.bound = make_bound(mesh.sublet_bounds[out.at.sublet], transform, scale);
    if (scene::is_deformed(scene, instance)) pose(out, scene, settings, instance, sublet, times);
}

// `meshlet`: of the scene.
std::optional<PickReport::Level> level_of(const mesh::GeometryView& geometry, std::uint32_t meshlet,
                                          const scene::Instance& instance) {
    if (geometry.lod_meshlets.empty()) return std::nullopt;
    const mesh::LodMeshlet& of = geometry.lod_meshlets[meshlet];
    if (of.group == shared::kNoLodGroup) return std::nullopt;
    PickReport::Level out{.group = of.group};
    if (of.simplified_from != shared::kNoLodGroup) {
        const mesh::LodGroup& from = geometry.lod_groups[of.simplified_from];
        out.level = from.level + 1;
        out.error = from.error * render::make_instance(instance, {}).scale;
    }
    return out;
}

std::string mesh_name(const scene::Scene& scene, std::uint32_t mesh) {
    for (const scene::MeshGroup& group : scene.mesh_groups) {
        if (mesh >= group.first_mesh && mesh < group.first_mesh + group.mesh_count) return group.name;
    }
    return {};
}

Json vector_json(const glm::vec3& v) {
    return {v.x, v.y, v.z};
}

Json bound_json(const PickedBound& bound) {
    Json cone;
    if (bound.cone) {
        cone = {{"axis", vector_json(bound.cone->axis)},
                {"world_axis", vector_json(bound.cone->world_axis)},
                {"cutoff", bound.cone->cutoff}};
    }
    return {{"center", vector_json(bound.center)},
            {"radius", bound.radius},
            {"world_center", vector_json(bound.world_center)},
            {"world_radius", bound.world_radius},
            {"cone", std::move(cone)}};
}

Json part_json(const PickedPart& part) {
    Json streams = Json::object();
    for (const mesh::StreamType& stream : mesh::kStreams) {
        if (part.stream_bytes[stream.type] != 0) streams[stream.name]["bytes"] = part.stream_bytes[stream.type];
    }
    for (std::size_t a = 0; a < part.morph_bytes.size(); ++a) {
        if (part.morph_bytes[a] != 0) streams[mesh::kMorphs[a].stream_name]["bytes"] = part.morph_bytes[a];
    }
    return {{"triangles", part.triangles},
            {"vertices", part.vertices},
            {"bytes", part.bytes},
            {"streams", std::move(streams)},
            {"stream_header_bytes", part.header_bytes},
            {"bounds_bytes", part.bounds_bytes},
            {"bound", bound_json(part.bound)}};
}

}  // namespace

render::Selection selection_of(const std::optional<render::InspectionResult>& result, render::SelectionLevel level) {
    if (!result || result->probes.empty() || !result->probes[0].covered) return {};
    const render::Probe& probe = result->probes[0];
    return {level, probe.instance, probe.sublet, probe.triangle};
}

std::optional<PickReport> describe(const scene::EncodedScene& scene, const render::SceneSettings& settings,
                                   const render::Selection& at, const scene::AnimationTimes& times) {
    if (at.level == render::SelectionLevel::kNone) return std::nullopt;
    PickReport out;
    std::size_t place = 0;  // of a grid
    const auto placed = placed_scene(scene, settings, times);
    const std::optional<scene::Instance> instance = find_instance(*placed, settings, at.instance, out.instances, place);
    if (!instance) return std::nullopt;
    scene.check(instance->mesh);
    const mesh::MeshView mesh = mesh::mesh_view(scene.geometry, instance->mesh);
    const mesh::MeshHeader& header = *mesh.header;
    if (at.sublet >= header.sublet_count) return std::nullopt;
    const mesh::DecodedSublet sublet = mesh::decode_sublet(mesh, at.sublet);
    if (at.triangle >= sublet.triangle_count) return std::nullopt;

    out.at = at;
    if (settings.grid.empty()) {
        out.node = instance->node;
        out.node_name = scene.scene.nodes[instance->node].name;
    }
    out.mesh = instance->mesh;
    out.mesh_name = mesh_name(scene.scene, instance->mesh);
    out.material = instance->material;
    out.material_name = scene.scene.materials[instance->material].name;
    out.meshlet = at.sublet / shared::kSubletsPerMeshlet;
    out.meshlets = header.meshlet_count;
    out.level = level_of(scene.geometry, header.first_meshlet + out.meshlet, *instance);
    out.sublets = header.sublet_count;

    const std::uint32_t first = out.meshlet * shared::kSubletsPerMeshlet;
    // As a file of this mesh would have them: looking through all of a scene's would take a click too long.
    mesh::GeometryView alone = scene.geometry;
    alone.meshes = alone.meshes.subspan(instance->mesh, 1);
    const mesh::BoundSizes bounds = scene.unchecked ? scene::bound_sizes(scene) : mesh::bound_sizes(alone);
    set_sizes(mesh, bounds, 0, header.sublet_count, header.meshlet_count, out.of_mesh);
    set_sizes(mesh, bounds, first, std::min(first + shared::kSubletsPerMeshlet, header.sublet_count), 1,
              out.of_meshlet);
    set_sizes(mesh, bounds, at.sublet, at.sublet + 1, 0, out.of_sublet);
    for (PickedPart* part : {&out.of_mesh, &out.of_meshlet, &out.of_sublet}) sum_bytes(*part);
    set_place(out, scene, settings, *instance, sublet, times.after(static_cast<double>(place) * settings.stagger));
    return out;
}

void place_again(PickReport& report, const scene::EncodedScene& scene, const render::SceneSettings& settings,
                 const scene::AnimationTimes& times) {
    std::size_t place = 0;
    std::uint32_t count = 0;
    const auto placed = placed_scene(scene, settings, times);
    const std::optional<scene::Instance> instance = find_instance(*placed, settings, report.at.instance, count, place);
    if (!instance || instance->mesh != report.mesh) return;
    const mesh::DecodedSublet sublet =
        mesh::decode_sublet(mesh::mesh_view(scene.geometry, report.mesh), report.at.sublet);
    set_place(report, scene, settings, *instance, sublet, times.after(static_cast<double>(place) * settings.stagger));
}

Json pick_json(const PickReport& report) {
    Json corners = Json::array();
    for (const glm::vec3& corner : report.corners) corners.push_back(vector_json(corner));
    return {{"instance", report.at.instance},
            {"node", report.node ? Json(*report.node) : Json()},
            {"node_name", report.node_name},
            {"mesh", report.mesh},
            {"mesh_name", report.mesh_name},
            {"material", report.material},
            {"material_name", report.material_name},
            {"meshlet", report.meshlet},
            {"lod_level", report.level ? Json(report.level->level) : Json()},
            {"lod_group", report.level ? Json(report.level->group) : Json()},
            {"lod_error", report.level ? Json(report.level->error) : Json()},
            {"sublet", report.at.sublet},
            {"triangle", report.at.triangle},
            {"deforms", report.deforms},
            {"corners", std::move(corners)},
            {"parts",
             {{"mesh", part_json(report.of_mesh)},
              {"meshlet", part_json(report.of_meshlet)},
              {"sublet", part_json(report.of_sublet)}}}};
}

}  // namespace sublet::app
