#include "mesh/mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "mesh/compact.h"
#include "mesh/morphs.h"
#include "mesh/octahedral.h"
#include "mesh/plain_coding.h"
#include "mesh/sizes.h"
#include "mesh/stream.h"
#include "shaders/shared/deform.h"

namespace sublet::mesh {
DecodedSublet decode_sublet(const MeshView& mesh, std::uint32_t sublet) {
    return is_compact(*mesh.header) ? decode_compact(*mesh.header, mesh.payload, sublet) : decode_plain(mesh, sublet);
}

std::optional<DecodedMorph> decode_morph(const MeshView& mesh, std::uint32_t sublet, std::uint32_t target) {
    return SubletMorphs(mesh, sublet).decode(target);
}

float morph_scale(const MorphMesh& morph, std::uint32_t attribute) {
    return std::ldexp(1.0F, morph.exponents[attribute]);
}

std::array<float, 3> dequantize_position(const MeshHeader& header, const GridPoint& grid) {
    const float scale = header.aabb_min.w;
    return {header.origin.x + scale * static_cast<float>(grid[0]),
            header.origin.y + scale * static_cast<float>(grid[1]),
            header.origin.z + scale * static_cast<float>(grid[2])};
}

std::array<float, 3> decode_normal(std::uint32_t word) {
    return decode_octahedral({static_cast<std::int8_t>(word & 0xffU), static_cast<std::int8_t>(word >> 8U & 0xffU)},
                             kSnorm8Max, kSnorm8Max);
}

std::array<float, 4> decode_tangent(std::uint32_t word) {
    const std::int32_t second = static_cast<std::int8_t>(word >> 24U);
    const std::array<float, 3> t =
        decode_octahedral({static_cast<std::int8_t>(word >> 16U & 0xffU), second >> 1}, kSnorm8Max, kSnorm7Max);
    return {t[0], t[1], t[2], (second & 1) != 0 ? 1.0F : -1.0F};
}

std::array<float, 2> decode_uv(const MeshHeader& header, std::uint32_t word) {
    const float scale = header.aabb_max.w;
    return {0.5F * (static_cast<float>(static_cast<std::int16_t>(word & 0xffffU)) * scale) + 0.5F,
            0.5F * (static_cast<float>(static_cast<std::int16_t>(word >> 16U)) * scale) + 0.5F};
}

std::array<float, 4> decode_unorm8(std::uint32_t word) {
    std::array<float, 4> result{};
    for (std::uint32_t i = 0; i < 4; ++i) result[i] = static_cast<float>(word >> (8 * i) & 0xffU) / 255.0F;
    return result;
}

namespace {

// Gives vertices of equal words one number.
class Welder {
  public:
    Welder(std::size_t stride, std::size_t expected) : stride_(stride), slots_(std::bit_ceil(expected * 2 + 2), ~0U) {}

    // The number of a vertex; `is_new` tells whether it is the first like it.
    std::uint32_t add(const std::uint32_t* words, bool& is_new) {
        std::uint64_t hash = 0x9e3779b97f4a7c15U;
        for (std::size_t i = 0; i < stride_; ++i) {
            hash = (hash ^ words[i]) * 0xff51afd7ed558ccdU;
            hash ^= hash >> 32U;
        }
        for (std::size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
            std::uint32_t& found = slots_[slot];
            is_new = found == ~0U;
            if (is_new) {
                found = count_++;
                words_.insert(words_.end(), words, words + stride_);
                return found;
            }
            if (std::equal(words, words + stride_, words_.data() + found * stride_)) return found;
        }
    }

