#include "mesh/compact_morphs.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error.h"
#include "mesh/compact_write.h"
#include "mesh/first_equal.h"
#include "mesh/morphs.h"
#include "mesh/parallel.h"
#include "shaders/shared/compact_morph.h"

namespace sublet::mesh {
namespace {

using shared::kMorphAttributes;
using shared::kSubletSize;

constexpr std::size_t kMorphGrain = 256;  // sublets
constexpr std::uint32_t kMaskTargets = 32;

std::uint32_t mask_words(const MorphMesh& morph) {
    return (morph.target_count - 1) / kMaskTargets + 1;
}

std::uint32_t component_count(const MorphMesh& morph) {
    return 3 * morph_stream_count(morph);
}

shared::CompactWords words_of(const MeshView& mesh) {
    return {mesh.morph_payload.data(), static_cast<std::uint32_t>(mesh.morph_payload.size())};
}

// Which vertices a sublet of a compact mesh stores, a bit each.
std::uint32_t stored_vertices(const MeshView& mesh, std::uint32_t sublet) {
    const CompactFound found = find_compact_sublet(*mesh.header, mesh.payload, sublet);
    return found.sublet.triangles == 0 ? 0 : shared::compact_own(found.from, found.sublet).mask;
}

std::uint32_t count_bits(std::uint32_t mask) {
    return static_cast<std::uint32_t>(std::popcount(mask));
}

// What a target adds to a sublet, drafted: streams, one after the other in the draft's words.
struct TargetDraft {
    std::uint32_t moved = 0;  // bit i: vertex i of those that the sublet stores
    std::array<StreamDraft, kMorphAttributes> streams;
};

// What the targets of a mask add.
struct BlockDraft {
    std::uint32_t targets = 0;  // as MorphMask has them
    std::uint32_t own = 0;      // vertices that the sublet stores
};

// Some sublets that follow one another. They are drafted, and then written with the table of components of all.
class CompactMorphPart {
  public:
    // `mesh`: whose sublets store the vertices; `source`: whose targets move them.
    void draft(const MeshView& mesh, const MeshView& source, std::uint32_t first, std::uint32_t end) {
        morph_ = source.morph;
        ranges_.resize(component_count(*morph_));
        CountingWriter writer(words_);
        for (std::uint32_t s = first; s < end; ++s) draft_sublet(source, s, stored_vertices(mesh, s), writer);
        writer.flush();
        // A reader fetches two words, and the last of a draft may have no bits.
        words_.insert(words_.end(), 2, 0);
    }

    [[nodiscard]] const std::vector<ComponentRange>& ranges() const { return ranges_; }

    // The most bits that precede a target in its block.
    [[nodiscard]] std::uint32_t most_before(std::span<const ComponentRange> ranges) const {
        std::uint32_t most = 0;
        const TargetDraft* target = targets_.data();
        for (const BlockDraft& block : blocks_) {
            std::uint32_t before = 0;
            for (std::uint32_t i = 0; i < count_bits(block.targets); ++i) {
                most = std::max(most, before);
                before += bits_of(*target++, block.own, ranges);
            }
        }
        return most;
    }

    // Appends masks and blocks.
    void write(std::span<const ComponentRange> ranges, CompactMorphs& out) const {
        CountingReader reader(words_);
        const TargetDraft* target = targets_.data();
        for (const BlockDraft& block : blocks_) {
            if (out.payload.size() >= std::numeric_limits<std::uint32_t>::max()) {
                throw Error("geometry", "morphs",
                            "what morph targets move does not fit 32 bits: encode it as several files");
            }
            out.masks.push_back({block.targets, static_cast<std::uint32_t>(out.payload.size())});
            const std::uint32_t count = count_bits(block.targets);
            if (count == 0) continue;
            CountingWriter writer(out.payload);
            writer.write(block.own - 1, shared::kCompactIndexBits);
            std::uint32_t before = 0;
            for (std::uint32_t i = 0; i + 1 < count; ++i) {
                before += bits_of(target[i], block.own, ranges);
                writer.write(before, out.place_bits);
            }
            for (std::uint32_t i = 0; i < count; ++i) write_target(*target++, block.own, ranges, reader, writer);
            writer.flush();
        }
    }

