#include "mesh/morphs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "mesh/cluster.h"
#include "mesh/parallel.h"
#include "mesh/vertices.h"

namespace sublet::mesh {
namespace {

constexpr int kDirectionExponent = -6;  // of what is added to normals and tangents: they are coarser than this

std::int64_t round_to_nearest(double x) {
    return static_cast<std::int64_t>(std::floor(x + 0.5));
}

// The least exponent from `exponent` on at which `size` rounds to an integer of `bits` signed bits; not to the least of
// them, so that what it decodes to has the same exponent.
int fitting_exponent(float size, int exponent, int bits) {
    const std::int64_t most = (std::int64_t{1} << (bits - 1)) - 1;
    if (size > 0.0F) exponent = std::max(exponent, std::ilogb(size) - bits);  // surely too fine
    while (round_to_nearest(std::ldexp(static_cast<double>(size), -exponent)) > most) ++exponent;
    return exponent;
}

// What a task makes: of its sublets, in their order.
struct MorphPart {
    std::vector<MorphMask> masks;  // first_stream: from the part's first stream
    std::vector<StreamHeader> streams;
    std::vector<std::uint32_t> payload;
};

class MorphPacker {
  public:
    MorphPacker(const Clusters& clusters, const VertexTable& vertices, std::uint32_t attributes)
        : clusters_(clusters), vertices_(vertices), layout_(vertices.morphs), attributes_(attributes) {}

    void pack_sublet(const Sublet& sublet, MorphPart& part) const {
        const std::span ids(clusters_.vertices.data() + sublet.first_vertex, sublet.vertex_count);
        for (std::uint32_t first = 0; first < layout_.target_count(); first += 32) {
            MorphMask mask{0, static_cast<std::uint32_t>(part.streams.size())};
            for (std::uint32_t t = first; t < std::min(first + 32, layout_.target_count()); ++t) {
                if (!moves(t, ids)) continue;
                mask.targets |= 1U << (t - first);
                for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
                    if ((attributes_ >> a & 1U) != 0) pack(t, a, ids, part);
                }
            }
            part.masks.push_back(mask);
        }
    }

  private:
    [[nodiscard]] Components value(std::uint32_t target, std::uint32_t attribute, std::uint32_t vertex) const {
        return words_to_components(vertices_.morph_words(vertex) + layout_.offset(target, attribute),
                                   kMorphs[attribute].layout);
    }

    [[nodiscard]] bool moves(std::uint32_t target, std::span<const std::uint32_t> ids) const {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            if ((attributes_ >> a & 1U) == 0) continue;
            for (const std::uint32_t id : ids) {
                if (value(target, a, id) != Components{}) return true;
            }
        }
        return false;
    }

    void pack(std::uint32_t target, std::uint32_t attribute, std::span<const std::uint32_t> ids,
              MorphPart& part) const {
        std::array<Components, shared::kSubletSize> values;
        for (std::size_t i = 0; i < ids.size(); ++i) values[i] = value(target, attribute, ids[i]);
        part.streams.push_back(
            pack_stream(std::span(values.data(), ids.size()), kMorphs[attribute].layout, part.payload));
    }

    const Clusters& clusters_;
    const VertexTable& vertices_;
    const MorphLayout& layout_;
    std::uint32_t attributes_;
};

// Which attributes some target moves, of the vertices that are left.
std::uint32_t moved_attributes(const Clusters& clusters, const VertexTable& vertices) {
    const MorphLayout& layout = vertices.morphs;
    std::uint32_t moved = 0;
    for (const std::uint32_t vertex : clusters.vertices) {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            const std::uint32_t bit = 1U << a;
            if ((layout.attributes() & bit & ~moved) == 0) continue;
            for (std::uint32_t t = 0; t < layout.target_count(); ++t) {
                const std::uint32_t* const words = vertices.morph_words(vertex) + layout.offset(t, a);
                if (words_to_components(words, kMorphs[a].layout) != Components{}) moved |= bit;
            }
        }
        if (moved == layout.attributes()) break;
    }
    return moved;
}

}  // namespace

std::string morph_field(std::size_t target, std::uint32_t attribute) {
    return "morphs[" + std::to_string(target) + "]." + kMorphs[attribute].name;
}

MorphSizes largest(const MorphSizes& a, const MorphSizes& b) {
    MorphSizes result{};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = std::max(a[i], b[i]);
    return result;
}

