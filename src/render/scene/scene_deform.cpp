#include "render/scene/scene_deform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "mesh/compact_morphs.h"
#include "mesh/morphs.h"
#include "mesh/view.h"
#include "render/scene/distinct_vertices.h"

namespace sublet::render {
namespace {

// So many workgroups keep any device busy: where there are more, each takes several poses.
constexpr std::uint64_t kBusyGroups = 4096;

constexpr std::uint32_t kMasksOfVector = sizeof(shared::uvec4) / sizeof(shared::MorphMask);

const shared::MorphMesh* find_morph(const mesh::GeometryView& geometry, std::uint32_t mesh) {
    const auto found = std::ranges::lower_bound(geometry.morphs, mesh, {}, &shared::MorphMesh::mesh);
    return found != geometry.morphs.end() && found->mesh == mesh ? &*found : nullptr;
}

template <class T>
void append(std::vector<shared::uvec4>& out, const std::vector<T>& elements) {
    const std::size_t first = out.size();
    out.resize(first + (elements.size() * sizeof(T) + sizeof(shared::uvec4) - 1) / sizeof(shared::uvec4));
    if (!elements.empty()) std::memcpy(out.data() + first, elements.data(), elements.size() * sizeof(T));
}

// Poses of one mesh side by side: a workgroup takes several.
std::vector<std::uint32_t> poses_by_mesh(const DeformData& data) {
    std::vector<std::uint32_t> order(data.poses.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t pose) { return data.poses[pose].mesh; });
    return order;
}

struct Box {
    std::array<float, 3> low, high;

    Box() {
        low.fill(std::numeric_limits<float>::max());
        high.fill(std::numeric_limits<float>::lowest());
    }

    void add(const std::array<float, 3>& p) {
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    }
};

shared::JointBox to_shared(std::uint32_t joint, const Box& box) {
    shared::JointBox out{};
    out.joint = joint;
    for (std::size_t k = 0; k < 3; ++k) {
        out.center[k] = 0.5F * box.low[k] + 0.5F * box.high[k];
        out.half_size[k] = 0.5F * box.high[k] - 0.5F * box.low[k];
    }
    return out;
}

void add_joints(std::map<std::uint32_t, Box>& boxes, const std::array<float, 3>& position,
                const std::array<std::uint16_t, 4>& joints, const std::array<float, 4>& weights) {
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (weights[i] > 0.0F) boxes[joints[i]].add(position);
    }
}

std::vector<shared::vec4> morph_reach(const mesh::MeshView& mesh) {
    if (mesh.morph == nullptr) return {};
    std::vector<shared::vec4> out(mesh.morph->target_count);
    if ((mesh.morph->attributes & shared::kMorphPosition) == 0) return out;
    const float scale = mesh::morph_scale(*mesh.morph, 0);
    for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
        const mesh::SubletMorphs morphs(mesh, s);
        for (std::uint32_t t = 0; t < mesh.morph->target_count; ++t) {
            const std::optional<mesh::DecodedMorph> morph = morphs.decode(t);
            if (!morph) continue;
            for (const std::array<std::int16_t, 3>& p : morph->positions) {
                out[t].x = std::max(out[t].x, scale * std::abs(static_cast<float>(p[0])));
                out[t].y = std::max(out[t].y, scale * std::abs(static_cast<float>(p[1])));
                out[t].z = std::max(out[t].z, scale * std::abs(static_cast<float>(p[2])));
            }
        }
    }
    return out;
}

// Of a mesh in its bind pose. `skinned`: whether joints move it. Linear in its vertices.
JointBoxes find_joint_boxes(const mesh::MeshView& mesh, bool skinned) {
    const mesh::MeshArrays arrays = mesh::decode(mesh, false);
    std::map<std::uint32_t, Box> boxes;
    for (std::size_t v = 0; v < arrays.positions.size(); ++v) {
        if (!skinned) {
            boxes[0].add(arrays.positions[v]);
            continue;
        }
        // Blending begins as the first joint moves a vertex, whatever its weight is.
        boxes[arrays.joints[v][0]].add(arrays.positions[v]);
        add_joints(boxes, arrays.positions[v], arrays.joints[v], arrays.weights[v]);
        if (!arrays.joints1.empty()) add_joints(boxes, arrays.positions[v], arrays.joints1[v], arrays.weights1[v]);
    }
    JointBoxes out;
    for (const auto& [joint, box] : boxes) out.boxes.push_back(to_shared(joint, box));
    out.morph_reach = morph_reach(mesh);
    return out;
}

