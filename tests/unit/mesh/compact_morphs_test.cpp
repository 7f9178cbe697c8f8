// Morph targets in the compact coding: the same integers as in the plain one, from bytes of which none is trusted.
#include "mesh/compact_morphs.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <utility>

#include "base/thread_pool.h"
#include "mesh/morphs.h"
#include "mesh/recode.h"
#include "mesh/view.h"
#include "same_geometry.h"
#include "test_meshes.h"
#include "tests/older_targets.h"

namespace sublet::mesh {
namespace {

using Vec3 = std::array<float, 3>;

// How a target of a test moves vertices.
enum class Way : std::uint8_t { kNone, kAll, kSmooth, kFew, kSteps, kNormalsAlone, kWays };

// Of a mesh with normals and tangents.
MorphArrays make_target(const test::TestMesh& mesh, Way way, test::Random& random) {
    MorphArrays target;
    if (way == Way::kNone) return target;
    const Vec3 about = random.vector(1.0F);
    const Vec3 turn = random.vector(0.4F);
    const float reach = random.uniform(0.2F, 1.5F);
    const auto push = [&](const Vec3& position, const Vec3& other) {
        target.positions.push_back(way == Way::kNormalsAlone ? Vec3{} : position);
        target.normals.push_back(other);
        target.tangents.push_back(way == Way::kFew ? Vec3{} : other);
    };
    for (const Vec3& p : mesh.positions) {
        const Vec3 d{p[0] - about[0], p[1] - about[1], p[2] - about[2]};
        const float share = 1.0F - std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / reach;
        switch (way) {
            case Way::kSmooth:
                if (share <= 0.0F) break;
                push({share * turn[1] * d[2], share * turn[2] * d[0], share * turn[0] * d[1]}, turn);
                continue;
            case Way::kFew:
                if (random.below(10) != 0) break;
                push(random.vector(0.6F), random.vector(1.0F));
                continue;
            case Way::kSteps:
                if (share <= 0.0F) break;
                push({0.125F * std::floor(share * 3.0F), 0.0F, 0.25F}, {});
                continue;
            default:
                push(random.vector(0.6F), random.vector(1.0F));
                continue;
        }
        push({}, {});
    }
    return target;
}

test::TestMesh random_mesh(test::Random& random, std::size_t targets) {
    const auto size = [&](std::uint32_t most) { return 3 + random.below(most); };
    test::TestMesh mesh = random.below(3) == 0 ? test::make_plane(size(20)) : test::make_sphere(size(16), size(24));
    mesh.normals.clear();
    test::add_attributes(mesh, Style::kTextured, random, random.below(2) == 0);
    for (std::size_t t = 0; t < targets; ++t) {
        const auto way = static_cast<Way>(random.below(static_cast<std::uint32_t>(Way::kWays)));
        mesh.morphs.push_back(make_target(mesh, way, random));
    }
    return mesh;
}

bool same(const std::optional<DecodedMorph>& a, const std::optional<DecodedMorph>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    return a->positions == b->positions && a->normals == b->normals && a->tangents == b->tangents;
}

void expect_same_targets(const Geometry& plain, const Geometry& compact) {
    for (const MorphMesh& morph : plain.morphs) {
        const MeshView before = mesh_view(plain.view(), morph.mesh);
        const MeshView after = mesh_view(compact.view(), morph.mesh);
        std::uint64_t bits = 0;
        for (std::uint32_t s = 0; s < before.header->sublet_count; ++s) {
            const SubletMorphs was(before, s);
            const SubletMorphs is(after, s);
            for (std::uint32_t t = 0; t < morph.target_count; ++t) {
                ASSERT_TRUE(same(was.decode(t), is.decode(t))) << "sublet " << s << ", target " << t;
            }
            const TargetSizes sizes = target_sizes(after, s);
            bits += sizes.header_bits;
            for (const auto& stream : sizes.streams) bits += stream.size.taken;
        }
        // All that there is but the table of components and the padding.
        const std::uint64_t words = after.morph_payload.size() - 3 * morph_stream_count(morph) - 1;
        EXPECT_EQ(bits, words * 32 + after.morph_masks.size_bytes() * 8);
    }
}

TEST(CompactMorphs, HoldWhatThePlainOnesHold) {
    test::Random random(17);
    ThreadPool pool(3);
    for (int round = 0; round < 60; ++round) {
        const test::TestMesh a = random_mesh(random, 1 + random.below(round % 10 == 0 ? 70 : 6));
        const test::TestMesh b = random_mesh(random, random.below(4));
        const std::vector<MeshInput> meshes{a.view(), b.view(), a.view()};
        const auto encoded = try_encode(meshes, {.coding = Coding::kPlain}, "meshes");
        ASSERT_TRUE(encoded);
        const Geometry& plain = encoded->geometry;
        const Geometry compact = recode(plain.view(), Coding::kCompact, round % 2 == 0 ? &pool : nullptr);
        const auto fault = check(compact.view(), "compact");
        ASSERT_FALSE(fault) << fault->line();
        EXPECT_TRUE(compact.morph_streams.empty());
        expect_same_targets(plain, compact);
        EXPECT_TRUE(test::same_geometry(recode(compact.view(), Coding::kPlain), plain));
        EXPECT_TRUE(test::same_geometry(recode(compact.view(), Coding::kCompact), compact));
        // Older files open, and become either.
        const Geometry old = sublet::test::with_older_targets(plain);
        ASSERT_FALSE(check(old.view(), "old"));
        EXPECT_EQ(is_recoded(old.view(), Coding::kCompact), plain.morphs.empty());  // some round to nothing
        EXPECT_TRUE(test::same_geometry(recode(old.view(), Coding::kCompact), compact));
        EXPECT_TRUE(test::same_geometry(recode(old.view(), Coding::kPlain), plain));
    }
}

TEST(CompactMorphs, MeshesOfBothCodingsLieInOneFile) {
    test::Random random(23);
    Geometry all;
    std::vector<Geometry> parts;
    for (int i = 0; i < 6; ++i) {
        const Geometry plain = test::encode_plain(random_mesh(random, 3 + random.below(40))).geometry;
        parts.push_back(i % 3 == 0   ? plain
                        : i % 3 == 1 ? sublet::test::with_older_targets(plain)
                                     : recode(plain.view(), Coding::kCompact));
        append(all, parts.back().view());
    }
    const auto fault = check(all.view(), "all");
    ASSERT_FALSE(fault) << fault->line();
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
        const MeshArrays alone = decode(mesh_view(parts[i].view(), 0));
        const MeshArrays among = decode(mesh_view(all.view(), i));
        ASSERT_EQ(alone.morphs.size(), among.morphs.size());
        for (std::size_t t = 0; t < alone.morphs.size(); ++t) {
            EXPECT_EQ(alone.morphs[t].positions, among.morphs[t].positions);
            EXPECT_EQ(alone.morphs[t].normals, among.morphs[t].normals);
            EXPECT_EQ(alone.morphs[t].tangents, among.morphs[t].tangents);
        }
    }
    const Geometry plain = recode(all.view(), Coding::kPlain);
    EXPECT_FALSE(check(plain.view(), "plain"));
    expect_same_targets(plain, recode(all.view(), Coding::kCompact));
}

// Upper and lower lip: vertices at one place that a target moves apart are not stored as one.
TEST(CompactMorphs, VerticesThatMoveApartAreStoredApart) {
    test::TestMesh mesh = test::make_plane(16);
    const std::size_t count = mesh.positions.size();
    const std::vector<std::uint32_t> indices = mesh.indices;
    for (std::size_t v = 0; v < count; ++v) mesh.positions.push_back(mesh.positions[v]);
    for (auto* values : {&mesh.normals}) values->insert(values->end(), values->begin(), values->end());
    if (!mesh.uv0.empty()) mesh.uv0.insert(mesh.uv0.end(), mesh.uv0.begin(), mesh.uv0.end());
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        for (const std::size_t k : {0U, 2U, 1U})
            mesh.indices.push_back(indices[i + k] + static_cast<std::uint32_t>(count));
    }
    mesh.morphs.resize(1);
    mesh.morphs[0].positions.assign(2 * count, Vec3{});
    for (std::size_t v = count; v < 2 * count; ++v) mesh.morphs[0].positions[v] = {0, 0, -0.5F};
    const Geometry plain = test::encode_plain(mesh).geometry;
    const Geometry compact = recode(plain.view(), Coding::kCompact);
    ASSERT_FALSE(check(compact.view(), "lips"));
    expect_same_targets(plain, compact);
    EXPECT_EQ(compact.morph_payload.size() < plain.morph_payload.size() + 4 * plain.morph_streams.size(), true);
}

