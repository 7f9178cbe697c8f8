#include "mesh/vertices.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "mesh/arrays.h"
#include "mesh/first_equal.h"
#include "mesh/octahedral.h"
#include "mesh/parallel.h"
#include "mesh/stream.h"
#include "shaders/shared/deform.h"

namespace sublet::mesh {
namespace {

template <std::size_t N>
void check_finite(const std::array<float, N>& value, const std::string& name, const std::string& field,
                  const char* attribute, std::size_t index) {
    for (const float x : value) {
        if (!std::isfinite(x)) {
            throw Error(name, field + "." + attribute + "[" + std::to_string(index) + "]",
                        std::string(std::isnan(x) ? "NaN" : "an infinite value") + ": must be finite");
        }
    }
}

std::uint32_t byte(std::int32_t value) {
    return static_cast<std::uint32_t>(value) & 0xffU;
}

std::uint32_t half(std::int32_t value) {
    return static_cast<std::uint32_t>(value) & 0xffffU;
}

std::uint32_t halves(std::uint16_t low, std::uint16_t high) {
    return low | static_cast<std::uint32_t>(high) << 16U;
}

std::uint32_t quantize_uv(const UvGrid& grid, const std::array<float, 2>& uv) {
    return half(grid.quantize(uv[0])) | half(grid.quantize(uv[1])) << 16U;
}

struct KeyedVertex {
    std::uint64_t key;  // x, y, z, in 16 or 21 bits each
    std::uint32_t vertex;
};

// By key, least significant byte first: linear, and fast enough not to be seen beside clustering.
void radix_sort(std::vector<KeyedVertex>& places, int bytes) {
    std::vector<KeyedVertex> other(places.size());
    for (int byte = 0; byte < bytes; ++byte) {
        const auto digit = [&](const KeyedVertex& place) { return place.key >> (8 * byte) & 0xffU; };
        std::array<std::uint32_t, 257> begin{};
        for (const KeyedVertex& place : places) ++begin[digit(place) + 1];
        if (std::ranges::find(begin, places.size()) != begin.end()) continue;  // all alike
        for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
        for (const KeyedVertex& place : places) other[begin[digit(place)]++] = place;
        places.swap(other);
    }
}

// The vertices in the order of their words.
std::vector<KeyedVertex> sorted(const VertexTable& table) {
    std::vector<KeyedVertex> places(table.count());
    const auto key_all = [&](int bits) {
        bool fit = true;
        for (std::uint32_t i = 0; i < table.count(); ++i) {
            places[i] = {0, i};
            for (const std::int32_t x : table.position(i)) {
                const std::int32_t counted = x + (1 << (bits - 1));
                fit = fit && counted >> bits == 0;
                places[i].key = places[i].key << bits | static_cast<std::uint32_t>(counted);
            }
        }
        return fit;
    };
    const bool narrow = key_all(kMostPlainPositionBits);
    if (!narrow) key_all(kMostPositionBits);
    radix_sort(places, narrow ? 6 : 8);
    // Those at one place by their attributes.
    const auto less = [&](const KeyedVertex& a, const KeyedVertex& b) {
        const std::uint32_t* x = table.vertex(a.vertex);
        const std::uint32_t* y = table.vertex(b.vertex);
        return std::lexicographical_compare(x, x + table.stride, y, y + table.stride);
    };
    for (auto begin = places.begin(); begin != places.end();) {
        const auto end =
            std::find_if(begin, places.end(), [&](const KeyedVertex& place) { return place.key != begin->key; });
        if (end - begin > 1) std::sort(begin, end, less);
        begin = end;
    }
    return places;
}

}  // namespace

void FloatBox::add(const std::array<float, 3>& point) {
    for (std::size_t i = 0; i < 3; ++i) {
        min[i] = empty ? point[i] : std::min(min[i], point[i]);
        max[i] = empty ? point[i] : std::max(max[i], point[i]);
    }
    empty = false;
}

void FloatBox::add(const FloatBox& box) {
    if (box.empty) return;
    add(box.min);
    add(box.max);
}

std::uint32_t choose_style(const MeshInput& mesh, Style style) {
    switch (style) {
        case Style::kWireframe:
            return shared::kStyleWireframe;
        case Style::kTextured:
            return shared::kStyleTextured;
        case Style::kSkinned:
            return shared::kStyleSkinned;
        case Style::kAuto:
            break;
    }
    const std::uint32_t streams = choose_streams(mesh, shared::kStyleSkinned);
    std::uint32_t least = shared::kStyleWireframe;
    for (const StreamType& stream : kStreams) {
        if (has_stream(stream.type, streams)) least = std::max(least, stream.style);
    }
    return least;
}

std::uint32_t choose_streams(const MeshInput& mesh, std::uint32_t style) {
    std::uint32_t streams = 1U << shared::kStreamPrimitive | 1U << shared::kStreamPosition;
    const auto choose = [&](const Attribute& attribute, const auto& values) {
        if (!values.empty() && kStreams[attribute.stream].style <= style) streams |= attribute.bit;
    };
    for_each_attribute(choose, mesh);
    if (!has_stream(shared::kStreamNormalTangent, streams)) streams &= ~shared::kHasTangentBit;
    return streams;
}

Influences quantize_influences(const std::array<std::uint16_t, 8>& joints, const std::array<float, 8>& weights) {
    constexpr std::size_t kCount = 8;
    std::array<double, kCount> scaled{};
    double sum = 0.0;
    for (std::size_t i = 0; i < kCount; ++i) sum += scaled[i] = std::max(0.0, static_cast<double>(weights[i]));
    if (!(sum > 0.0) || !std::isfinite(sum)) {
        scaled = {1.0};
        sum = 1.0;
    }
    std::array<std::uint16_t, kCount> parts{};
    std::uint32_t missing = shared::kWeightParts;
    for (std::size_t i = 0; i < kCount; ++i) {
        scaled[i] *= shared::kWeightParts / sum;
        parts[i] = static_cast<std::uint16_t>(scaled[i]);
        missing -= parts[i];
    }
    for (; missing > 0; --missing) {
        std::size_t most = 0;
        for (std::size_t i = 1; i < kCount; ++i) {
            if (scaled[i] - parts[i] > scaled[most] - parts[most]) most = i;
        }
        ++parts[most];
    }
    std::array<std::uint8_t, kCount> order{0, 1, 2, 3, 4, 5, 6, 7};
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return parts[a] > parts[b]; });
    Influences out;
    for (std::size_t i = 0; i < kCount; ++i) {
        out.parts[i] = parts[order[i]];
        out.joints[i] = joints[order[out.parts[i] > 0 ? i : 0]];
    }
    return out;
}

