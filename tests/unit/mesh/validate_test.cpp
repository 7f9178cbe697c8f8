#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>

#include "base/error.h"
#include "mesh/stream.h"
#include "mesh/view.h"
#include "older_files.h"
#include "test_meshes.h"
#include "tests/unit/sanitizer.h"

namespace sublet::mesh {
namespace {

using test::Random;

// Three plain meshes: one that eight joints a vertex deform, as files of before have it, and a wireframe.
Geometry make_geometry() {
    Random random(40);
    test::TestMesh a = test::make_sphere(8, 16);
    a.normals.clear();
    add_attributes(a, Style::kSkinned, random, true);
    const test::TestMesh b = test::make_plane(5);
    Geometry geometry = test::encode_plain(a).geometry;
    append(geometry, test::with_bone_weights(test::encode_plain(test::make_small_skinned()).geometry.view()).view());
    append(geometry, test::encode_plain(b).geometry.view());
    validate(geometry.view(), "geometry");
    return geometry;
}

// Copies of the arrays that end where their memory ends, so that the address sanitizer sees a read past any of them.
struct Tight {
    explicit Tight(const Geometry& g)
        : meshes(g.meshes.begin(), g.meshes.end()),
          streams(g.streams.begin(), g.streams.end()),
          payload(g.payload.begin(), g.payload.end()) {
        meshes.shrink_to_fit();
        streams.shrink_to_fit();
        payload.shrink_to_fit();
    }
    std::vector<MeshHeader> meshes;
    std::vector<StreamHeader> streams;
    std::vector<std::uint32_t> payload;
};

// True when rejected. What passes must decode: every index within its sublet, every position finite, nothing read
// outside.
bool rejected(const Geometry& geometry) {
    const Tight tight(geometry);
    GeometryView view = geometry.view();
    view.meshes = tight.meshes;
    view.streams = tight.streams;
    view.payload = tight.payload;
    try {
        validate(view, "corrupt.sublet");
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.rfind("corrupt.sublet: ", 0), 0U) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos);
        return true;
    }
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        const MeshView mesh = mesh_view(view, m);
        for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
            const DecodedSublet sublet = decode_sublet(mesh, s);
            EXPECT_LE(sublet.vertex_count, 32U);
            EXPECT_LE(sublet.triangle_count, 32U);
            for (std::uint32_t t = 0; t < sublet.triangle_count; ++t) {
                for (const std::uint8_t index : sublet.triangles[t]) EXPECT_LT(index, sublet.vertex_count);
            }
        }
        const MeshArrays decoded = decode(mesh);
        EXPECT_EQ(decoded.indices.size(), std::size_t{mesh.header->triangle_count} * 3);
        for (const auto& p : decoded.positions)
            EXPECT_TRUE(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]));
        for (std::size_t v = 0; v < decoded.weights.size() && deforms(*mesh.header); ++v) {
            float sum = 0;
            for (const float w : decoded.weights[v]) sum += w;
            for (const float w : decoded.weights1.empty() ? std::array<float, 4>{} : decoded.weights1[v]) sum += w;
            EXPECT_NEAR(sum, 1.0F, 1e-5F);
            EXPECT_TRUE(decoded.weights[v][0] >= 0.0F && decoded.weights[v][0] <= 1.0F);
        }
        for (const auto& uv : decoded.uv0) EXPECT_TRUE(std::isfinite(uv[0]) && std::isfinite(uv[1]));
        for (const auto& uv : decoded.uv1) EXPECT_TRUE(std::isfinite(uv[0]) && std::isfinite(uv[1]));
    }
    return false;
}

// Every bit of every word of an array flipped in turn, and extreme values put in its place.
template <typename T>
void corrupt_each_word(std::vector<T> Geometry::*array, std::size_t step,
                       const std::function<void(std::size_t, bool)>& report) {
    const Geometry good = make_geometry();
    Geometry bad = good;
    const std::size_t words = (good.*array).size() * sizeof(T) / 4;
    for (std::size_t w = 0; w < words; w += step) {
        auto* bytes = reinterpret_cast<unsigned char*>((bad.*array).data()) + w * 4;
        std::uint32_t value = 0;
        std::memcpy(&value, bytes, 4);
        const auto try_value = [&](std::uint32_t corrupt) {
            if (corrupt == value) return;
            std::memcpy(bytes, &corrupt, 4);
            report(w, rejected(bad));
        };
        for (std::uint32_t bit = 0; bit < 32; ++bit) try_value(value ^ 1U << bit);
        for (const std::uint32_t extreme : {0U, 1U, value + 1, value - 1, 0x7fffffffU, 0x80000000U, 0xffffffffU,
                                            0x7fc00000U, 0x7f800000U, 0xff7fffffU}) {
            try_value(extreme);
        }
        std::memcpy(bytes, &value, 4);
    }
}

