#include "render/scene/joint_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>

namespace sublet::render {
namespace {

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
        for (std::uint32_t t = 0; t < mesh.morph->target_count; ++t) {
            const std::optional<mesh::DecodedMorph> morph = mesh::decode_morph(mesh, s, t);
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

}  // namespace

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

}  // namespace sublet::render