Influences quantize_influences(const MeshInput& mesh, std::size_t i) {
    std::array<std::uint16_t, 8> joints{};
    std::array<float, 8> weights{};
    std::copy_n(mesh.joints[i].begin(), 4, joints.begin());
    std::copy_n(mesh.weights[i].begin(), 4, weights.begin());
    if (!mesh.joints1.empty()) {
        std::copy_n(mesh.joints1[i].begin(), 4, joints.begin() + 4);
        std::copy_n(mesh.weights1[i].begin(), 4, weights.begin() + 4);
    }
    return quantize_influences(joints, weights);
}

std::uint32_t quantize_normal(const std::array<float, 3>& normal) {
    const Octahedral n = encode_octahedral(normal, kSnorm8Max, kSnorm8Max);
    return byte(n.x) | byte(n.y) << 8U;
}

std::uint32_t quantize_normal_tangent(const std::array<float, 3>& normal, const std::array<float, 4>& tangent) {
    const Octahedral t = encode_octahedral({tangent[0], tangent[1], tangent[2]}, kSnorm8Max, kSnorm7Max);
    // The sign goes in before anything is packed, so that the packed bits hold it.
    const std::uint32_t sign = tangent[3] < 0.0F ? 0U : 1U;
    return quantize_normal(normal) | byte(t.x) << 16U | (byte(t.y * 2) | sign) << 24U;
}

std::uint32_t quantize_unorm8(const std::array<float, 4>& values) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        word |= static_cast<std::uint32_t>(std::floor(std::clamp(values[i], 0.0F, 1.0F) * 255.0F + 0.5F)) << (8 * i);
    }
    return word;
}