// Bits as the document counts them, one by one.
class DocumentBits {
  public:
    DocumentBits(std::span<const std::uint32_t> words, std::size_t bit) : words_(words), bit_(bit) {}

    std::uint32_t next(std::uint32_t count) {
        std::uint32_t value = 0;
        for (std::uint32_t i = 0; i < count; ++i, ++bit_) value |= (words_[bit_ / 32] >> bit_ % 32 & 1U) << i;
        return value;
    }
    std::uint32_t before(std::uint32_t count) {
        bit_ -= count;
        const std::uint32_t value = next(count);
        bit_ -= count;
        return value;
    }
    [[nodiscard]] std::size_t bit() const { return bit_; }

  private:
    std::span<const std::uint32_t> words_;
    std::size_t bit_;
};

int signed_of(std::uint32_t value, std::uint32_t bits) {
    return static_cast<int>(value << (32 - bits)) >> (32 - bits);
}

// Where the document says that vertices are stored: sublets of the mesh, and numbers among what they store.
std::vector<std::pair<std::uint32_t, std::uint32_t>> places_by_document(const MeshView& mesh, std::uint32_t components,
                                                                        std::uint32_t sublet) {
    const std::uint32_t meshlet = sublet / 8;
    const std::uint32_t s = sublet % 8;
    const std::uint32_t block = mesh.payload[components + meshlet * 3];
    const std::uint32_t end = mesh.payload[block + s];
    const std::uint32_t start = s == 0 ? 0 : (mesh.payload[block + s - 1] >> 16U & 0xffU) + 1;
    const std::uint32_t vertices = (end >> 16U & 0xffU) + 1 - start;
    DocumentBits bits(mesh.payload, std::size_t{block} * 32 + (end & 0xffffU) * std::size_t{4});
    const bool shares = (bits.before(6) >> 5U & 1U) != 0;
    const std::uint32_t own = shares ? bits.before(vertices) : ~0U;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    std::uint32_t number = 0;
    for (std::uint32_t v = 0; v < vertices; ++v) {
        if ((own >> v & 1U) != 0) {
            out.emplace_back(sublet, number++);
            continue;
        }
        const std::uint32_t place = bits.before(5 + static_cast<std::uint32_t>(std::bit_width(s - 1)));
        out.emplace_back(meshlet * 8 + place / 32, place % 32);
    }
    return out;
}

