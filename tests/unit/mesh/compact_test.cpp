#include "mesh/compact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/thread_pool.h"
#include "mesh/encode.h"
#include "mesh/levels.h"
#include "mesh/plain_coding.h"
#include "mesh/recode.h"
#include "mesh/short_bounds.h"
#include "mesh/sizes.h"
#include "mesh/stream.h"
#include "mesh/strips.h"
#include "mesh/view.h"
#include "same_geometry.h"
#include "test_meshes.h"
#include "tests/unit/sanitizer.h"

namespace sublet::mesh {
namespace {

using shared::kSubletSize;
using test::Random;
using test::TestMesh;

std::vector<DecodedSublet> sublets_of(const MeshView& mesh) {
    std::vector<DecodedSublet> sublets(mesh.header->sublet_count);
    for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) sublets[s] = decode_sublet(mesh, s);
    return sublets;
}

bool equal(const DecodedSublet& a, const DecodedSublet& b) {
    return a.triangle_count == b.triangle_count && a.vertex_count == b.vertex_count && a.triangles == b.triangles &&
           a.positions == b.positions && a.attributes == b.attributes;
}

std::vector<std::uint32_t> words_of(const MeshHeader& header, const std::vector<DecodedSublet>& sublets) {
    return encode_compact(header, [&](std::uint32_t s) { return sublets[s]; });
}

void expect_plain_round_trip(const MeshHeader& header, const DecodedSublet& sublet) {
    std::vector<StreamHeader> streams(header.stream_count);
    std::vector<std::uint32_t> payload;
    pack_plain(sublet, header, {}, streams.data(), payload);
    payload.push_back(0);
    MeshView view;
    view.header = &header;
    view.streams = streams;
    view.payload = payload;
    EXPECT_TRUE(equal(decode_plain(view, 0), sublet)) << header.position_bits << " bits";
}

void expect_round_trip(const MeshHeader& header, const std::vector<DecodedSublet>& sublets) {
    const std::vector<std::uint32_t> words = words_of(header, sublets);
    for (std::uint32_t s = 0; s < sublets.size(); ++s) {
        if (!equal(decode_compact(header, words, s), sublets[s])) {
            ADD_FAILURE() << "sublet " << s << " of " << sublets.size() << ", streams " << header.streams_present;
            break;
        }
    }
    if (has_wide_positions(header)) {
        // On the way there: in the plain coding, in memory.
        for (const DecodedSublet& sublet : sublets) expect_plain_round_trip(header, sublet);
    }
    MeshHeader checked = header;
    checked.position_bits = std::max(header.position_bits, 16U);
    checked.vertex_count = checked.triangle_count = 0;
    for (const DecodedSublet& sublet : sublets) {
        checked.vertex_count += sublet.vertex_count;
        checked.triangle_count += sublet.triangle_count;
    }
    const std::optional<CompactFault> fault = find_compact_fault(checked, words);
    EXPECT_FALSE(fault && fault->text.find("weights") == std::string::npos)  // random ones may sum to more
        << fault->field << ' ' << fault->text;
}

// From the plain coding and back is the same to the byte, and what the compact one decodes to is the same. Sizes of
// sublets are what it takes.
void expect_same_in_both(const Geometry& plain, ThreadPool* pool = nullptr) {
    const Geometry compact = recode(plain.view(), Coding::kCompact, pool);
    validate(compact.view(), "compact", pool);
    EXPECT_TRUE(compact.streams.empty());
    const Geometry back = recode(compact.view(), Coding::kPlain, pool);
    EXPECT_TRUE(test::same_bytes(back.meshes, plain.meshes));
    EXPECT_TRUE(test::same_bytes(back.streams, plain.streams));
    EXPECT_TRUE(test::same_bytes(back.payload, plain.payload));
    EXPECT_TRUE(test::same_bytes(back.morph_payload, plain.morph_payload));
    EXPECT_TRUE(test::same_bytes(recode(back.view(), Coding::kCompact).payload, compact.payload));
    for (std::uint32_t m = 0; m < plain.meshes.size(); ++m) {
        const MeshView before = mesh_view(plain.view(), m);
        const MeshView after = mesh_view(compact.view(), m);
        std::uint64_t bits = 0;
        for (std::uint32_t s = 0; s < before.header->sublet_count; ++s) {
            ASSERT_TRUE(equal(decode_sublet(before, s), decode_sublet(after, s))) << "sublet " << s;
            const SubletSizes was = sublet_sizes(before, s);
            const SubletSizes is = sublet_sizes(after, s);
            ASSERT_EQ(is.counts.triangles, was.counts.triangles);
            ASSERT_EQ(is.counts.vertices, was.counts.vertices);
            ASSERT_EQ(is.counts.first_vertex_in_meshlet, was.counts.first_vertex_in_meshlet);
            ASSERT_EQ(is.counts.first_triangle_in_meshlet, was.counts.first_triangle_in_meshlet);
            bits += is.header_bits;
            for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
                ASSERT_EQ(is.streams[type].elements, was.streams[type].elements);
                bits += is.streams[type].taken;
            }
        }
        // But for the table of components, what fills up the last word of each block, and padding.
        const std::uint64_t all = after.payload.size() * 32;
        EXPECT_LE(bits, all);
        EXPECT_LE(all - bits, (32 + 1 + after.header->meshlet_count) * 32U);
    }
}