TEST(Validate, EveryFieldOfAMeshHeaderIsCheckedOrHarmless) {
    constexpr std::size_t kWords = sizeof(MeshHeader) / 4;
    std::vector<int> accepted(kWords);
    corrupt_each_word(&Geometry::meshes, 1,
                      [&](std::size_t word, bool was_rejected) { accepted[word % kWords] += was_rejected ? 0 : 1; });
    // Spheres, boxes and the origin may move, and a position may claim other bits or a richer style; all else is fixed.
    for (std::size_t word = 16; word < kWords; ++word) {
        if (word == offsetof(MeshHeader, style) / 4 || word == offsetof(MeshHeader, position_bits) / 4) continue;
        EXPECT_EQ(accepted[word], 0) << "word " << word << " of the header can be changed unnoticed";
    }
    EXPECT_EQ(accepted[offsetof(MeshHeader, aabb_min) / 4 + 3], 0) << "position_scale is tied to its exponent";
    EXPECT_EQ(accepted[offsetof(MeshHeader, aabb_max) / 4 + 3], 0) << "uv_scale is tied to its exponent";
}

TEST(Validate, EveryStreamHeaderIsCheckedOrHarmless) {
    int accepted = 0;
    int refused = 0;
    corrupt_each_word(&Geometry::streams, 1,
                      [&](std::size_t, bool was_rejected) { ++(was_rejected ? refused : accepted); });
    EXPECT_GT(refused, 1000);
    EXPECT_GT(accepted, 0) << "bases and small widths may be anything";
}

TEST(Validate, PayloadIsCheckedOrHarmless) {
    int refused = 0;
    constexpr std::size_t kStep = 2 * sublet::test::kSanitizerDivisor + 1;  // odd: words of every place have their turn
    corrupt_each_word(&Geometry::payload, kStep,
                      [&](std::size_t, bool was_rejected) { refused += was_rejected ? 1 : 0; });
    EXPECT_GT(refused, 0) << "no vertex index was ever out of range";
}

TEST(Validate, BoundsAreFinite) {
    Geometry geometry = make_geometry();
    for (std::size_t i = 0; i < 8; ++i) {
        for (const float value : {NAN, INFINITY, -INFINITY}) {
            for (auto array : {&Geometry::sublet_bounds, &Geometry::meshlet_bounds}) {
                Geometry bad = geometry;
                auto* floats = reinterpret_cast<unsigned char*>((bad.*array).data() + (bad.*array).size() - 1);
                std::memcpy(floats + i * 4, &value, 4);
                EXPECT_TRUE(rejected(bad)) << "float " << i;
            }
        }
    }
}

TEST(Validate, ArraysThatAreShorterOrLongerThanTheMeshesSay) {
    const Geometry good = make_geometry();
    const auto resized = [&](auto array, std::size_t size) {
        Geometry bad = good;
        (bad.*array).resize(size);
        return rejected(bad);
    };
    const auto each_size = [&](auto array) {
        const std::size_t size = (good.*array).size();
        for (const std::size_t other : {std::size_t{0}, std::size_t{1}, size / 2, size - 1, size + 1}) {
            EXPECT_TRUE(resized(array, other)) << other << " of " << size;
        }
    };
    each_size(&Geometry::sublet_bounds);
    each_size(&Geometry::meshlet_bounds);
    each_size(&Geometry::streams);
    each_size(&Geometry::payload);
}

TEST(Validate, RandomCorruptionNeverReadsOutside) {
    const Geometry good = make_geometry();
    Random random(41);
    for (int round = 0; round < 3000; ++round) {
        Geometry bad = good;
        for (std::uint32_t n = 1 + random.below(4); n-- > 0;) {
            const auto damage = [&](auto& array) {
                auto* bytes = reinterpret_cast<unsigned char*>(array.data());
                bytes[random.below(static_cast<std::uint32_t>(array.size() * sizeof(array[0])))] =
                    static_cast<unsigned char>(random.below(256));
            };
            switch (random.below(4)) {
                case 0:
                    damage(bad.meshes);
                    break;
                case 1:
                    damage(bad.payload);
                    break;
                default:
                    damage(bad.streams);
                    break;
            }
        }
        (void)rejected(bad);
    }
}

TEST(Validate, NamesTheFault) {
    Geometry bad = make_geometry();
    bad.streams[bad.meshes[0].stream_count * 2 + shared::kStreamPosition].bits |= 31U;
    try {
        validate(bad.view(), "x.sublet");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("x.sublet: meshes[0].sublets[2].position.bits: "), std::string::npos)
            << error.what();
    }
}

