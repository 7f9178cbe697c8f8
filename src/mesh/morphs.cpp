#include "mesh/morphs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "mesh/cluster.h"
#include "mesh/compact_morphs.h"
#include "mesh/compact_write.h"
#include "mesh/parallel.h"
#include "mesh/vertices.h"
#include "shaders/shared/compact_morph.h"

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

// The low bits of its components count.
void set_components(DecodedMorph& morph, std::uint32_t attribute, std::uint32_t vertex, const Components& value) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (attribute == 0) {
            morph.positions[vertex][i] = static_cast<std::int16_t>(value[i]);
        } else {
            (attribute == 1 ? morph.normals : morph.tangents)[vertex][i] = static_cast<std::int8_t>(value[i]);
        }
    }
}

// A sublet of clusters, as SubletMorphs is one of a file.
class ClusterMorphs {
  public:
    ClusterMorphs(const Clusters& clusters, const VertexTable& vertices, std::uint32_t attributes, std::size_t sublet)
        : table_(vertices),
          attributes_(attributes),
          ids_(clusters.vertices.data() + clusters.sublets[sublet].first_vertex,
               clusters.sublets[sublet].vertex_count) {}

    [[nodiscard]] std::uint32_t vertices() const { return static_cast<std::uint32_t>(ids_.size()); }

    [[nodiscard]] std::optional<DecodedMorph> decode(std::uint32_t target) const {
        DecodedMorph morph;
        bool moved = false;
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            if ((attributes_ >> a & 1U) == 0) continue;
            for (std::uint32_t v = 0; v < ids_.size(); ++v) {
                const Components value = words_to_components(
                    table_.morph_words(ids_[v]) + table_.morphs.offset(target, a), kMorphs[a].layout);
                if (value == Components{}) continue;
                moved = true;
                set_components(morph, a, v, value);
            }
        }
        return moved ? std::optional(morph) : std::nullopt;
    }

  private:
    const VertexTable& table_;
    std::uint32_t attributes_;
    std::span<const std::uint32_t> ids_;
};

void pack_stream_of(const DecodedMorph& morph, std::uint32_t attribute, std::uint32_t vertices, MorphPart& part) {
    std::array<Components, shared::kSubletSize> values;
    for (std::uint32_t v = 0; v < vertices; ++v) values[v] = morph_components(morph, attribute, v);
    part.streams.push_back(pack_stream(std::span(values.data(), vertices), kMorphs[attribute].layout, part.payload));
}

// `sublet`: ClusterMorphs or SubletMorphs.
template <typename Morphs>
void pack_sublet(const Morphs& sublet, const MorphMesh& morph, MorphPart& part) {
    for (std::uint32_t first = 0; first < morph.target_count; first += 32) {
        MorphMask mask{0, static_cast<std::uint32_t>(part.streams.size())};
        for (std::uint32_t t = first; t < std::min(first + 32, morph.target_count); ++t) {
            const std::optional<DecodedMorph> decoded = sublet.decode(t);
            if (!decoded) continue;
            mask.targets |= 1U << (t - first);
            for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
                if ((morph.attributes >> a & 1U) != 0) pack_stream_of(*decoded, a, sublet.vertices(), part);
            }
        }
        part.masks.push_back(mask);
    }
}

// Appends the targets of a mesh whose sublets open(sublet) gives, and its record: what of it is not known yet is set.
template <typename Open>
void append_packed(MorphMesh morph, std::size_t sublets, const Open& open, Geometry& out, ThreadPool* pool) {
    constexpr std::size_t kSublets = 256;
    std::vector<MorphPart> parts((sublets + kSublets - 1) / kSublets);
    for_ranges(pool, sublets, kSublets, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) pack_sublet(open(s), morph, parts[begin / kSublets]);
    });
    const std::size_t first_word = out.morph_payload.size();
    morph.first_mask = static_cast<std::uint32_t>(out.morph_masks.size());
    morph.payload_offset = static_cast<std::uint32_t>(first_word);
    for (MorphPart& part : parts) {
        const std::size_t streams = out.morph_streams.size();
        const std::size_t words = out.morph_payload.size();
        if (std::max(streams + part.streams.size(), words + part.payload.size()) >=
            std::numeric_limits<std::uint32_t>::max()) {
            throw Error("geometry", "morphs",
                        "what morph targets move does not fit 32 bits: encode it as several files");
        }
        for (MorphMask& mask : part.masks) mask.first_stream += static_cast<std::uint32_t>(streams);
        for (StreamHeader& stream : part.streams) {
            stream.offset_in_words += static_cast<std::uint32_t>(words - first_word);
        }
        out.morph_masks.insert(out.morph_masks.end(), part.masks.begin(), part.masks.end());
        out.morph_streams.insert(out.morph_streams.end(), part.streams.begin(), part.streams.end());
        out.morph_payload.insert(out.morph_payload.end(), part.payload.begin(), part.payload.end());
        part = {};
    }
    // A reader fetches the word after the one it needs.
    out.morph_payload.push_back(0);
    morph.payload_size = static_cast<std::uint32_t>(out.morph_payload.size() - first_word);
    out.morphs.push_back(morph);
}

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
    MorphMesh morph{};
    morph.attributes = moved_attributes(clusters, vertices);
    if (morph.attributes == 0) return;
    morph.target_count = vertices.morphs.target_count();
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        if ((morph.attributes >> a & 1U) != 0) morph.exponents[a] = vertices.morphs.exponents()[a];
    }
    const auto open = [&](std::size_t s) { return ClusterMorphs(clusters, vertices, morph.attributes, s); };
    append_packed(morph, clusters.sublets.size(), open, out, pool);
    out.meshes[0].streams_present |= shared::kHasMorphsBit;
}