void expect_round_trip(const EncodedMeshes& encoded) {
    expect_same_in_both(encoded.geometry);
}

TEST(Compact, MeshesOfEveryStyleComeBack) {
    Random random(11);
    for (const Style style : {Style::kWireframe, Style::kTextured, Style::kSkinned}) {
        for (const bool varied : {false, true}) {
            for (int shape = 0; shape < 3; ++shape) {
                TestMesh mesh = shape == 0   ? test::make_sphere(40, 60)
                                : shape == 1 ? test::make_plane(30)
                                             : test::make_soup(random, 1500);
                mesh.normals = {};
                add_attributes(mesh, style, random, varied);
                EncodeOptions options;
                options.style = style;
                expect_round_trip(test::encode_plain(mesh, options));
            }
        }
    }
    expect_round_trip(test::encode_plain(test::make_small_skinned()));
}

TEST(Compact, LevelsOfDetailComeBackWithTheirFillers) {
    EncodeOptions options;
    options.levels = Levels::kOn;
    const EncodedMeshes encoded = test::encode_plain(test::make_sphere(100, 120), options);
    ASSERT_GT(encoded.geometry.meshes[0].coarse_meshlets, 0U);
    expect_round_trip(encoded);
}

TEST(Compact, TakesHalfOfWhatTheStreamsTake) {
    TestMesh mesh = test::make_sphere(160, 160);
    mesh.normals = mesh.positions;
    const EncodedMeshes encoded = test::encode_plain(mesh);
    const Geometry& plain = encoded.geometry;
    const Geometry compact = recode(plain.view(), Coding::kCompact);
    EXPECT_LT(compact.payload.size() * 8, plain.payload.size() * 4 + plain.streams.size() * sizeof(StreamHeader));
}