VertexTable quantize_vertices(const MeshInput& mesh, const std::vector<std::uint8_t>& used,
                              std::uint32_t streams_present, const PositionGrid& grid, const UvGrid& uv_grid,
                              const MorphLayout& morphs, const std::string& name, const std::string& field,
                              ThreadPool* pool) {
    VertexTable table;
    table.streams_present = streams_present;
    table.morphs = morphs;
    table.stride = 2 + attribute_stride(streams_present) + morphs.words();
    table.words.resize(mesh.positions.size() * table.stride);
    const auto has = [&](std::uint32_t type) { return has_stream(type, streams_present); };

    for_ranges(pool, mesh.positions.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (used[i] == 0) continue;
            std::uint32_t* const position = table.words.data() + i * table.stride;
            const auto words_of = [&](std::uint32_t type) {
                return position + 2 + attribute_offset(type, streams_present);
            };
            const GridPoint q = grid.quantize(mesh.positions[i]);
            std::ranges::copy(position_to_words(q), position);
            if (has(shared::kStreamNormalTangent)) {
                std::uint32_t& word = *words_of(shared::kStreamNormalTangent);
                check_finite(mesh.normals[i], name, field, "normals", i);
                if ((streams_present & shared::kHasTangentBit) != 0) {
                    check_finite(mesh.tangents[i], name, field, "tangents", i);
                    word = quantize_normal_tangent(mesh.normals[i], mesh.tangents[i]);
                } else {
                    word = quantize_normal(mesh.normals[i]);
                }
            }
            if (has(shared::kStreamUv)) *words_of(shared::kStreamUv) = quantize_uv(uv_grid, mesh.uv0[i]);
            if (has(shared::kStreamUv1)) *words_of(shared::kStreamUv1) = quantize_uv(uv_grid, mesh.uv1[i]);
            if (has(shared::kStreamColor)) {
                check_finite(mesh.colors[i], name, field, "colors", i);
                *words_of(shared::kStreamColor) = quantize_unorm8(mesh.colors[i]);
            }
            if (has(shared::kStreamJointWeights)) {
                check_finite(mesh.weights[i], name, field, "weights", i);
                if (!mesh.weights1.empty()) check_finite(mesh.weights1[i], name, field, "weights1", i);
                const auto& [joints, parts] = quantize_influences(mesh, i);
                const auto put = [&](std::uint32_t type, const std::array<std::uint16_t, 8>& from, std::size_t first,
                                     std::uint16_t last) {
                    std::uint32_t* const words = words_of(type);
                    words[0] = halves(from[first], from[first + 1]);
                    words[1] = halves(from[first + 2], last);
                };
                put(shared::kStreamBoneIndices, joints, 0, joints[3]);
                put(shared::kStreamJointWeights, parts, 1, 0);
                if (has(shared::kStreamJointWeights1)) {
                    put(shared::kStreamJointIndices1, joints, 4, joints[7]);
                    put(shared::kStreamJointWeights1, parts, 4, parts[7]);
                }
            }
            morphs.quantize(mesh.morphs, i, position + table.stride - morphs.words());
        }
    });
    return table;
}

std::vector<std::uint32_t> weld_vertices(VertexTable& table, const std::vector<std::uint8_t>& used, ThreadPool* pool) {
    const std::uint32_t count = table.count();
    const std::uint32_t stride = table.stride;
    std::vector<std::uint32_t> hashes(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            hashes[i] = hash_words(table.vertex(static_cast<std::uint32_t>(i)), stride);
        }
    });
    const auto equal = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t* x = table.vertex(a);
        const std::uint32_t* y = table.vertex(b);
        for (std::uint32_t i = 0; i < stride; ++i) {
            if (x[i] != y[i]) return false;
        }
        return true;
    };
    std::vector<std::uint32_t> remap = find_first_equal(
        hashes, equal, [&](std::uint32_t i) { return used[i] == 0; }, pool);
    std::uint32_t unique = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (used[i] == 0) continue;
        if (remap[i] != i) {
            remap[i] = remap[remap[i]];  // an earlier one, which has its number already
            continue;
        }
        // Moved down over vertices already looked at: unique <= i.
        if (unique != i) std::copy_n(table.vertex(i), stride, table.words.data() + std::size_t{unique} * stride);
        remap[i] = unique++;
    }
    table.words.resize(std::size_t{unique} * stride);

    const std::vector<KeyedVertex> places = sorted(table);
    std::vector<std::uint32_t> words(table.words.size());
    std::vector<std::uint32_t> number(unique);
    for_ranges(pool, unique, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::copy_n(table.vertex(places[i].vertex), stride, words.data() + i * stride);
            number[places[i].vertex] = static_cast<std::uint32_t>(i);
        }
    });
    table.words = std::move(words);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (used[i] != 0) remap[i] = number[remap[i]];
    }
    return remap;
}

}  // namespace sublet::mesh