// The values of a stream of `count` vertices, whose predictors are `by`; component words lie from `table` on.
std::vector<std::array<int, 3>> stream_by_document(DocumentBits& bits, std::span<const std::uint32_t> table,
                                                   std::uint32_t count, const std::vector<std::array<int, 3>>& by) {
    std::vector<std::array<int, 3>> out(count);
    const std::uint32_t mode = bits.next(2);
    if (mode == 3) return out;
    std::vector<std::uint32_t> value_of(count);  // of each vertex
    std::uint32_t stored = 0;
    std::vector<std::uint32_t> copies;
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool is_stored = mode == 0 || i == 0 || bits.next(1) != 0;
        value_of[i] = is_stored ? stored++ : stored - 1;
        if (!is_stored) copies.push_back(i);
    }
    for (std::size_t i = 0; i < copies.size() && mode == 2; ++i) value_of[copies[i]] = bits.next(5);
    std::array<int, 3> base{};
    std::array<std::uint32_t, 3> width{};
    std::array<std::uint32_t, 3> kind{};
    for (std::size_t c = 0; c < 3; ++c) {
        base[c] = static_cast<int>(table[c] & 0x1ffffU) - 32768;
        base[c] += static_cast<int>(bits.next(table[c] >> 17U & 31U));
        width[c] = table[c] >> 22U & 31U;
        width[c] += bits.next(table[c] >> 27U & 7U);
        if ((table[c] >> 30U & 1U) != 0) kind[c] = bits.next(2);
    }
    std::array<std::vector<std::uint32_t>, 3> palette;
    std::array<std::array<int, 4>, 3> slopes{};
    for (std::size_t c = 0; c < 3; ++c) {
        if (kind[c] == 1) {
            palette[c].resize(bits.next(5) + 1);
            for (std::uint32_t& difference : palette[c]) difference = bits.next(width[c]);
            width[c] = static_cast<std::uint32_t>(std::bit_width(palette[c].size() - 1));
        } else if (kind[c] != 0) {
            slopes[c][3] = static_cast<int>(bits.next(4));
            for (std::size_t k = 0; k < kind[c]; ++k) slopes[c][k] = signed_of(bits.next(7), 7);
        }
    }
    std::vector<std::array<std::uint32_t, 3>> values(stored);
    for (auto& value : values) {
        for (std::size_t c = 0; c < 3; ++c) value[c] = bits.next(width[c]);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t value = values[value_of[i]][c];
            const std::uint32_t difference = palette[c].empty() ? value : palette[c][value];
            const int sum = slopes[c][0] * by[i][0] + slopes[c][1] * by[i][1] + slopes[c][2] * by[i][2];
            out[i][c] = base[c] + static_cast<int>(difference) + (sum * 16 >> slopes[c][3]);
        }
    }
    return out;
}