TEST(Compact, SeveralMeshesAreOneAfterTheOther) {
    Random random(15);
    ThreadPool pool(3);
    TestMesh soup = test::make_soup(random, 12'000);
    const TestMesh nothing;
    const TestMesh sphere = test::make_sphere(30, 30);
    const std::array inputs{soup.view(), nothing.view(), sphere.view()};
    EncodeOptions options;
    options.coding = Coding::kPlain;
    const EncodedMeshes encoded = encode(inputs, options, "three", &pool);
    expect_same_in_both(encoded.geometry, &pool);
    const Geometry alone = recode(encoded.geometry.view(), Coding::kCompact);
    EXPECT_TRUE(test::same_bytes(alone.payload, recode(encoded.geometry.view(), Coding::kCompact, &pool).payload))
        << "whatever the threads";
    EXPECT_TRUE(test::same_bytes(encode(inputs, {}, "three").geometry.payload, alone.payload));
}

TEST(Compact, LevelsAreTakenAway) {
    EncodeOptions options;
    const TestMesh sphere = test::make_sphere(100, 120);
    const EncodedMeshes without = test::encode_one(sphere, options);
    options.levels = Levels::kOn;
    const EncodedMeshes with = test::encode_one(sphere, options);
    const Geometry finest = finest_level(with.geometry.view(), 0, 1);
    EXPECT_TRUE(test::same_bytes(finest.payload, without.geometry.payload));
    EXPECT_TRUE(test::same_bytes(finest.meshes, without.geometry.meshes));
}

// --- Random sublets

using LocalTriangles = std::vector<std::array<std::uint8_t, 3>>;

LocalTriangles random_triangles(Random& random, std::uint32_t kind, std::uint32_t& vertices) {
    const std::uint32_t count = 1 + random.below(kSubletSize);
    LocalTriangles triangles;
    const auto byte = [](std::uint32_t value) { return static_cast<std::uint8_t>(value); };
    switch (kind) {
        case 0:  // any, repeated and degenerate ones too
            vertices = 1 + random.below(kSubletSize);
            for (std::uint32_t i = 0; i < count; ++i) {
                triangles.push_back(
                    {byte(random.below(vertices)), byte(random.below(vertices)), byte(random.below(vertices))});
            }
            break;
        case 1:  // a fan
            vertices = std::min(count + 2, kSubletSize);
            for (std::uint32_t i = 0; i + 2 < vertices; ++i) triangles.push_back({0, byte(i + 1), byte(i + 2)});
            break;
        case 2:  // isolated ones
            vertices = 0;
            for (std::uint32_t i = 0; i < count && vertices + 3 <= kSubletSize; ++i, vertices += 3) {
                triangles.push_back({byte(vertices), byte(vertices + 1), byte(vertices + 2)});
            }
            break;
        case 3:  // a strip
            vertices = std::min(count + 2, kSubletSize);
            for (std::uint32_t i = 0; i + 2 < vertices; ++i) {
                triangles.push_back(i % 2 == 0 ? std::array{byte(i), byte(i + 1), byte(i + 2)}
                                               : std::array{byte(i + 1), byte(i), byte(i + 2)});
            }
            break;
        default: {  // part of a grid
            constexpr std::uint32_t kSide = 5;
            vertices = kSide * kSide;
            for (std::uint32_t i = 0; i < (kSide - 1) * (kSide - 1); ++i) {
                const std::uint32_t v = i / (kSide - 1) * kSide + i % (kSide - 1);
                triangles.push_back({byte(v), byte(v + 1), byte(v + kSide)});
                triangles.push_back({byte(v + 1), byte(v + kSide + 1), byte(v + kSide)});
            }
            while (triangles.size() > count) {
                triangles.erase(triangles.begin() + random.below(static_cast<std::uint32_t>(triangles.size())));
            }
        }
    }
    return triangles;
}

// A component: of one value, of few, of a narrow or the full range, or about linear in the position.
void random_component(Random& random, std::uint32_t vertices, const StreamLayout& layout, std::size_t c,
                      const std::array<GridPoint, kSubletSize>& positions,
                      std::array<Components, kSubletSize>& values) {
    const std::uint32_t size = 1U << layout.component_bits;
    const auto wrap = [&](std::int32_t value) {
        const std::uint32_t bits = static_cast<std::uint32_t>(value) & (size - 1);
        return layout.is_signed && bits >= size / 2 ? static_cast<std::int32_t>(bits) - static_cast<std::int32_t>(size)
                                                    : static_cast<std::int32_t>(bits);
    };
    const std::uint32_t kind = random.below(6);
    const auto base = static_cast<std::int32_t>(random.below(size));
    const auto a = static_cast<std::int32_t>(random.below(41)) - 20;
    const auto b = static_cast<std::int32_t>(random.below(41)) - 20;
    const std::uint32_t range = 1U << random.below(layout.component_bits + 1);
    for (std::uint32_t v = 0; v < vertices; ++v) {
        const auto noise = static_cast<std::int32_t>(random.below(range));
        const std::int32_t value = kind == 0   ? 0
                                   : kind == 1 ? base
                                   : kind == 2 ? base + (noise & 1) * 1000 + (noise & 2) * 77
                                   : kind == 3 ? base + noise
                                   : kind == 4 ? static_cast<std::int32_t>(random.below(size))
                                               : base + (a * positions[v][0] + b * positions[v][2]) / 8 + noise % 3;
        values[v][c] = wrap(value);
    }
}

DecodedSublet random_sublet(Random& random, const MeshHeader& header) {
    const std::uint32_t streams_present = header.streams_present;
    DecodedSublet sublet;
    std::uint32_t vertices = 0;
    const LocalTriangles triangles = random_triangles(random, random.below(5), vertices);
    sublet.triangle_count = static_cast<std::uint32_t>(triangles.size());
    sublet.vertex_count = vertices;
    std::ranges::copy(triangles, sublet.triangles.begin());
    std::array<std::uint32_t, kSubletSize> order{};
    std::iota(order.begin(), order.end(), 0U);
    if (random.below(4) != 0) {
        const LocalTriangles& t = triangles;
        const bool proper =
            std::ranges::all_of(t, [](const auto& c) { return c[0] != c[1] && c[1] != c[2] && c[2] != c[0]; });
        if (proper) {
            order_as_strips(std::span(sublet.triangles).first(sublet.triangle_count), std::span(order).first(vertices));
        }
    }
    std::array<Components, kSubletSize> values{};
    for (std::size_t c = 0; c < 3; ++c) {
        random_component(random, vertices, {3, header.position_bits, true, false}, c, sublet.positions, values);
        for (std::uint32_t v = 0; v < vertices; ++v) sublet.positions[v][c] = values[v][c];
    }
    for (std::uint32_t type = shared::kStreamNormalTangent; type < shared::kStreamTypes; ++type) {
        if (!has_stream(type, streams_present)) continue;
        const StreamLayout layout = stream_layout(type, streams_present);
        values = {};
        for (std::size_t c = 0; c < layout.components; ++c) {
            random_component(random, vertices, layout, c, sublet.positions, values);
        }
        for (std::uint32_t v = 0; v < vertices; ++v) {
            components_to_words(values[v], layout,
                                sublet.attributes[v].data() + attribute_offset(type, streams_present));
        }
    }
    return sublet;
}

// Gives a sublet vertices of another, so that they are shared.
void share_vertices(Random& random, const DecodedSublet& from, DecodedSublet& to) {
    for (std::uint32_t v = 0; v < to.vertex_count; ++v) {
        if (random.below(3) == 0) continue;
        const std::uint32_t other = random.below(from.vertex_count);
        to.positions[v] = from.positions[other];
        to.attributes[v] = from.attributes[other];
    }
}

TEST(Compact, RandomSubletsComeBack) {
    Random random(12);
    constexpr std::uint32_t kSublets = 100'000 / sublet::test::kSanitizerDivisor;
    constexpr std::array<std::uint32_t, 8> kPresent = {
        0x3,  0x7,   0x7 | shared::kHasTangentBit,  0xf, 0x2f | shared::kHasTangentBit,
        0x4b, 0x1bf, 0x7cf | shared::kHasTangentBit};
    for (std::uint32_t done = 0; done < kSublets;) {
        MeshHeader header{};
        header.streams_present = kPresent[random.below(kPresent.size())];
        header.stream_count = stream_count(header.streams_present);
        header.position_bits = random.below(2) == 0 ? 16 : 17 + random.below(5);
        header.attribute_stride = attribute_stride(header);
        std::vector<DecodedSublet> sublets(1 + random.below(60));
        for (std::size_t s = 0; s < sublets.size(); ++s) {
            sublets[s] = random_sublet(random, header);
            if (s > 0 && random.below(2) == 0) {
                share_vertices(random,
                               sublets[s - 1 - random.below(static_cast<std::uint32_t>(std::min<std::size_t>(s, 8)))],
                               sublets[s]);
            }
        }
        header.sublet_count = static_cast<std::uint32_t>(sublets.size());
        expect_round_trip(header, sublets);
        if (HasFailure()) return;
        done += header.sublet_count;
    }
}

// Of kilometres of terrain, say: more bits than the plain coding has, with levels of detail and without.
TEST(Compact, PositionsMayHave21Bits) {
    TestMesh terrain = test::make_plane(60);
    for (auto& p : terrain.positions) p = {8192.0F * p[0], 8192.0F * p[1], 300.0F * std::sin(40.0F * p[0] * p[1])};
    EncodeOptions options;
    for (const Levels levels : {Levels::kOff, Levels::kOn}) {
        options.levels = levels;
        double before = 1.0;  // the largest error
        for (int bits = 16; bits <= kMostPositionBits; ++bits) {
            options.position_bits = bits;
            const EncodedMeshes encoded = test::encode_one(terrain, options);
            const GeometryView view = encoded.geometry.view();
            const MeshHeader& header = view.meshes[0];
            EXPECT_EQ(header.position_bits, static_cast<std::uint32_t>(bits));
            EXPECT_EQ(header.attribute_stride, bits > 16 ? 1U : 0U);
            EXPECT_EQ(header.coarse_meshlets > 0, levels == Levels::kOn);
            EXPECT_LT(encoded.stats.error.position_max, 0.6 * before) << bits;
            before = encoded.stats.error.position_max;
            EXPECT_TRUE(shorten(mesh_view(view, 0))) << "bounds are short";
            if (levels == Levels::kOff) {
                EXPECT_EQ(test::decoded_triangles(mesh_view(view, 0)), test::expected_triangles(terrain, header));
            } else {
                options.levels = Levels::kOff;
                const Geometry finest = finest_level(view, 0, 1);
                EXPECT_TRUE(test::same_bytes(finest.payload, test::encode_one(terrain, options).geometry.payload));
                options.levels = Levels::kOn;
            }
            const Result<Geometry> plain = try_recode(view, Coding::kPlain);
            ASSERT_EQ(static_cast<bool>(plain), bits == 16);
            if (bits == 16) continue;
            EXPECT_EQ(plain.failure().line(), "geometry: meshes[0].position_bits: " + std::to_string(bits) +
                                                  ": the plain coding holds at most 16");
            Geometry narrow = encoded.geometry;
            narrow.meshes[0].position_bits = 16;
            narrow.meshes[0].attribute_stride = 1;
            EXPECT_THROW(validate(narrow.view(), "narrow"), Error) << "it has positions of more";
        }
    }
}

TEST(Compact, FlippedBitsAreRefusedOrDecodeWithinTheSublet) {
    Random random(14);
    TestMesh mesh = test::make_sphere(24, 24);
    mesh.normals = {};
    add_attributes(mesh, Style::kSkinned, random, true);
    EncodeOptions options;
    options.style = Style::kSkinned;
    const EncodedMeshes encoded = test::encode_one(mesh, options);
    const MeshView view = mesh_view(encoded.geometry.view(), 0);
    const std::vector<std::uint32_t> right = words_of(*view.header, sublets_of(view));
    ASSERT_FALSE(find_compact_fault(*view.header, right));
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
        std::vector<std::uint32_t> words = right;
        for (std::uint32_t flips = 1 + random.below(3); flips > 0; --flips) {
            words[random.below(static_cast<std::uint32_t>(words.size()))] ^= 1U << random.below(32);
        }
        if (random.below(20) == 0) words.resize(random.below(static_cast<std::uint32_t>(words.size())));
        if (find_compact_fault(*view.header, words)) {
            ++refused;
            continue;
        }
        for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
            const DecodedSublet sublet = decode_compact(*view.header, words, s);
            ASSERT_LE(sublet.triangle_count, kSubletSize);
            for (std::uint32_t t = 0; t < sublet.triangle_count; ++t) {
                for (const std::uint8_t v : sublet.triangles[t]) ASSERT_LT(v, sublet.vertex_count);
            }
        }
    }
    EXPECT_GT(refused, 30);
}

