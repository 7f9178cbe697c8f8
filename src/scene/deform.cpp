#include "scene/deform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>

#include "mesh/morphs.h"
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

// A vector while it is deformed.
struct Moving {
    shared::vec4 v;
    bool moved = false;

    // What a target adds. Nothing keeps its bits.
    void add(const std::array<float, 3>& delta, float weight) {
        if (delta == std::array<float, 3>{}) return;
        v = shared::add_morph(v, {delta[0], delta[1], delta[2], 0.0F}, weight);
        moved = true;
    }
};

Moving start(const float* v, float w) {
    return {{v[0], v[1], v[2], w}};
}

// Adds what all targets add to attribute `attribute` of a vertex.
void add_morphs(Moving& to, std::span<const mesh::MorphArrays> morphs, std::span<const float> weights,
                std::uint32_t attribute, std::size_t vertex) {
    for (std::size_t t = 0; t < std::min(morphs.size(), weights.size()); ++t) {
        if (weights[t] == 0.0F) continue;
        const auto& values = mesh::morph_values(morphs[t], attribute);
        if (!values.empty()) to.add(values[vertex], weights[t]);
    }
}

// Positions of a sublet's vertices, as its morph targets move them.
void morph_sublet(const mesh::MeshView& mesh, std::uint32_t sublet, std::uint32_t vertices,
                  std::span<const float> weights, std::array<Moving, shared::kSubletSize>& positions) {
    if (mesh.morph == nullptr || (mesh.morph->attributes & shared::kMorphPosition) == 0) return;
    const float scale = mesh::morph_scale(*mesh.morph, 0);
    const mesh::SubletMorphs morphs(mesh, sublet);
    for (std::uint32_t t = 0; t < std::min<std::size_t>(mesh.morph->target_count, weights.size()); ++t) {
        if (weights[t] == 0.0F) continue;
        const std::optional<mesh::DecodedMorph> morph = morphs.decode(t);
        for (std::uint32_t v = 0; morph && v < vertices; ++v) {
            const std::array<std::int16_t, 3>& q = morph->positions[v];
            positions[v].add(
                {scale * static_cast<float>(q[0]), scale * static_cast<float>(q[1]), scale * static_cast<float>(q[2])},
                weights[t]);
        }
    }
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

void deform(mesh::MeshArrays& mesh, std::span<const SkinMatrix> matrices, std::span<const float> weights) {
    const bool skinned = !matrices.empty();
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        SkinMatrix m{};
        if (skinned) m = blend(joints_of(mesh, v), matrices);
        Moving position = start(mesh.positions[v].data(), 1.0F);
        add_morphs(position, mesh.morphs, weights, 0, v);
        if (skinned) position.v = shared::skin_vector(m, position.v);
        mesh.positions[v] = {position.v.x, position.v.y, position.v.z};
        const auto turn = [&](float* to, std::uint32_t attribute) {
            Moving direction = start(to, 0.0F);
            add_morphs(direction, mesh.morphs, weights, attribute, v);
            if (skinned) {
                direction.v =
                    attribute == 1 ? shared::skin_normal(m, direction.v) : shared::skin_vector(m, direction.v);
            }
            if (skinned || direction.moved) put_direction(direction.v, to);
        };
        if (!mesh.normals.empty()) turn(mesh.normals[v].data(), 1);
        if (!mesh.tangents.empty()) turn(mesh.tangents[v].data(), 2);
    }
}

bool is_deformed(const EncodedScene& scene, const Instance& instance) {
    return instance.skin >= 0 || mesh::morphs(scene.geometry.meshes[instance.mesh]);
}

namespace {

// Moves the vertices of one instance.
class Poser {
  public:
    Poser(const EncodedScene& scene, const Instance& instance, std::span<const glm::mat4> world)
        : mesh_(mesh::mesh_view(scene.geometry, instance.mesh)),
          transform_(instance.transform),
          weights_(morph_weights(scene.scene, instance)),
          reader_(*mesh_.header) {
        if (instance.skin < 0) return;
        matrices_ = skin_matrices(scene.scene.skins[static_cast<std::size_t>(instance.skin)], world);
    }

    [[nodiscard]] std::uint32_t sublets() const { return mesh_.header->sublet_count; }

    // Adds those of a sublet, in the world.
    void add(std::uint32_t s, std::vector<glm::vec3>& points) const {
        const mesh::DecodedSublet sublet = mesh::decode_sublet(mesh_, s);
        std::array<Moving, shared::kSubletSize> positions;
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            positions[v] = start(mesh::dequantize_position(*mesh_.header, sublet.positions[v]).data(), 1.0F);
        }
        morph_sublet(mesh_, s, sublet.vertex_count, weights_, positions);
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            shared::vec4& p = positions[v].v;
            if (!matrices_.empty()) {
                p = shared::skin_vector(blend(reader_.read(sublet.attributes[v].data()), matrices_), p);
            }
            points.emplace_back(transform_ * glm::vec4(p.x, p.y, p.z, 1.0F));
        }
    }

  private:
    mesh::MeshView mesh_;
    glm::mat4 transform_;
    const std::vector<float>& weights_;
    JointReader reader_;
    std::vector<SkinMatrix> matrices_;
};

// Of points in several parts.
PosedBounds bounds_of(std::span<const std::vector<glm::vec3>> parts) {
    glm::vec3 low(std::numeric_limits<float>::max());
    glm::vec3 high(std::numeric_limits<float>::lowest());
    for (const std::vector<glm::vec3>& points : parts) {
        for (const glm::vec3& point : points) {
            if (!is_finite(point)) continue;
            low = glm::min(low, point);
            high = glm::max(high, point);
        }
    }
    if (low.x > high.x) return {};
    // Halved first, so that the sum stays finite.
    const glm::vec3 centre = low * 0.5F + high * 0.5F;
    float radius = 0.0F;
    for (const std::vector<glm::vec3>& points : parts) {
        for (const glm::vec3& point : points) {
            if (is_finite(point)) radius = std::max(radius, glm::distance(centre, point));
        }
    }
    return {low, high, glm::vec4(centre, radius)};
}

}  // namespace

PosedBounds posed_bounds(const EncodedScene& scene, const Instance& instance, std::span<const glm::mat4> world,
                         ThreadPool* pool) {
    constexpr std::size_t kSublets = 256;
    const Poser poser(scene, instance, world);
    std::vector<std::vector<glm::vec3>> parts((poser.sublets() + kSublets - 1) / kSublets);
    mesh::for_ranges(pool, poser.sublets(), kSublets, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) poser.add(static_cast<std::uint32_t>(s), parts[begin / kSublets]);
    });
    return bounds_of(parts);
}

PosedBounds bounds_around(std::span<const glm::vec3> points) {
    const std::vector<glm::vec3> all(points.begin(), points.end());
    return bounds_of({&all, 1});
}

std::vector<glm::vec3> posed_vertices(const EncodedScene& scene, const Instance& instance,
                                      std::span<const glm::mat4> world, std::uint32_t sublet) {
    std::vector<glm::vec3> points;
    Poser(scene, instance, world).add(sublet, points);
    return points;
}

}  // namespace sublet::scene