// By docs/FORMAT.md, without the reader's own functions but for the places of vertices on the grid.
DecodedMorph target_by_document(const MeshView& mesh, std::uint32_t components, std::uint32_t sublet, std::uint32_t t) {
    DecodedMorph out;
    const MorphMesh& record = *mesh.morph;
    const DecodedSublet decoded = decode_sublet(mesh, sublet);
    const auto places = places_by_document(mesh, components, sublet);
    for (std::uint32_t v = 0; v < places.size(); ++v) {
        const auto [storing, number] = places[v];
        const MorphMask& mask = mesh.morph_masks[std::size_t{storing} * ((record.target_count + 31) / 32) + t / 32];
        if ((mask.targets >> t % 32 & 1U) == 0) continue;
        DocumentBits bits(mesh.morph_payload, std::size_t{mask.first_stream} * 32);
        const std::uint32_t own = bits.next(5) + 1;
        std::vector<std::uint32_t> begins{0};
        for (int i = 1; i < std::popcount(mask.targets); ++i) begins.push_back(bits.next(record.place_bits));
        const auto rank = static_cast<std::size_t>(std::popcount(mask.targets & ((1U << t % 32) - 1)));
        bits = DocumentBits(mesh.morph_payload, bits.bit() + begins[rank]);
        const bool some = bits.next(1) != 0;
        const std::uint32_t moved = some ? bits.next(own) : own == 32 ? ~0U : (1U << own) - 1;
        if ((moved >> number & 1U) == 0) continue;
        // Of the vertices that it moves, this one alone is asked for: all are told from its predictors.
        const DecodedSublet other = decode_sublet(mesh, storing);
        std::array<int, 3> by{};
        for (std::size_t k = 0; k < 3; ++k) by[k] = decoded.positions[v][k] - other.positions[0][k];
        const auto count = static_cast<std::uint32_t>(std::popcount(moved));
        const auto index = static_cast<std::size_t>(std::popcount(moved & ((1U << number) - 1)));
        std::size_t table = 0;
        for (std::uint32_t a = 0; a < 3; ++a) {
            if ((record.attributes >> a & 1U) == 0) continue;
            const auto value = stream_by_document(bits, mesh.morph_payload.subspan(table, 3), count,
                                                  std::vector<std::array<int, 3>>(count, by))[index];
            table += 3;
            for (std::size_t k = 0; k < 3; ++k) {
                if (a == 0) out.positions[v][k] = static_cast<std::int16_t>(value[k]);
                if (a == 1) out.normals[v][k] = static_cast<std::int8_t>(value[k]);
                if (a == 2) out.tangents[v][k] = static_cast<std::int8_t>(value[k]);
            }
        }
    }
    return out;
}

TEST(CompactMorphs, ADecoderWrittenFromTheDocumentAgrees) {
    test::Random random(41);
    std::uint32_t shared_vertices = 0;
    for (int round = 0; round < 12; ++round) {
        const Geometry geometry = test::encode_one(random_mesh(random, round == 0 ? 40 : 4)).geometry;
        if (geometry.morphs.empty()) continue;
        const MeshView mesh = mesh_view(geometry.view(), 0);
        std::uint32_t components = 3;
        const std::uint32_t streams = mesh.header->streams_present;
        // Normals and tangents, two sets of texture coordinates, colours.
        const std::array<std::pair<std::uint32_t, std::uint32_t>, 4> counts{
            {{2U, (streams >> 16U & 1U) != 0 ? 4U : 2U}, {3U, 2U}, {5U, 4U}, {6U, 2U}}};
        for (const auto& [type, count] : counts) {
            if ((streams >> type & 1U) != 0) components += count;
        }
        for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
            for (const auto& place : places_by_document(mesh, components, s))
                shared_vertices += place.first != s ? 1 : 0;
            for (std::uint32_t t = 0; t < mesh.morph->target_count; ++t) {
                const DecodedMorph expected = decode_morph(mesh, s, t).value_or(DecodedMorph{});
                ASSERT_TRUE(same(target_by_document(mesh, components, s, t), expected)) << s << ", target " << t;
            }
        }
    }
    EXPECT_GT(shared_vertices, 20U);
}