void append_plain_morphs(const MeshView& mesh, Geometry& out, ThreadPool* pool) {
    MorphMesh morph = *mesh.morph;
    morph.place_bits = 0;
    const auto open = [&](std::size_t s) { return SubletMorphs(mesh, static_cast<std::uint32_t>(s)); };
    append_packed(morph, mesh.header->sublet_count, open, out, pool);
}

SubletMorphs::SubletMorphs(const MeshView& mesh, std::uint32_t sublet)
    : mesh_(mesh), sublet_(sublet), vertices_(sublet_counts(mesh, sublet).vertices) {
    for (std::uint32_t v = 0; v < vertices_; ++v) places_[v] = sublet * shared::kSubletSize + v;
    if (!is_compact(*mesh.morph) || vertices_ == 0) return;
    const CompactFound found = find_compact_sublet(*mesh.header, mesh.payload, sublet);
    const shared::CompactOwn own = shared::compact_own(found.from, found.sublet);
    const DecodedSublet decoded = decode_sublet(mesh, sublet);
    // Of the meshlet, those that store its vertices.
    const std::uint32_t first = sublet - found.sublet.number;
    std::array<std::optional<DecodedSublet>, shared::kSubletsPerMeshlet> storing;
    for (std::uint32_t v = 0; v < vertices_; ++v) {
        const shared::CompactPlace place = shared::compact_place(found.from, found.sublet, own, v);
        places_[v] = (first + place.number) * shared::kSubletSize + place.index;
        std::optional<DecodedSublet>& other = storing[place.number];
        if (!other) other = place.number == found.sublet.number ? decoded : decode_sublet(mesh, first + place.number);
        by_[v] = morph_predictors(decoded, v, *other);
    }
}

std::optional<DecodedMorph> SubletMorphs::decode(std::uint32_t target) const {
    return is_compact(*mesh_.morph) ? decode_compact(target) : decode_plain(target);
}

std::optional<DecodedMorph> SubletMorphs::decode_plain(std::uint32_t target) const {
    const StreamHeader* stream = mesh_.morph_stream(sublet_, target);
    if (stream == nullptr) return std::nullopt;
    DecodedMorph result;
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        if ((mesh_.morph->attributes >> a & 1U) == 0) continue;
        for (std::uint32_t v = 0; v < vertices_; ++v) {
            set_components(result, a, v, read_value(*stream, kMorphs[a].layout, mesh_.morph_payload, v));
        }
        ++stream;
    }
    return result;
}

std::optional<DecodedMorph> SubletMorphs::decode_compact(std::uint32_t target) const {
    const shared::CompactWords from{mesh_.morph_payload.data(), static_cast<std::uint32_t>(mesh_.morph_payload.size())};
    const std::size_t masks = (std::size_t{mesh_.morph->target_count} + 31) / 32;
    DecodedMorph result;
    bool moved = false;
    // What follows is that of a lane.
    for (std::uint32_t lane = 0; lane < vertices_; ++lane) {
        const std::uint32_t index = places_[lane] % shared::kSubletSize;
        const MorphMask& mask = mesh_.morph_masks[places_[lane] / shared::kSubletSize * masks + target / 32];
        if ((mask.targets >> target % 32 & 1U) == 0) continue;
        shared::CompactMorph morph = shared::compact_morph(from, mask, mesh_.morph->place_bits, target % 32);
        if ((morph.moved >> index & 1U) == 0) continue;
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            if ((mesh_.morph->attributes >> a & 1U) == 0) continue;
            const shared::CompactValue value = shared::compact_morph_value(from, morph, index, by_[lane]);
            set_components(result, a, lane, {value.c[0], value.c[1], value.c[2], 0});
        }
        moved = moved || moves(result, lane);
    }
    return moved ? std::optional(result) : std::nullopt;
}

shared::CompactPredictors morph_predictors(const DecodedSublet& sublet, std::uint32_t vertex,
                                           const DecodedSublet& storing) {
    const auto& at = sublet.positions[vertex];
    const auto& from = storing.positions[0];
    return {at[0] - from[0], at[1] - from[1], at[2] - from[2]};
}

Components morph_components(const DecodedMorph& morph, std::uint32_t attribute, std::uint32_t vertex) {
    const auto of = [](const auto& values) { return Components{values[0], values[1], values[2], 0}; };
    if (attribute == 0) return of(morph.positions[vertex]);
    return of((attribute == 1 ? morph.normals : morph.tangents)[vertex]);
}

bool moves(const DecodedMorph& morph, std::uint32_t vertex) {
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        if (morph_components(morph, a, vertex) != Components{}) return true;
    }
    return false;
}

}  // namespace sublet::mesh
