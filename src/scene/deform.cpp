#include "scene/deform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "mesh/parallel.h"

namespace sublet::scene {
namespace {

using shared::SkinMatrix;

// Up to eight joints of a vertex and their weights in parts; as many as `count` says.
struct Joints {
    std::array<std::uint16_t, 8> joint{};
    std::array<std::uint32_t, 8> parts{};
    std::size_t count = 0;
};

SkinMatrix blend(const Joints& joints, std::span<const SkinMatrix> matrices) {
    const SkinMatrix& first = matrices[joints.joint[0]];
    SkinMatrix sum = first;
    for (std::size_t i = 1; i < joints.count; ++i) {
        if (joints.parts[i] > 0) sum = shared::blend_joint(sum, first, matrices[joints.joint[i]], joints.parts[i]);
    }
    return sum;
}

Joints joints_of(const mesh::MeshArrays& mesh, std::size_t v) {
    Joints out;
    const auto add = [&](const std::array<std::uint16_t, 4>& joints, const std::array<float, 4>& weights) {
        for (std::size_t i = 0; i < 4; ++i) {
            out.joint[out.count] = joints[i];
            // Exact: the decoder divided them.
            out.parts[out.count++] =
                static_cast<std::uint32_t>(std::lround(weights[i] * static_cast<float>(shared::kWeightParts)));
        }
    };
    add(mesh.joints[v], mesh.weights[v]);
    if (!mesh.joints1.empty()) add(mesh.joints1[v], mesh.weights1[v]);
    return out;
}

// Of the attribute words of a vertex. The first joint's weight is never asked for.
class JointReader {
  public:
    explicit JointReader(const mesh::MeshHeader& header)
        : indices_(mesh::attribute_words_before(header, shared::kStreamBoneIndices)),
          weights_(mesh::attribute_words_before(header, shared::kStreamJointWeights)),
          indices1_(mesh::attribute_words_before(header, shared::kStreamJointIndices1)),
          weights1_(mesh::attribute_words_before(header, shared::kStreamJointWeights1)),
          count_((header.streams_present >> shared::kStreamJointWeights1 & 1U) != 0 ? 8 : 4) {}

    [[nodiscard]] Joints read(const std::uint32_t* words) const {
        const auto half = [words](std::size_t at, std::size_t i) {
            return static_cast<std::uint16_t>(words[at + i / 2] >> (16 * (i % 2)) & 0xffffU);
        };
        Joints out;
        out.count = count_;
        for (std::size_t i = 0; i < count_; ++i) {
            out.joint[i] = half(i < 4 ? indices_ : indices1_, i % 4);
            if (i > 0) out.parts[i] = i < 4 ? half(weights_, i - 1) : half(weights1_, i - 4);
        }
        return out;
    }

  private:
    std::size_t indices_, weights_, indices1_, weights1_, count_;
};

glm::vec3 skin_point(const SkinMatrix& m, const std::array<float, 3>& p) {
    const shared::vec4 posed = shared::skin_vector(m, {p[0], p[1], p[2], 1.0F});
    return {posed.x, posed.y, posed.z};
}

// Scales `v` to unit length and puts it there; not where it has no direction. A unit vector keeps its bits.
void put_direction(const shared::vec4& v, float* to) {
    // By the largest component first, so that no square overflows or vanishes.
    const float largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0.0F) || !std::isfinite(largest)) return;
    const glm::vec3 scaled = glm::vec3(v.x, v.y, v.z) / largest;
    const float length = glm::length(scaled);
    const bool unit = std::abs(length * largest - 1.0F) <= 1e-6F;
    const glm::vec3 direction = unit ? glm::vec3(v.x, v.y, v.z) : scaled / length;
    std::copy_n(&direction.x, 3, to);
}

bool is_finite(const glm::vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

}  // namespace

std::vector<SkinMatrix> skin_matrices(const Skin& skin, std::span<const glm::mat4> world) {
    std::vector<SkinMatrix> out(skin.joints.size());
    for (std::size_t j = 0; j < out.size(); ++j) {
        const glm::mat4 m = world[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_bind[j];
        for (int row = 0; row < 3; ++row) out[j].rows[row] = {m[0][row], m[1][row], m[2][row], m[3][row]};
    }
    return out;
}

void deform(mesh::MeshArrays& mesh, std::span<const SkinMatrix> matrices) {
    for (std::size_t v = 0; v < mesh.joints.size(); ++v) {
        const SkinMatrix m = blend(joints_of(mesh, v), matrices);
        const glm::vec3 position = skin_point(m, mesh.positions[v]);
        mesh.positions[v] = {position.x, position.y, position.z};
        if (!mesh.normals.empty()) {
            std::array<float, 3>& n = mesh.normals[v];
            put_direction(shared::skin_normal(m, {n[0], n[1], n[2], 0.0F}), n.data());
        }
        if (!mesh.tangents.empty()) {
            std::array<float, 4>& t = mesh.tangents[v];
            put_direction(shared::skin_vector(m, {t[0], t[1], t[2], 0.0F}), t.data());
        }
    }
}

PosedBounds posed_bounds(const EncodedScene& scene, const Instance& instance, std::span<const glm::mat4> world,
                         ThreadPool* pool) {
    constexpr std::size_t kSublets = 256;
    const mesh::MeshView mesh = mesh::mesh_view(scene.geometry, instance.mesh);
    const std::vector<SkinMatrix> matrices =
        skin_matrices(scene.scene.skins[static_cast<std::size_t>(instance.skin)], world);
    const JointReader reader(*mesh.header);
    std::vector<std::vector<glm::vec3>> parts((mesh.header->sublet_count + kSublets - 1) / kSublets);
    mesh::for_ranges(pool, mesh.header->sublet_count, kSublets, [&](std::size_t begin, std::size_t end) {
        std::vector<glm::vec3>& points = parts[begin / kSublets];
        for (std::size_t s = begin; s < end; ++s) {
            const mesh::DecodedSublet sublet = mesh::decode_sublet(mesh, static_cast<std::uint32_t>(s));
            for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
                const SkinMatrix m = blend(reader.read(sublet.attributes[v].data()), matrices);
                const glm::vec3 posed = skin_point(m, mesh::dequantize_position(*mesh.header, sublet.positions[v]));
                const auto placed = glm::vec3(instance.transform * glm::vec4(posed, 1.0F));
                if (is_finite(placed)) points.push_back(placed);
            }
        }
    });
    glm::vec3 low(std::numeric_limits<float>::max());
    glm::vec3 high(std::numeric_limits<float>::lowest());
    for (const std::vector<glm::vec3>& points : parts) {
        for (const glm::vec3& point : points) {
            low = glm::min(low, point);
            high = glm::max(high, point);
        }
    }
    if (low.x > high.x) return {};
    // Halved first, so that the sum stays finite.
    const glm::vec3 centre = low * 0.5F + high * 0.5F;
    float radius = 0.0F;
    for (const std::vector<glm::vec3>& points : parts) {
        for (const glm::vec3& point : points) radius = std::max(radius, glm::distance(centre, point));
    }
    return {low, high, glm::vec4(centre, radius)};
}

}  // namespace sublet::scene