// A mesh of the file that deforms: where what is known of its vertices lies, and how many are distinct.
struct DeformSource {
    std::uint32_t first_box = 0;
    std::uint32_t first_number = 0;
    std::uint32_t distinct = 0;
};

// Behind what `out` has.
DeformSource append_source(std::vector<shared::uvec4>& out, const mesh::MeshView& mesh, const JointBoxes& boxes) {
    DeformSource source;
    source.first_box = static_cast<std::uint32_t>(out.size());
    out.push_back({static_cast<std::uint32_t>(boxes.boxes.size()), 0, 0, 0});
    append(out, boxes.boxes);
    append(out, boxes.morph_reach);
    const DistinctVertices vertices = find_distinct_vertices(mesh);
    source.first_number = static_cast<std::uint32_t>(out.size());
    source.distinct = static_cast<std::uint32_t>(vertices.distinct.size());
    append(out, vertices.numbers);
    append(out, vertices.distinct);
    return source;
}

std::uint32_t pack_exponents(const shared::MorphMesh& morph) {
    std::uint32_t out = 0;
    for (std::uint32_t i = 0; i < shared::kMorphAttributes; ++i) {
        out |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(morph.exponents[i])) << 8 * i;
    }
    return out;
}

// A workgroup for each range of up to `size` of the `count` parts of a mesh, in `poses` poses.
void add_tasks(std::vector<shared::DeformTask>& out, std::uint32_t first_pose, std::uint32_t poses, std::uint32_t count,
               std::uint32_t size) {
    for (std::uint32_t begin = 0; begin < count; begin += size) {
        out.push_back({first_pose, poses, begin, std::min(size, count - begin)});
    }
}

void add_tasks(DeformLayout& out, const DeformData& data, const std::vector<std::uint32_t>& order,
               const std::map<std::uint32_t, DeformSource>& sources, const mesh::GeometryView& geometry) {
    std::uint64_t all = 0;
    for (const PosedMesh& pose : data.poses) all += sources.at(pose.mesh).distinct / shared::kVerticesOfTask + 1;
    const auto together =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(all / kBusyGroups, 1, shared::kPosesOfTask));
    std::uint32_t count = 0;
    for (std::uint32_t first = 0; first < order.size(); first += count) {
        const std::uint32_t mesh = data.poses[order[first]].mesh;
        count = 1;
        while (count < together && first + count < order.size() && data.poses[order[first + count]].mesh == mesh)
            ++count;
        add_tasks(out.vertex_tasks, first, count, sources.at(mesh).distinct, shared::kVerticesOfTask);
        add_tasks(out.bounds_tasks, first, count, geometry.meshes[mesh].meshlet_count, shared::kMeshletsOfTask);
    }
}

}  // namespace

void add_deformed(DeformData& data, std::uint32_t instance, const PosedMesh& pose) {
    const auto number = static_cast<std::uint32_t>(data.poses.size());
    const auto [known, is_new] = data.known.try_emplace(pose, number);
    if (is_new) data.poses.push_back(pose);
    data.placed.push_back({instance, known->second});
}