  private:
    std::size_t stride_;
    std::uint32_t count_ = 0;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> words_;
};

std::array<std::uint16_t, 4> to_halves(const std::uint32_t* words) {
    return {static_cast<std::uint16_t>(words[0] & 0xffffU), static_cast<std::uint16_t>(words[0] >> 16U),
            static_cast<std::uint16_t>(words[1] & 0xffffU), static_cast<std::uint16_t>(words[1] >> 16U)};
}

// The words of the fifth to eighth joint are null where the mesh has four a vertex.
void append_influences(const std::uint32_t* indices, const std::uint32_t* weights, const std::uint32_t* indices1,
                       const std::uint32_t* weights1, MeshArrays& out) {
    const auto append = [](std::array<std::uint16_t, 4> joints, const std::array<std::uint16_t, 4>& parts,
                           std::vector<std::array<std::uint16_t, 4>>& all_joints,
                           std::vector<std::array<float, 4>>& all_weights) {
        std::array<float, 4> fractions{};
        for (std::size_t i = 0; i < 4; ++i) {
            fractions[i] = static_cast<float>(parts[i]) / static_cast<float>(shared::kWeightParts);
            if (parts[i] == 0) joints[i] = 0;
        }
        all_joints.push_back(joints);
        all_weights.push_back(fractions);
    };
    const std::array<std::uint16_t, 4> second = to_halves(weights);
    std::array<std::uint16_t, 4> parts{0, second[0], second[1], second[2]};
    std::array<std::uint16_t, 4> parts1{};
    if (weights1 != nullptr) parts1 = to_halves(weights1);
    std::uint32_t first = shared::kWeightParts;
    for (std::size_t i = 0; i < 4; ++i) first -= parts[i] + parts1[i];
    parts[0] = static_cast<std::uint16_t>(first);
    append(to_halves(indices), parts, out.joints, out.weights);
    if (indices1 != nullptr) append(to_halves(indices1), parts1, out.joints1, out.weights1);
}

void append_vertex(const MeshHeader& header, const GridPoint& position, const std::uint32_t* attributes,
                   MeshArrays& out) {
    const std::uint32_t present = header.streams_present;
    // The words of a stream; null where the mesh does not have it.
    const auto words_of = [&](std::uint32_t type) {
        return has_stream(type, present) ? attributes + attribute_offset(type, present) : nullptr;
    };
    out.positions.push_back(dequantize_position(header, position));
    if (const std::uint32_t* words = words_of(shared::kStreamNormalTangent)) {
        out.normals.push_back(decode_normal(*words));
        if ((present & shared::kHasTangentBit) != 0) out.tangents.push_back(decode_tangent(*words));
    }
    if (const std::uint32_t* words = words_of(shared::kStreamUv)) out.uv0.push_back(decode_uv(header, *words));
    if (const std::uint32_t* words = words_of(shared::kStreamUv1)) out.uv1.push_back(decode_uv(header, *words));
    if (const std::uint32_t* words = words_of(shared::kStreamColor)) out.colors.push_back(decode_unorm8(*words));
    if (const std::uint32_t* words = words_of(shared::kStreamBoneWeights)) {
        out.weights.push_back(decode_unorm8(*words));
    }
    const std::uint32_t* const indices = words_of(shared::kStreamBoneIndices);
    if (const std::uint32_t* weights = words_of(shared::kStreamJointWeights)) {
        append_influences(indices, weights, words_of(shared::kStreamJointIndices1),
                          words_of(shared::kStreamJointWeights1), out);
    } else if (indices != nullptr) {
        out.joints.push_back(to_halves(indices));
    }
}

// What morph targets add to the vertices of a sublet: layout.words() for each vertex.
void read_morphs(const MeshView& mesh, std::uint32_t sublet, std::uint32_t vertices, const MorphLayout& layout,
                 std::vector<std::uint32_t>& words) {
    words.assign(std::size_t{vertices} * layout.words(), 0);
    if (mesh.morph == nullptr) return;
    const SubletMorphs morphs(mesh, sublet);
    for (std::uint32_t t = 0; t < layout.target_count(); ++t) {
        const std::optional<DecodedMorph> morph = morphs.decode(t);
        for (std::uint32_t a = 0; a < shared::kMorphAttributes && morph; ++a) {
            if ((layout.attributes() >> a & 1U) == 0) continue;
            for (std::uint32_t v = 0; v < vertices; ++v) {
                components_to_words(morph_components(*morph, a, v), kMorphs[a].layout,
                                    words.data() + std::size_t{v} * layout.words() + layout.offset(t, a));
            }
        }
    }
}

// Of the vertex that was appended last. What a target does not move stays empty, and what it has not moved yet short.
void append_morphs(const MorphMesh& morph, const MorphLayout& layout, const std::uint32_t* words, MeshArrays& out) {
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        if ((layout.attributes() >> a & 1U) == 0) continue;
        const float scale = morph_scale(morph, a);
        for (std::uint32_t t = 0; t < layout.target_count(); ++t) {
            const Components q = words_to_components(words + layout.offset(t, a), kMorphs[a].layout);
            if (q == Components{}) continue;
            auto& values = morph_values(out.morphs[t], a);
            values.resize(out.positions.size());
            values.back() = {scale * static_cast<float>(q[0]), scale * static_cast<float>(q[1]),
                             scale * static_cast<float>(q[2])};
        }
    }
}

// Adds the zeros that the last vertices lack.
void complete_morphs(MeshArrays& mesh) {
    for (MorphArrays& morph : mesh.morphs) {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            auto& values = morph_values(morph, a);
            if (!values.empty()) values.resize(mesh.positions.size());
        }
    }
}

}  // namespace

MeshArrays decode(const MeshView& mesh, bool weld) {
    const MeshHeader& header = *mesh.header;
    MeshArrays result;
    result.indices.reserve(std::size_t{header.triangle_count} * 3);
    const MorphLayout layout = mesh.morph == nullptr ? MorphLayout() : MorphLayout(*mesh.morph);
    result.morphs.resize(layout.target_count());
    const std::uint32_t attribute_words = attribute_stride(header.streams_present);
    const std::size_t stride = 2 + attribute_words + layout.words();
    Welder welder(stride, weld ? header.vertex_count : 0);
    std::vector<std::uint32_t> key(stride);
    std::vector<std::uint32_t> morph_words;
    for (std::uint32_t s = header.coarse_meshlets * shared::kSubletsPerMeshlet; s < header.sublet_count; ++s) {
        const DecodedSublet sublet = decode_sublet(mesh, s);
        read_morphs(mesh, s, sublet.vertex_count, layout, morph_words);
        std::array<std::uint32_t, shared::kSubletSize> number{};
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            const GridPoint& p = sublet.positions[v];
            bool is_new = true;
            if (weld) {
                std::ranges::copy(position_to_words(p), key.begin());
                const auto rest = std::copy_n(sublet.attributes[v].begin(), attribute_words, key.begin() + 2);
                std::copy_n(morph_words.begin() + static_cast<std::ptrdiff_t>(std::size_t{v} * layout.words()),
                            layout.words(), rest);
                number[v] = welder.add(key.data(), is_new);
            } else {
                number[v] = static_cast<std::uint32_t>(result.positions.size());
            }
            if (!is_new) continue;
            append_vertex(header, p, sublet.attributes[v].data(), result);
            if (mesh.morph != nullptr) {
                append_morphs(*mesh.morph, layout, morph_words.data() + std::size_t{v} * layout.words(), result);
            }
        }
        for (std::uint32_t t = 0; t < sublet.triangle_count; ++t) {
            for (const std::uint8_t index : sublet.triangles[t]) result.indices.push_back(number[index]);
        }
    }
    complete_morphs(result);
    return result;
}

}  // namespace sublet::mesh
