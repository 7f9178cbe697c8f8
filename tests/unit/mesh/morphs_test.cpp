// Morph targets in encoded meshes: what comes back, what is left out, what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "mesh/grid.h"
#include "mesh/morphs.h"
#include "mesh/view.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

using Vec3 = std::array<float, 3>;

// A sphere with targets, each of which moves the vertices of one octant, or, every third, none. Some have no normals.
test::TestMesh morphing_sphere(std::size_t targets, std::uint32_t rings = 12, std::uint32_t segments = 20) {
    test::Random random(7);
    test::TestMesh mesh = test::make_sphere(rings, segments);
    mesh.normals.clear();
    test::add_attributes(mesh, Style::kTextured, random, true);
    mesh.morphs.resize(targets);
    for (std::size_t t = 0; t < targets; ++t) {
        if (t % 3 == 2) continue;
        MorphArrays& morph = mesh.morphs[t];
        morph.positions.resize(mesh.positions.size());
        if (t % 2 == 0) morph.normals.resize(mesh.positions.size());
        if (t % 4 == 0) morph.tangents.resize(mesh.positions.size());
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            std::size_t octant = 0;
            for (std::size_t k = 0; k < 3; ++k) octant |= mesh.positions[v][k] > 0.0F ? 1U << k : 0U;
            if (octant != t % 8) continue;
            morph.positions[v] = random.vector(0.7F);
            if (t % 2 == 0) morph.normals[v] = random.vector(1.5F);
            if (t % 4 == 0) morph.tangents[v] = random.vector(1.5F);
        }
    }
    return mesh;
}

// Every corner of every triangle as it is in the bind pose, and what targets add there; in an order that does not
// depend on how the mesh was cut up.
using Corner = std::vector<float>;
std::multiset<Corner> corners(const MeshArrays& mesh) {
    std::multiset<Corner> out;
    for (const std::uint32_t i : mesh.indices) {
        Corner corner(mesh.positions[i].begin(), mesh.positions[i].end());
        for (const MorphArrays& morph : mesh.morphs) {
            for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
                const auto& values = morph_values(morph, a);
                const Vec3 value = values.empty() ? Vec3{} : values[i];
                for (const float x : value) corner.push_back(x + 0.0F);
            }
        }
        out.insert(std::move(corner));
    }
    return out;
}

// As the encoder should round it, from what the document says alone.
MeshArrays rounded(MeshArrays mesh, const MeshHeader& header, const MorphMesh& morph) {
    const double scale = std::ldexp(1.0, header.position_exponent);
    const std::array<float, 3> origin{header.origin.x, header.origin.y, header.origin.z};
    const auto nearest = [](double x, double step) { return static_cast<float>(std::floor(x / step + 0.5) * step); };
    for (Vec3& p : mesh.positions) {
        for (std::size_t k = 0; k < 3; ++k) {
            p[k] = origin[k] + nearest(static_cast<double>(p[k]) - static_cast<double>(origin[k]), scale);
        }
    }
    for (MorphArrays& target : mesh.morphs) {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
            for (Vec3& d : morph_values(target, a)) {
                for (float& x : d) x = nearest(static_cast<double>(x), std::ldexp(1.0, morph.exponents[a]));
            }
        }
    }
    return mesh;
}

void expect_rounded(std::size_t targets, const EncodeOptions& options) {
    const test::TestMesh source = morphing_sphere(targets);
    const Geometry geometry = test::encode_one(source, options).geometry;
    ASSERT_EQ(geometry.morphs.size(), 1U);
    ASSERT_TRUE(morphs(geometry.meshes[0]));
    EXPECT_EQ(geometry.morphs[0].target_count, targets);
    EXPECT_EQ(geometry.morph_masks.size(), geometry.meshes[0].sublet_count * ((targets + 31) / 32));
    const MeshArrays decoded = decode(mesh_view(geometry.view(), 0));
    ASSERT_EQ(decoded.morphs.size(), targets);
    const MeshArrays expected = rounded(source, geometry.meshes[0], geometry.morphs[0]);
    EXPECT_EQ(corners(decoded), corners(expected)) << targets;
    for (std::size_t t = 0; t < targets; ++t) EXPECT_EQ(decoded.morphs[t].positions.empty(), t % 3 == 2);
    // What was decoded encodes to the same bytes.
    const Geometry again = test::encode_one(decoded, options).geometry;
    EXPECT_EQ(again.payload, geometry.payload);
    EXPECT_EQ(again.morph_payload, geometry.morph_payload);
    ASSERT_EQ(again.morph_streams.size(), geometry.morph_streams.size());
    for (std::size_t i = 0; i < again.morph_streams.size(); ++i) {
        EXPECT_EQ(again.morph_streams[i].bits, geometry.morph_streams[i].bits);
    }
}