MorphExponents choose_morph_exponents(const MorphSizes& sizes, int position_exponent) {
    MorphExponents result{};
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        result[a] = fitting_exponent(sizes[a], a == 0 ? position_exponent : kDirectionExponent,
                                     static_cast<int>(kMorphs[a].layout.component_bits));
    }
    return result;
}

MorphLayout::MorphLayout(std::size_t targets, const MorphSizes& sizes, const MorphExponents& exponents)
    : exponents_(exponents) {
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        if (round_to_nearest(std::ldexp(static_cast<double>(sizes[a]), -exponents[a])) > 0) attributes_ |= 1U << a;
    }
    if (attributes_ != 0) target_count_ = static_cast<std::uint32_t>(targets);
    place();
}

MorphLayout::MorphLayout(const MorphMesh& morph) : target_count_(morph.target_count), attributes_(morph.attributes) {
    std::ranges::copy(morph.exponents, exponents_.begin());
    place();
}

void MorphLayout::place() {
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        offsets_[a] = words_per_target_;
        if ((attributes_ >> a & 1U) != 0) words_per_target_ += kMorphs[a].layout.words();
    }
}

void MorphLayout::quantize(std::span<const MorphInput> morphs, std::size_t vertex, std::uint32_t* words) const {
    for (std::uint32_t t = 0; t < target_count_; ++t) {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            if ((attributes_ >> a & 1U) == 0) continue;
            const auto values = morph_values(morphs[t], a);
            if (values.empty()) continue;
            Components components{};
            for (std::size_t i = 0; i < 3; ++i) {
                const double steps = std::ldexp(static_cast<double>(values[vertex][i]), -exponents_[a]);
                components[i] = static_cast<std::int32_t>(round_to_nearest(steps));
            }
            components_to_words(components, kMorphs[a].layout, words + offset(t, a));
        }
    }
}

bool MorphLayout::moves_alike(const std::uint32_t* a, const std::uint32_t* b) const {
    if ((attributes_ & shared::kMorphPosition) == 0) return true;
    for (std::uint32_t t = 0; t < target_count_; ++t) {
        const std::uint32_t at = offset(t, 0);
        if (a[at] != b[at] || a[at + 1] != b[at + 1]) return false;
    }
    return true;
}

void pack_morphs(const Clusters& clusters, const VertexTable& vertices, Geometry& out, ThreadPool* pool) {
    constexpr std::size_t kSublets = 256;
    const std::uint32_t attributes = moved_attributes(clusters, vertices);
    if (attributes == 0) return;
    const MorphPacker packer(clusters, vertices, attributes);
    std::vector<MorphPart> parts((clusters.sublets.size() + kSublets - 1) / kSublets);
    for_ranges(pool, clusters.sublets.size(), kSublets, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) packer.pack_sublet(clusters.sublets[s], parts[begin / kSublets]);
    });
    for (MorphPart& part : parts) {
        const std::size_t streams = out.morph_streams.size();
        const std::size_t words = out.morph_payload.size();
        if (std::max(streams + part.streams.size(), words + part.payload.size()) >=
            std::numeric_limits<std::uint32_t>::max()) {
            throw Error("geometry", "morphs",
                        "what morph targets move does not fit 32 bits: encode it as several files");
        }
        for (MorphMask& mask : part.masks) mask.first_stream += static_cast<std::uint32_t>(streams);
        for (StreamHeader& stream : part.streams) stream.offset_in_words += static_cast<std::uint32_t>(words);
        out.morph_masks.insert(out.morph_masks.end(), part.masks.begin(), part.masks.end());
        out.morph_streams.insert(out.morph_streams.end(), part.streams.begin(), part.streams.end());
        out.morph_payload.insert(out.morph_payload.end(), part.payload.begin(), part.payload.end());
        part = {};
    }
    // A reader fetches the word after the one it needs.
    out.morph_payload.push_back(0);
    MorphMesh& morph = out.morphs.emplace_back();
    morph = {};
    morph.target_count = vertices.morphs.target_count();
    morph.attributes = attributes;
    morph.payload_size = static_cast<std::uint32_t>(out.morph_payload.size());
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        if ((attributes >> a & 1U) != 0) morph.exponents[a] = vertices.morphs.exponents()[a];
    }
    out.meshes[0].streams_present |= shared::kHasMorphsBit;
}

}  // namespace sublet::mesh