std::string error_of(const Geometry& geometry) {
    try {
        validate(geometry.view(), "x.sublet");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Validate, JointsComeWithWeightsOfOneKind) {
    Random random(42);
    test::TestMesh mesh = test::make_plane(1);
    add_attributes(mesh, Style::kSkinned, random, false);
    const Geometry good = test::encode_plain(mesh).geometry;
    const std::uint32_t all = good.meshes[0].streams_present;
    // Streams of equal values have no payload: headers may come and go. Those of types that stay keep their meaning.
    const auto with = [&](std::uint32_t add, std::uint32_t remove) {
        Geometry bad = good;
        MeshHeader& header = bad.meshes[0];
        header.streams_present = (all | add) & ~remove;
        header.stream_count = stream_count(header.streams_present);
        header.attribute_stride = attribute_stride(header.streams_present);
        StreamHeader empty{};
        empty.offset_in_words = 0;
        std::vector<StreamHeader> streams;
        for (std::uint32_t s = 0; s < header.sublet_count; ++s) {
            for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
                if (!has_stream(type, header.streams_present)) continue;
                const StreamHeader* const old = mesh_view(good.view(), 0).stream(s, type);
                streams.push_back(old != nullptr ? *old : empty);
            }
        }
        bad.streams = std::move(streams);
        return error_of(bad);
    };
    const auto bit = [](std::uint32_t type) { return 1U << type; };
    const std::uint32_t four = bit(shared::kStreamBoneIndices) | bit(shared::kStreamJointWeights);
    const std::uint32_t more = bit(shared::kStreamJointIndices1) | bit(shared::kStreamJointWeights1);
    const std::uint32_t posed = bit(shared::kStreamBoneWeights);
    EXPECT_EQ(with(0, 0), "");
    EXPECT_EQ(with(0, more), "");
    EXPECT_EQ(with(0, four | more), "");
    EXPECT_EQ(with(posed, more | bit(shared::kStreamJointWeights)), "");
    const auto expect = [&](const std::string& found, const char* what) {
        EXPECT_NE(found.find("x.sublet: meshes[0].streams_present: "), std::string::npos) << found;
        EXPECT_NE(found.find(what), std::string::npos) << found;
    };
    expect(with(posed, 0), "weights of two kinds");
    expect(with(posed, more), "weights of two kinds");
    expect(with(0, more | bit(shared::kStreamJointWeights)), "without the other");
    expect(with(0, more | bit(shared::kStreamBoneIndices)), "without the other");
    expect(with(0, bit(shared::kStreamJointIndices1)), "more joints without their weights");
    expect(with(0, bit(shared::kStreamJointWeights1)), "more joints without their weights");
    expect(with(0, four), "or without the first four");
    expect(with(posed, bit(shared::kStreamJointWeights)), "or without the first four");
}

TEST(Validate, WeightsOfAVertexAreNotMoreThanAll) {
    test::TestMesh mesh = test::make_plane(1);
    mesh.normals.assign(4, {0, 0, 1});
    mesh.joints.assign(4, {0, 1, 2, 3});
    mesh.weights.assign(4, {0.25F, 0.25F, 0.25F, 0.25F});
    Geometry bad = test::encode_plain(mesh).geometry;
    StreamHeader& weights = bad.streams[stream_rank(shared::kStreamJointWeights, bad.meshes[0].streams_present)];
    ASSERT_EQ(value_width(weights), 0U);
    const auto set = [&](std::uint32_t second, std::uint32_t third, std::uint32_t fourth) {
        weights.base_value[0] = second | third << 16U;
        weights.base_value[1] = fourth;
        return error_of(bad);
    };
    EXPECT_EQ(set(4095, 0, 0), "");
    EXPECT_EQ(set(1365, 1365, 1365), "");
    EXPECT_EQ(decode(mesh_view(bad.view(), 0)).weights[0][0], 0.0F);
    EXPECT_EQ(set(1365, 1365, 1366),
              "x.sublet: meshes[0].sublets[0].joint_weights.values: 4096: the weights of a vertex are more than 4095");
    EXPECT_NE(set(0xffff, 1, 0), "");
    EXPECT_NE(set(0xffff, 0xffff, 0xffff), "");
}

TEST(Validate, OlderFilesKeepTheirBytesOfWeights) {
    const test::TestMesh mesh = test::make_small_skinned();
    const EncodedMeshes encoded = test::encode_plain(mesh);
    const Geometry older = test::with_bone_weights(encoded.geometry.view());
    const MeshView view = mesh_view(older.view(), 0);
    EXPECT_FALSE(deforms(*view.header));
    EXPECT_EQ(view.stream(0, shared::kStreamJointWeights), nullptr);
    EXPECT_NE(view.stream(0, shared::kStreamBoneWeights), nullptr);
    const MeshArrays decoded = decode(view);
    const MeshArrays expected = decode(mesh_view(encoded.geometry.view(), 0));
    ASSERT_EQ(decoded.positions, expected.positions);
    EXPECT_EQ(decoded.indices, expected.indices);
    EXPECT_EQ(decoded.colors, expected.colors);
    EXPECT_EQ(decoded.uv1, expected.uv1);
    ASSERT_EQ(decoded.weights.size(), expected.weights.size());
    EXPECT_TRUE(decoded.joints1.empty() && decoded.weights1.empty());
    for (std::size_t v = 0; v < decoded.weights.size(); ++v) {
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_NEAR(decoded.weights[v][k], expected.weights[v][k], 4.0F / 255.0F);
            if (expected.weights[v][k] == 0.0F) continue;
            EXPECT_EQ(decoded.joints[v][k], expected.joints[v][k]);
        }
    }
}

}  // namespace
}  // namespace sublet::mesh