  private:
    void draft_sublet(const MeshView& source, std::uint32_t sublet, std::uint32_t stored, CountingWriter& writer) {
        const SubletMorphs morphs(source, sublet);
        const DecodedSublet decoded = decode_sublet(source, sublet);
        for (std::uint32_t first = 0; first < morph_->target_count; first += kMaskTargets) {
            BlockDraft block{0, count_bits(stored)};
            for (std::uint32_t t = first; t < std::min(first + kMaskTargets, morph_->target_count); ++t) {
                const std::optional<DecodedMorph> morph = morphs.decode(t);
                if (morph && draft_target(*morph, decoded, stored, writer)) block.targets |= 1U << (t - first);
            }
            blocks_.push_back(block);
        }
    }

    // Whether it moves a vertex that is stored.
    bool draft_target(const DecodedMorph& morph, const DecodedSublet& sublet, std::uint32_t stored,
                      CountingWriter& writer) {
        TargetDraft draft;
        std::array<std::uint32_t, kSubletSize> moved{};
        Predictors by{};
        std::uint32_t count = 0;
        std::uint32_t index = 0;
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            if ((stored >> v & 1U) == 0) continue;
            if (moves(morph, v)) {
                draft.moved |= 1U << index;
                by[count] = morph_predictors(sublet, v, sublet);
                moved[count++] = v;
            }
            ++index;
        }
        if (count == 0) return false;
        std::uint32_t number = 0;
        for (std::uint32_t a = 0; a < kMorphAttributes; ++a) {
            if ((morph_->attributes >> a & 1U) == 0) continue;
            std::array<Components, kSubletSize> values{};
            for (std::uint32_t i = 0; i < count; ++i) values[i] = morph_components(morph, a, moved[i]);
            draft.streams[number] = draft_values(std::span(values.data(), count), a, number, by, writer);
            ++number;
        }
        targets_.push_back(draft);
        return true;
    }

    // `number`: of the attribute, among those that some target moves.
    StreamDraft draft_values(std::span<const Components> values, std::uint32_t attribute, std::uint32_t number,
                             const Predictors& by, CountingWriter& writer) {
        StreamPlan plan;
        if (std::ranges::all_of(values, [](const Components& value) { return value == Components{}; })) {
            plan.mode = shared::kCompactSame;
        } else {
            plan = plan_stream(values, kMorphs[attribute].layout, false, by);
            for (std::uint32_t c = 0; c < 3; ++c) ranges_[3 * number + c].add(plan.components[c], false);
        }
        return draft_stream(plan, 3, false, false, writer);
    }

    [[nodiscard]] static bool moves_all(const TargetDraft& target, std::uint32_t own) {
        return target.moved == low_bits(~0U, own);
    }

    [[nodiscard]] std::uint32_t bits_of(const TargetDraft& target, std::uint32_t own,
                                        std::span<const ComponentRange> ranges) const {
        std::uint32_t bits = 1 + (moves_all(target, own) ? 0 : own);
        for (std::uint32_t i = 0; i < morph_stream_count(*morph_); ++i) {
            bits += stream_bits(target.streams[i], ranges.subspan(std::size_t{3} * i, 3));
        }
        return bits;
    }

    void write_target(const TargetDraft& target, std::uint32_t own, std::span<const ComponentRange> ranges,
                      CountingReader& reader, CountingWriter& writer) const {
        const bool all = moves_all(target, own);
        writer.write(all ? 0 : 1, 1);
        if (!all) writer.write(target.moved, own);
        for (std::uint32_t i = 0; i < morph_stream_count(*morph_); ++i) {
            write_stream(target.streams[i], ranges.subspan(std::size_t{3} * i, 3), false, reader, writer);
        }
    }

    const MorphMesh* morph_ = nullptr;
    std::vector<ComponentRange> ranges_;
    std::vector<BlockDraft> blocks_;
    std::vector<TargetDraft> targets_;
    std::vector<std::uint32_t> words_;
};

// What is wrong with the targets of a sublet.
class SubletMorphCheck {
  public:
    SubletMorphCheck(const MeshView& mesh, std::uint32_t sublet)
        : mesh_(mesh), from_(words_of(mesh)), own_(count_bits(stored_vertices(mesh, sublet))) {}