TEST(Morphs, ComeBackAsTheyWereRounded) {
    for (const std::size_t targets : {1U, 3U, 33U, 70U}) {
        expect_rounded(targets, {.coding = Coding::kPlain});
        expect_rounded(targets, {.coding = Coding::kCompact});
    }
}

TEST(Morphs, SubletsThatATargetDoesNotMovePayTheirBitAlone) {
    const Geometry geometry = test::encode_plain(morphing_sphere(40, 24, 40)).geometry;
    const MeshView mesh = mesh_view(geometry.view(), 0);
    std::size_t moved = 0;
    for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
        const DecodedSublet sublet = decode_sublet(mesh, s);
        for (std::uint32_t t = 0; t < 40; ++t) {
            const std::optional<DecodedMorph> morph = decode_morph(mesh, s, t);
            EXPECT_EQ(morph.has_value(), mesh.morph_stream(s, t) != nullptr);
            if (!morph) continue;
            ++moved;
            bool any = false;
            for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
                any = any || morph->positions[v] != std::array<std::int16_t, 3>{} ||
                      morph->normals[v] != std::array<std::int8_t, 3>{} ||
                      morph->tangents[v] != std::array<std::int8_t, 3>{};
            }
            EXPECT_TRUE(any) << "sublet " << s << ", target " << t;
        }
    }
    // 27 of 40 targets move something, each an eighth of the sphere.
    EXPECT_GT(moved, 0U);
    EXPECT_LT(moved, mesh.header->sublet_count * std::size_t{40} / 4);
    EXPECT_EQ(geometry.morph_streams.size(), moved * 3);
}

TEST(Morphs, ThreadsAndRepeatedVerticesChangeNothing) {
    test::TestMesh mesh = morphing_sphere(5, 40, 60);
    const Geometry once = test::encode_one(mesh).geometry;
    // A vertex for every corner.
    test::TestMesh apart = mesh;
    const auto take = [&](auto& values) {
        if (values.empty()) return;
        auto taken = values;
        taken.clear();
        for (const std::uint32_t i : mesh.indices) taken.push_back(values[i]);
        values = std::move(taken);
    };
    take(apart.positions);
    take(apart.normals);
    take(apart.tangents);
    take(apart.uv0);
    take(apart.uv1);
    take(apart.colors);
    for (MorphArrays& morph : apart.morphs) {
        for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) take(morph_values(morph, a));
    }
    for (std::uint32_t i = 0; i < apart.indices.size(); ++i) apart.indices[i] = i;
    for (const unsigned threads : {1U, 4U}) {
        const MeshInput input = apart.view();
        const auto encoded = try_encode({&input, 1}, {}, "apart", threads);
        ASSERT_TRUE(encoded);
        EXPECT_EQ(encoded->geometry.payload, once.payload);
        EXPECT_EQ(encoded->geometry.morph_payload, once.morph_payload);
    }
}

// Two triangles that are one in the bind pose, and one without area there.
test::TestMesh folded() {
    test::TestMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0},
                      {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    mesh.indices = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    mesh.morphs.resize(1);
    mesh.morphs[0].positions.resize(9);
    return mesh;
}

TEST(Morphs, TrianglesThatATargetOpensAreKept) {
    test::TestMesh mesh = folded();
    EncodedMeshes still = test::encode_one(mesh);
    EXPECT_EQ(still.geometry.meshes[0].triangle_count, 1U) << "nothing moves";
    EXPECT_FALSE(morphs(still.geometry.meshes[0]));
    EXPECT_TRUE(still.geometry.morphs.empty() && still.geometry.morph_payload.empty());

    for (const std::size_t v : {3U, 4U, 5U}) mesh.morphs[0].positions[v] = {0, 0, 1};  // the second one
    EXPECT_EQ(test::encode_one(mesh).geometry.meshes[0].triangle_count, 2U);
    for (const std::size_t v : {6U, 7U, 8U}) mesh.morphs[0].positions[v] = {0, 0, 1};  // the third, as a whole
    EXPECT_EQ(test::encode_one(mesh).geometry.meshes[0].triangle_count, 2U);
    mesh.morphs[0].positions[8] = {0, 1, 1};
    const EncodedMeshes all = test::encode_one(mesh);
    EXPECT_EQ(all.geometry.meshes[0].triangle_count, 3U);
    EXPECT_EQ(all.stats.dropped_degenerate + all.stats.dropped_duplicate, 0U);
    EXPECT_FALSE(check(all.geometry.view(), "folded"));

    // Alone: bounds of what has no area yet.
    mesh.indices = {6, 7, 8};
    const Geometry alone = test::encode_one(mesh).geometry;
    ASSERT_EQ(alone.meshes[0].triangle_count, 1U);
    EXPECT_EQ(alone.sublet_bounds[0].cone.w, 1.0F);
    EXPECT_GE(alone.sublet_bounds[0].sphere.w, 0.5F);
}