// Every check of a reader, by a change that it alone finds.
TEST(CompactMorphs, WhatIsWrongIsFound) {
    test::Random random(5);
    test::TestMesh mesh = test::make_sphere(12, 20);
    mesh.normals.clear();
    test::add_attributes(mesh, Style::kTextured, random, true);
    for (int t = 0; t < 40; ++t) mesh.morphs.push_back(make_target(mesh, t % 5 == 4 ? Way::kNone : Way::kFew, random));
    const Geometry good = test::encode_one(mesh).geometry;
    ASSERT_FALSE(check(good.view(), "good"));
    const auto expect = [&](const char* part, const std::function<void(Geometry&)>& change) {
        Geometry bad = good;
        change(bad);
        const auto found = check(bad.view(), "bad");
        const std::string line = found ? found->line() : "nothing";
        EXPECT_NE(line.find(part), std::string::npos) << "'" << line << "' lacks '" << part << "'";
    };
    const std::size_t masks = good.morph_masks.size();
    const std::uint32_t first = good.morph_masks[0].first_stream;
    ASSERT_GT(std::popcount(good.morph_masks[0].targets), 2);
    expect("place_bits", [](Geometry& g) { g.morphs[0].place_bits = shared::kMostMorphPlaceBits + 1; });
    expect("reserved", [](Geometry& g) { g.morphs[0].reserved[0] = 1; });
    expect("morphs", [](Geometry& g) { g.morphs[0].place_bits -= 1; });
    expect("components[2]", [](Geometry& g) { g.morph_payload[2] |= 1U << 31U; });
    expect("components[0]", [](Geometry& g) { g.morph_payload[0] |= 31U << 22U; });
    expect("morph_masks[0].first_stream", [](Geometry& g) { g.morph_masks[0].first_stream -= 1; });
    expect("morph_masks[0].first_stream", [](Geometry& g) { g.morph_masks[0].first_stream += 1; });
    expect("first_stream", [&](Geometry& g) { g.morph_masks[masks - 1].first_stream = ~0U; });
    expect("morphs", [](Geometry& g) { g.morph_masks[0].targets &= g.morph_masks[0].targets - 1; });
    expect("has targets that the mesh does not", [](Geometry& g) { g.morph_masks[1].targets |= 1U << 31U; });
    expect("have words, but move nothing", [](Geometry& g) { g.morph_masks[0].targets = 0; });
    expect("count the vertices wrong", [&](Geometry& g) { g.morph_payload[first] ^= 1; });
    expect("begin elsewhere", [&](Geometry& g) { g.morph_payload[first] ^= 1U << 5U; });
    expect("are of another size", [](Geometry& g) {
        g.morph_payload.push_back(0);
        g.morphs[0].payload_size += 1;
    });
    expect("payload_size", [](Geometry& g) {
        g.morph_payload.resize(5);
        g.morphs[0].payload_size = 5;
    });
    expect("morph_streams", [](Geometry& g) { g.morph_streams.emplace_back(); });
}

// Whatever bits are wrong: refused, or decoded without reading beyond.
TEST(CompactMorphs, AnyDamageIsRefusedOrHarmless) {
    test::Random random(3);
    int refused = 0;
    int rounds = 0;
    for (int shape = 0; shape < 24; ++shape) {
        const Geometry good = test::encode_one(random_mesh(random, 2 + random.below(shape % 8 == 0 ? 40 : 5))).geometry;
        if (good.morphs.empty()) continue;
        for (int round = 0; round < 100; ++round) {
            Geometry bad = good;
            const auto damage = [&](auto& array) {
                auto* const words = reinterpret_cast<std::uint32_t*>(array.data());
                const auto count = static_cast<std::uint32_t>(array.size() * sizeof(array[0]) / 4);
                words[random.below(count)] ^= 1U << random.below(32);
            };
            if (round % 8 == 0) damage(bad.morphs);
            if (round % 8 == 1) damage(bad.morph_masks);
            if (round % 8 > 1) damage(bad.morph_payload);
            ++rounds;
            if (check(bad.view(), "bad")) {
                ++refused;
                continue;
            }
            const MeshView mesh = mesh_view(bad.view(), 0);
            for (const MorphArrays& morph : decode(mesh).morphs) {
                for (const Vec3& d : morph.positions) {
                    EXPECT_TRUE(std::isfinite(d[0]) && std::isfinite(d[1]) && std::isfinite(d[2]));
                }
            }
            // What it decodes to is a mesh like any other.
            EXPECT_FALSE(check(recode(bad.view(), Coding::kPlain).view(), "plain"));
        }
    }
    EXPECT_GT(refused, rounds / 5);
    EXPECT_LT(refused, rounds);
}

}  // namespace
}  // namespace sublet::mesh