    // `end`: the word where the block of the mask must end.
    [[nodiscard]] const char* find(const MorphMask& mask, std::uint32_t end) const {
        if (mask.targets == 0) return mask.first_stream == end ? nullptr : "have words, but move nothing";
        if (own_ == 0) return "move vertices that the sublet does not store";
        if (mask.first_stream == end ||
            shared::compact_bits(from_, mask.first_stream, 0, shared::kCompactIndexBits) + 1 != own_) {
            return "count the vertices wrong";
        }
        const std::uint64_t limit = std::uint64_t{end - mask.first_stream} * 32;
        std::uint32_t at = shared::kCompactIndexBits + (count_bits(mask.targets) - 1) * mesh_.morph->place_bits;
        for (std::uint32_t t = 0; t < kMaskTargets; ++t) {
            if ((mask.targets >> t & 1U) == 0) continue;
            shared::CompactMorph morph = shared::compact_morph(from_, mask, mesh_.morph->place_bits, t);
            // Before its streams come a bit, and a bit for each vertex if it is set.
            const std::uint32_t marks = 1 + (shared::compact_bits(from_, morph.block, at, 1) != 0 ? own_ : 0);
            if (morph.at != at + marks) return "begin elsewhere";
            if (morph.moved == 0) return "move nothing";
            for (std::uint32_t i = 0; i < morph_stream_count(*mesh_.morph); ++i) {
                const shared::CompactStream stream = shared::compact_morph_stream(from_, morph);
                if (stream.end > limit) return "are too short";
                if (const char* fault = find_stream_fault(from_, morph.block, stream, 3, kNarrowLimits)) return fault;
            }
            at = morph.at;
        }
        return (std::uint64_t{at} + 31) / 32 * 32 == limit ? nullptr : "are of another size";
    }

  private:
    const MeshView& mesh_;
    shared::CompactWords from_;
    std::uint32_t own_;
};

}  // namespace

std::vector<std::uint32_t> moved_alike(const MeshView& mesh, ThreadPool* pool) {
    const std::uint32_t sublets = mesh.header->sublet_count;
    // Of each vertex what moves it: numbers of targets, each with what it adds.
    using Row = std::vector<std::uint32_t>;
    std::vector<Row> rows(std::size_t{sublets} * kSubletSize);
    std::vector<std::uint32_t> hashes(rows.size());
    for_ranges(pool, sublets, kMorphGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            const SubletMorphs morphs(mesh, static_cast<std::uint32_t>(s));
            const std::span<Row> of_sublet(rows.data() + s * kSubletSize, kSubletSize);
            for (std::uint32_t t = 0; t < mesh.morph->target_count; ++t) {
                const std::optional<DecodedMorph> morph = morphs.decode(t);
                for (std::uint32_t v = 0; morph && v < morphs.vertices(); ++v) {
                    if (!moves(*morph, v)) continue;
                    of_sublet[v].push_back(t);
                    for (std::uint32_t a = 0; a < kMorphAttributes; ++a) {
                        const Components value = morph_components(*morph, a, v);
                        for (std::size_t c = 0; c < 3; ++c) {
                            of_sublet[v].push_back(static_cast<std::uint32_t>(value[c]));
                        }
                    }
                }
            }
            for (std::size_t v = 0; v < kSubletSize; ++v) {
                hashes[s * kSubletSize + v] = hash_words(of_sublet[v].data(), of_sublet[v].size());
            }
        }
    });
    return find_first_equal(
        hashes, [&](std::uint32_t a, std::uint32_t b) { return rows[a] == rows[b]; },
        [](std::uint32_t) { return false; }, pool);
}

CompactMorphs encode_compact_morphs(const MeshView& mesh, const MeshView& source, ThreadPool* pool) {
    const std::uint32_t sublets = mesh.header->sublet_count;
    std::vector<CompactMorphPart> parts((sublets + kMorphGrain - 1) / kMorphGrain);
    for_ranges(pool, sublets, kMorphGrain, [&](std::size_t begin, std::size_t end) {
        parts[begin / kMorphGrain].draft(mesh, source, static_cast<std::uint32_t>(begin),
                                         static_cast<std::uint32_t>(end));
    });
    std::vector<ComponentRange> ranges(component_count(*source.morph));
    for (const CompactMorphPart& part : parts) {
        for (std::size_t c = 0; c < ranges.size(); ++c) ranges[c].add(part.ranges()[c]);
    }
    CompactMorphs out;
    std::uint32_t most = 0;
    for (const CompactMorphPart& part : parts) most = std::max(most, part.most_before(ranges));
    out.place_bits = std::max(1U, static_cast<std::uint32_t>(std::bit_width(most)));
    for (const ComponentRange& range : ranges) out.payload.push_back(range.word());
    for (const CompactMorphPart& part : parts) part.write(ranges, out);
    // A reader fetches the word after the one it needs.
    out.payload.push_back(0);
    return out;
}