TEST(Morphs, ABindPoseOfOnePointKeepsWhatMovesIt) {
    test::TestMesh mesh;
    mesh.positions.assign(3, {5, 5, 5});
    mesh.indices = {0, 1, 2};
    mesh.morphs.resize(2);
    mesh.morphs[1].positions = {{0, 0, 0}, {1e-3F, 0, 0}, {0, 3e-3F, 0}};
    const Geometry geometry = test::encode_one(mesh).geometry;
    ASSERT_EQ(geometry.meshes[0].triangle_count, 1U);
    const MeshArrays decoded = decode(mesh_view(geometry.view(), 0));
    float most = 0;
    for (const Vec3& d : decoded.morphs.at(1).positions) most = std::max({most, d[0], d[1]});
    EXPECT_NEAR(most, 3e-3F, 3e-3F / 16384);
}

TEST(Morphs, ExponentsAreThoseOfTheGridOrTheLeastThatFit) {
    const auto of = [](float position, float normal, int exponent) {
        return choose_morph_exponents({position, normal, 0.0F}, exponent);
    };
    EXPECT_EQ(of(0.0F, 0.0F, -10)[0], -10);
    EXPECT_EQ(of(31.0F, 1.9F, -10)[0], -10);
    EXPECT_EQ(of(31.0F, 1.9F, -10)[1], -6);
    EXPECT_EQ(of(32.0F, 2.0F, -10)[0], -9) << "32768 steps";
    EXPECT_EQ(of(32.0F, 2.0F, -10)[1], -5) << "128 steps";
    EXPECT_EQ(of(0x1p104F, 0x1p104F, -126)[0], 90);
    EXPECT_EQ(of(0x1p104F, 0x1p104F, -126)[1], 98);
    EXPECT_EQ(of(0x1p-140F, 0.0F, kMinExponent)[0], kMinExponent);
}

TEST(Morphs, MeshesOfOneCallShareTheirExponents) {
    test::TestMesh small = morphing_sphere(2);
    test::TestMesh large = small;
    for (Vec3& d : large.morphs[0].positions) d = {d[0] * 20, d[1] * 20, d[2] * 20};
    const auto plane = test::make_plane(2);
    const std::vector<MeshInput> meshes{small.view(), plane.view(), large.view()};
    const auto encoded = try_encode(meshes, {}, "pair", 2);
    ASSERT_TRUE(encoded);
    const Geometry& geometry = encoded->geometry;
    ASSERT_EQ(geometry.morphs.size(), 2U);
    EXPECT_EQ(geometry.morphs[0].mesh, 0U);
    EXPECT_EQ(geometry.morphs[1].mesh, 2U);
    for (std::size_t a = 0; a < 3; ++a) EXPECT_EQ(geometry.morphs[0].exponents[a], geometry.morphs[1].exponents[a]);
    EXPECT_GT(geometry.morphs[0].exponents[0], geometry.meshes[0].position_exponent);
    EXPECT_FALSE(check(geometry.view(), "pair"));
    EXPECT_EQ(mesh_view(geometry.view(), 1).morph, nullptr);
    // Each is as it would be alone on those grids, whatever lies before it.
    EXPECT_EQ(decode(mesh_view(geometry.view(), 2)).morphs.size(), 2U);
    Geometry twice = geometry;
    append(twice, geometry.view());
    EXPECT_FALSE(check(twice.view(), "twice"));
    EXPECT_EQ(decode(mesh_view(twice.view(), 5)).morphs[0].positions,
              decode(mesh_view(geometry.view(), 2)).morphs[0].positions);
}

TEST(Morphs, StylesAndStreamsDecideWhatIsKept) {
    test::TestMesh mesh = morphing_sphere(4);
    const auto attributes = [&](const EncodeOptions& options) {
        return test::encode_one(mesh, options).geometry.morphs.at(0).attributes;
    };
    EXPECT_EQ(attributes({}), 7U);
    EXPECT_EQ(attributes({.style = Style::kWireframe}), shared::kMorphPosition);
    mesh.tangents.clear();
    EXPECT_EQ(attributes({}), shared::kMorphPosition | shared::kMorphNormal);
}