DeformLayout lay_out_deformed(const DeformData& data, const DeformRoom& room, const mesh::GeometryView& geometry,
                              const Residency& residency) {
    DeformLayout out;
    const std::vector<std::uint32_t> order = poses_by_mesh(data);
    const std::uint64_t records = data.poses.size() * shared::kDeformedMeshVectors;
    out.vectors.resize(records);
    append(out.vectors, mesh::moved_masks(geometry, room.streams));
    std::map<std::uint32_t, DeformSource> sources;
    for (const std::uint32_t number : order) {
        const std::uint32_t mesh = data.poses[number].mesh;
        if (!sources.contains(mesh)) {
            const mesh::MeshView view = mesh::mesh_view(geometry, mesh);
            out.boxes[mesh] = find_joint_boxes(view, data.poses[number].joint_count != 0);
            sources[mesh] = append_source(out.vectors, view, out.boxes[mesh]);
        }
    }
    out.first_matrix = out.vectors.size();
    out.first_weight = out.first_matrix + room.joints * shared::kSkinMatrixVectors;
    out.pose_vectors = out.first_weight - out.first_matrix + room.weight_vectors;
    out.all_vectors = out.first_matrix + 2 * out.pose_vectors;
    out.mesh_of.resize(order.size());
    std::vector<shared::DeformedMesh> meshes;
    std::uint64_t vertices = 0;
    for (const std::uint32_t number : order) {
        const PosedMesh& pose = data.poses[number];
        const shared::MeshHeader& header = geometry.meshes[pose.mesh];
        const DeformSource& source = sources.at(pose.mesh);
        const bool eight = (header.streams_present >> shared::kStreamJointWeights1 & 1U) != 0;
        out.kinds |= shared::kDeformsSome | (pose.joint_count != 0 ? shared::kDeformsJoints : 0U) |
                     (pose.joint_count != 0 && eight ? shared::kDeformsEight : 0U) |
                     (pose.morphs ? shared::kDeformsMorphs : 0U);
        shared::DeformedMesh mesh{};
        mesh.mesh = static_cast<std::uint32_t>(geometry.meshes.size() + meshes.size());
        mesh.source = pose.mesh;
        mesh.first_vertex = shared::kNotCached;
        mesh.first_box = source.first_box;
        mesh.first_number = source.first_number;
        if (vertices + source.distinct <= room.vertices) {
            mesh.first_vertex = static_cast<std::uint32_t>(out.all_vectors);
            out.all_vectors += source.distinct;
            vertices += source.distinct;
        } else {
            out.kinds |= shared::kDeformsUncached;
        }
        mesh.first_sublet = static_cast<std::uint32_t>(residency.sublets + out.sublets);
        mesh.first_meshlet = static_cast<std::uint32_t>(geometry.meshlet_bounds.size() + out.meshlets);
        mesh.joint_count = pose.joint_count;
        mesh.first_matrix =
            static_cast<std::uint32_t>(out.first_matrix) + pose.first_joint * shared::kSkinMatrixVectors;
        mesh.first_weight = static_cast<std::uint32_t>(out.first_weight) + pose.first_weight;
        if (const shared::MorphMesh* morph = pose.morphs ? find_morph(geometry, pose.mesh) : nullptr) {
            mesh.morphs = morph->attributes;
            mesh.first_mask = static_cast<std::uint32_t>(records) * kMasksOfVector + morph->first_mask;
            mesh.mask_words = (morph->target_count + 31) / 32;
            mesh.morph_payload = room.payload + morph->payload_offset;
            mesh.morph_exponents = pack_exponents(*morph);
            mesh.morph_place_bits = morph->place_bits;
            if (mesh::is_compact(*morph)) out.kinds |= shared::kDeformsCompactMorphs;
        }
        out.mesh_of[number] = mesh.mesh;
        out.headers.push_back(residency.meshes[pose.mesh]);
        out.headers.back().style |= (static_cast<std::uint32_t>(meshes.size()) + 1) << shared::kDeformedRecordShift;
        out.sublets += header.sublet_count;
        out.meshlets += header.meshlet_count;
        meshes.push_back(mesh);
    }
    if (!meshes.empty()) std::memcpy(out.vectors.data(), meshes.data(), meshes.size() * sizeof(shared::DeformedMesh));
    add_tasks(out, data, order, sources, geometry);
    for (const DeformData::Placed& placed : data.placed) out.instances.push_back(placed.instance);
    return out;
}

}  // namespace sublet::render