// --- Strips

using CornerNumbers = std::array<std::uint32_t, 3>;

CornerNumbers from_least(CornerNumbers corners) {
    std::rotate(corners.begin(), std::ranges::min_element(corners), corners.end());
    return corners;
}

TEST(Strips, KeepTrianglesAndTheirWinding) {
    Random random(13);
    for (int i = 0; i < 20'000; ++i) {
        std::uint32_t vertices = 0;
        LocalTriangles triangles = random_triangles(random, random.below(5), vertices);
        std::erase_if(triangles, [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
        if (triangles.empty()) continue;
        std::map<CornerNumbers, int> before;
        for (const auto& t : triangles) ++before[from_least({t[0], t[1], t[2]})];
        std::vector<std::uint32_t> order(vertices);
        std::iota(order.begin(), order.end(), 0U);
        order_as_strips(triangles, order);
        std::map<CornerNumbers, int> after;
        std::uint32_t used = 0;
        for (const auto& t : triangles) {
            ++after[from_least({order[t[0]], order[t[1]], order[t[2]]})];
            const auto most = static_cast<std::uint32_t>(*std::ranges::max_element(t));
            ASSERT_LE(most, used + 2) << "vertices have the order of their first use";
            used = std::max(used, most + 1);
        }
        ASSERT_EQ(before, after);
    }
}

TEST(Strips, AStripStaysOne) {
    std::vector<LocalTriangle> triangles;
    for (std::uint8_t i = 0; i < 30; ++i) {
        const auto next = static_cast<std::uint8_t>(i + 1);
        const auto last = static_cast<std::uint8_t>(i + 2);
        triangles.push_back(i % 2 == 0 ? LocalTriangle{i, next, last} : LocalTriangle{next, i, last});
    }
    std::ranges::reverse(triangles);
    std::vector<std::uint32_t> vertices(32);
    std::iota(vertices.begin(), vertices.end(), 0U);
    order_as_strips(triangles, vertices);
    for (std::uint8_t i = 0; i < 30; ++i) EXPECT_EQ(triangles[i][0], i + 2) << "each adds a vertex, and is led by it";
}

}  // namespace
}  // namespace sublet::mesh