TEST(Morphs, UnusedVerticesOfASharedBufferCountNothing) {
    test::TestMesh mesh = morphing_sphere(3);
    mesh.indices.resize(9);
    for (Vec3& d : mesh.morphs[0].positions) d = {std::numeric_limits<float>::quiet_NaN(), 1e30F, 0};
    for (const std::uint32_t i : mesh.indices) mesh.morphs[0].positions[i] = {0.5F, 0, 0};
    EXPECT_EQ(decode(mesh_view(test::encode_one(mesh).geometry.view(), 0)).morphs[0].positions[0][0], 0.5F);
    mesh.morphs[0].positions[mesh.indices[4]][1] = std::numeric_limits<float>::infinity();
    const MeshInput input = mesh.view();
    const auto failed = try_encode({&input, 1}, {}, "shared");
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.failure().line(), "shared: meshes[0].morphs[0].positions[" + std::to_string(mesh.indices[4]) +
                                           "]: an infinite value: must be finite");
}

TEST(Morphs, BadInputIsNamed) {
    const auto error_with = [](const auto& change) {
        test::TestMesh mesh = morphing_sphere(5);
        change(mesh);
        const MeshInput input = mesh.view();
        const auto encoded = try_encode({&input, 1}, {}, "bad");
        return encoded ? "" : encoded.failure().line();
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(error_with([](test::TestMesh&) {}), "");
    EXPECT_EQ(error_with([&](test::TestMesh& m) { m.morphs[4].normals[3][1] = nan; }),
              "bad: meshes[0].morphs[4].normals[3]: NaN: must be finite");
    EXPECT_EQ(error_with([&](test::TestMesh& m) { m.morphs[1].positions[2][0] = -INFINITY; }),
              "bad: meshes[0].morphs[1].positions[2]: an infinite value: must be finite");
    EXPECT_NE(error_with([&](test::TestMesh& m) { m.morphs[0].tangents[0][2] = 3e31F * 1000; }).find("at most 2^104"),
              std::string::npos);
    EXPECT_EQ(error_with([&](test::TestMesh& m) { m.morphs[3].positions.pop_back(); }),
              "bad: meshes[0].morphs[3].positions: " + std::to_string(morphing_sphere(1).positions.size() - 1) +
                  " elements for " + std::to_string(morphing_sphere(1).positions.size()) +
                  " positions: must be as many or none");
}

TEST(Morphs, TheLargestThatFitEncodeAndDecode) {
    test::TestMesh mesh = test::make_plane(2);
    for (Vec3& p : mesh.positions) p = {p[0] * 0x1p100F, p[1] * 0x1p100F, 0};
    mesh.morphs.resize(1);
    mesh.morphs[0].positions.assign(mesh.positions.size(), {0x1p104F, -0x1p104F, 1.0F});
    const Geometry geometry = test::encode_one(mesh).geometry;
    EXPECT_EQ(decode(mesh_view(geometry.view(), 0)).morphs[0].positions[0], (Vec3{0x1p104F, -0x1p104F, 0.0F}));
}

// Every check of a reader, by a change that it alone finds.
TEST(Morphs, WhatIsWrongIsFound) {
    const Geometry good = test::encode_plain(morphing_sphere(40)).geometry;
    ASSERT_FALSE(check(good.view(), "good"));
    const auto fault = [&](const auto& change) {
        Geometry bad = good;
        change(bad);
        const auto found = check(bad.view(), "bad");
        return found ? found->field + ": " + found->text : "";
    };
    const auto expect = [&](const char* part, const auto& change) {
        const std::string found = fault(change);
        EXPECT_NE(found.find(part), std::string::npos) << "'" << found << "' lacks '" << part << "'";
    };
    // The first mask with a target, and the first stream of each attribute.
    const auto mask = static_cast<std::size_t>(std::find_if(good.morph_masks.begin(), good.morph_masks.end(),
                                                            [](const MorphMask& m) { return m.targets != 0; }) -
                                               good.morph_masks.begin());
    expect("no record of them", [](Geometry& g) { g.morphs.clear(); });
    expect("there is a record", [](Geometry& g) { g.meshes[0].streams_present &= ~shared::kHasMorphsBit; });
    expect("no record of them", [](Geometry& g) { g.morphs[0].mesh = 1; });
    expect("morphs: 2 elements", [](Geometry& g) { g.morphs.push_back(g.morphs[0]); });
    expect("target_count", [](Geometry& g) { g.morphs[0].target_count = 0; });
    expect("first_mask", [](Geometry& g) { g.morphs[0].target_count = ~0U; });
    expect("morph_masks", [](Geometry& g) { g.morphs[0].target_count = 32; });
    expect("has targets that the mesh does not", [](Geometry& g) { g.morph_masks[1].targets |= 1U << 8; });
    expect("has targets that the mesh does not", [](Geometry& g) { g.morph_masks[1].targets |= 1U << 31; });
    expect("attributes", [](Geometry& g) { g.morphs[0].attributes = 0; });
    expect("attributes", [](Geometry& g) { g.morphs[0].attributes = 15; });
    expect("first_stream", [](Geometry& g) {
        g.morphs[0].attributes = 3;
        g.morphs[0].exponents[2] = 0;
    });
    expect("exponents", [](Geometry& g) { g.morphs[0].exponents[0] = 107; });
    expect("exponents", [](Geometry& g) { g.morphs[0].exponents[1] = -127; });
    expect("reserved", [](Geometry& g) { g.morphs[0].reserved[1] = 1; });
    expect("place_bits", [](Geometry& g) { g.morphs[0].place_bits = 1; });
    expect("first_mask", [](Geometry& g) { g.morphs[0].first_mask = 1; });
    expect("first_mask", [](Geometry& g) { g.morph_masks.pop_back(); });
    expect("morph_masks", [](Geometry& g) { g.morph_masks.push_back(g.morph_masks.back()); });
    expect("payload_offset", [](Geometry& g) { g.morphs[0].payload_offset = 1; });
    expect("payload_offset", [](Geometry& g) { g.morphs[0].payload_size += 1; });
    expect("morph_payload", [](Geometry& g) { g.morph_payload.push_back(0); });
    expect("first_stream", [&](Geometry& g) { g.morph_masks[mask].first_stream += 1; });
    expect("first_stream", [&](Geometry& g) { g.morph_masks[mask].targets &= g.morph_masks[mask].targets - 1; });
    expect("first_stream", [](Geometry& g) { g.morph_streams.pop_back(); });
    expect("morph_streams", [](Geometry& g) { g.morph_streams.push_back(g.morph_streams.back()); });
    expect("component too wide", [](Geometry& g) { g.morph_streams[1].bits = 9; });
    expect("component too wide", [](Geometry& g) { g.morph_streams[0].bits = 17; });
    expect("not a byte", [](Geometry& g) { g.morph_streams[1].base_value[0] = 128; });
    expect("unused component", [](Geometry& g) { g.morph_streams[0].base_value[1] |= 1U << 16U; });
    expect("unknown bits", [](Geometry& g) { g.morph_streams[0].bits |= 1U << 20U; });
    expect("past the end", [](Geometry& g) { g.morph_streams[0].offset_in_words = g.morphs[0].payload_size; });
    expect("does not move the sublet", [](Geometry& g) {
        for (std::size_t i = 0; i < 3; ++i) g.morph_streams[i] = {};
    });
    expect("has what the mesh does not", [&](Geometry& g) {
        // As if the mesh had no tangents.
        g.meshes[0].streams_present &= ~shared::kHasTangentBit;
    });
}

// Whatever bits are wrong: refused, or decoded without reading beyond.
TEST(Morphs, AnyDamageIsRefusedOrHarmless) {
    const Geometry good = test::encode_plain(morphing_sphere(34, 6, 8)).geometry;
    test::Random random(3);
    int refused = 0;
    for (int round = 0; round < 4000; ++round) {
        Geometry bad = good;
        const auto damage = [&](auto& array) {
            auto* const words = reinterpret_cast<std::uint32_t*>(array.data());
            const auto count = static_cast<std::uint32_t>(array.size() * sizeof(array[0]) / 4);
            words[random.below(count)] ^= 1U << random.below(32);
        };
        switch (round % 4) {
            case 0:
                damage(bad.morphs);
                break;
            case 1:
                damage(bad.morph_masks);
                break;
            case 2:
                damage(bad.morph_streams);
                break;
            default:
                damage(bad.morph_payload);
        }
        if (check(bad.view(), "bad")) {
            ++refused;
            continue;
        }
        const MeshArrays decoded = decode(mesh_view(bad.view(), 0));
        for (const MorphArrays& morph : decoded.morphs) {
            for (const Vec3& d : morph.positions) {
                EXPECT_TRUE(std::isfinite(d[0]) && std::isfinite(d[1]) && std::isfinite(d[2]));
            }
        }
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 3900);
}

}  // namespace
}  // namespace sublet::mesh