std::optional<CompactFault> find_compact_morph_fault(const MeshView& mesh, ThreadPool* pool) {
    const std::span<const MorphMask> masks = mesh.morph_masks;
    const std::uint32_t table = component_count(*mesh.morph);
    if (mesh.morph_payload.size() <= table) return CompactFault{"morphs.payload_size", "is too short"};
    for (std::uint32_t c = 0; c < table; ++c) {
        if (is_component_word(mesh.morph_payload[c], kNarrowLimits)) continue;
        return CompactFault{"morphs.components[" + std::to_string(c) + "]",
                            std::to_string(mesh.morph_payload[c]) + ": is out of range"};
    }
    // Blocks follow one another: each ends where the next begins, and the last before the padding.
    const auto last = static_cast<std::uint32_t>(mesh.morph_payload.size() - 1);
    const auto end_of = [&](std::size_t i) { return i + 1 < masks.size() ? masks[i + 1].first_stream : last; };
    for (std::size_t i = 0; i < masks.size(); ++i) {
        if ((i > 0 || masks[i].first_stream == table) && masks[i].first_stream <= end_of(i)) continue;
        return CompactFault{"morph_masks[" + std::to_string(i) + "].first_stream",
                            std::to_string(masks[i].first_stream) + ": is not where the block before it ends"};
    }
    const std::uint32_t words = mask_words(*mesh.morph);
    std::vector<std::optional<CompactFault>> faults((mesh.header->sublet_count + kMorphGrain - 1) / kMorphGrain);
    for_ranges(pool, mesh.header->sublet_count, kMorphGrain, [&](std::size_t begin, std::size_t end) {
        std::optional<CompactFault>& found = faults[begin / kMorphGrain];
        for (std::size_t s = begin; s < end && !found; ++s) {
            const SubletMorphCheck check(mesh, static_cast<std::uint32_t>(s));
            for (std::size_t i = s * words; i < (s + 1) * words && !found; ++i) {
                const char* fault = check.find(masks[i], end_of(i));
                if (fault != nullptr) found = CompactFault{"sublets[" + std::to_string(s) + "].morphs", fault};
            }
        }
    });
    const auto first = std::ranges::find_if(faults, [](const auto& fault) { return fault.has_value(); });
    return first == faults.end() ? std::nullopt : *first;
}

TargetSizes compact_target_sizes(const MeshView& mesh, std::uint32_t sublet) {
    const shared::CompactWords from = words_of(mesh);
    const std::uint32_t words = mask_words(*mesh.morph);
    TargetSizes out;
    out.header_bits = std::uint64_t{words} * sizeof(MorphMask) * 8;
    for (std::uint32_t w = 0; w < words; ++w) {
        const MorphMask& mask = mesh.morph_masks[std::size_t{sublet} * words + w];
        std::uint32_t end = 0;
        for (std::uint32_t t = 0; t < kMaskTargets; ++t) {
            if ((mask.targets >> t & 1U) == 0) continue;
            shared::CompactMorph morph = shared::compact_morph(from, mask, mesh.morph->place_bits, t);
            for (std::uint32_t a = 0; a < kMorphAttributes; ++a) {
                if ((mesh.morph->attributes >> a & 1U) == 0) continue;
                const shared::CompactStream stream = shared::compact_morph_stream(from, morph);
                const std::uint32_t bits = stream.end - stream.values_at;
                out.streams.push_back({a, {count_bits(morph.moved), stream.stride, bits, bits}});
                out.header_bits -= bits;
            }
            end = morph.at;
        }
        out.header_bits += (std::uint64_t{end} + 31) / 32 * 32;
    }
    return out;
}

}  // namespace sublet::mesh
