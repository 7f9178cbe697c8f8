#include "test_meshes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/encode.h"
#include "mesh/grid.h"
#include "mesh/vertices.h"
#include "mesh/view.h"

namespace sublet::mesh::test {
namespace {

std::uint32_t halves(std::int32_t low, std::int32_t high) {
    return (static_cast<std::uint32_t>(low) & 0xffffU) | static_cast<std::uint32_t>(high) << 16U;
}

TriangleWords canonical(TriangleWords t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
}

// By Lagrange's identity rather than the encoder's cross product; 128 bits hold it exactly.
__extension__ using Int128 = __int128;

bool has_area(const TriangleWords& t) {
    std::array<std::array<std::int64_t, 3>, 3> p{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) p[i][k] = static_cast<std::int32_t>(t[i][k]);
    }
    Int128 uu = 0;
    Int128 vv = 0;
    Int128 uv = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Int128 u = p[1][i] - p[0][i];
        const Int128 v = p[2][i] - p[0][i];
        uu += u * u;
        vv += v * v;
        uv += u * v;
    }
    return uu * vv != uv * uv;
}

}  // namespace

std::array<float, 3> Random::direction() {
    for (;;) {
        const std::array<float, 3> v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        const float squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (squared > 1.0F || squared < 0.01F) continue;
        const float length = std::sqrt(squared);
        return {v[0] / length, v[1] / length, v[2] / length};
    }
}

TestMesh make_sphere(std::uint32_t rings, std::uint32_t segments) {
    TestMesh mesh;
    const auto point = [](double theta, double phi) {
        return std::array<float, 3>{static_cast<float>(std::sin(theta) * std::cos(phi)),
                                    static_cast<float>(std::cos(theta)),
                                    static_cast<float>(-std::sin(theta) * std::sin(phi))};
    };
    mesh.positions.push_back({0, 1, 0});
    for (std::uint32_t r = 1; r < rings; ++r) {
        for (std::uint32_t s = 0; s < segments; ++s) {
            mesh.positions.push_back(point(std::numbers::pi * r / rings, 2 * std::numbers::pi * s / segments));
        }
    }
    mesh.positions.push_back({0, -1, 0});
    const auto id = [&](std::uint32_t r, std::uint32_t s) {
        if (r == 0) return 0U;
        if (r == rings) return static_cast<std::uint32_t>(mesh.positions.size() - 1);
        return 1 + (r - 1) * segments + s % segments;
    };
    for (std::uint32_t r = 0; r < rings; ++r) {
        for (std::uint32_t s = 0; s < segments; ++s) {
            if (r + 1 < rings) mesh.indices.insert(mesh.indices.end(), {id(r, s), id(r + 1, s), id(r + 1, s + 1)});
            if (r > 0) mesh.indices.insert(mesh.indices.end(), {id(r, s), id(r + 1, s + 1), id(r, s + 1)});
        }
    }
    mesh.normals = mesh.positions;
    return mesh;
}

TestMesh make_plane(std::uint32_t n) {
    TestMesh mesh;
    for (std::uint32_t y = 0; y <= n; ++y) {
        for (std::uint32_t x = 0; x <= n; ++x) {
            mesh.positions.push_back(
                {static_cast<float>(x) / static_cast<float>(n), static_cast<float>(y) / static_cast<float>(n), 0});
        }
    }
    for (std::uint32_t y = 0; y < n; ++y) {
        for (std::uint32_t x = 0; x < n; ++x) {
            const std::uint32_t i = y * (n + 1) + x;
            mesh.indices.insert(mesh.indices.end(), {i, i + 1, i + n + 2, i, i + n + 2, i + n + 1});
        }
    }
    return mesh;
}

TestMesh make_soup(Random& random, std::uint32_t triangles) {
    TestMesh mesh;
    const std::uint32_t vertices = 3 + random.below(triangles + 1);
    for (std::uint32_t i = 0; i < vertices; ++i) {
        mesh.positions.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    }
    while (mesh.indices.size() < std::size_t{triangles} * 3) {
        const auto kind = random.below(20);
        if (kind == 0) {  // degenerate
            const std::uint32_t a = random.below(vertices);
            mesh.indices.insert(mesh.indices.end(), {a, a, random.below(vertices)});
        } else if (kind == 1 && !mesh.indices.empty()) {  // an earlier one again, rotated, or turned over
            const std::size_t t = random.below(static_cast<std::uint32_t>(mesh.indices.size() / 3)) * std::size_t{3};
            const std::array<std::uint32_t, 3> old{mesh.indices[t], mesh.indices[t + 1], mesh.indices[t + 2]};
            if (random.below(2) == 0) {
                mesh.indices.insert(mesh.indices.end(), {old[1], old[2], old[0]});
            } else {
                mesh.indices.insert(mesh.indices.end(), {old[1], old[0], old[2]});
            }
        } else {  // neighbours by number, so that sublets share vertices
            const std::uint32_t a = random.below(vertices);
            mesh.indices.insert(mesh.indices.end(),
                                {a, (a + 1 + random.below(8)) % vertices, (a + 1 + random.below(8)) % vertices});
        }
    }
    return mesh;
}

void add_attributes(TestMesh& mesh, Style style, Random& random, bool varied) {
    if (style == Style::kWireframe) return;
    const std::size_t count = mesh.positions.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0 && !varied) {
            mesh.normals.push_back(mesh.normals.back());
            mesh.tangents.push_back(mesh.tangents.back());
            mesh.uv0.push_back(mesh.uv0.back());
            mesh.uv1.push_back(mesh.uv1.back());
            mesh.colors.push_back(mesh.colors.back());
        } else {
            mesh.normals.push_back(random.direction());
            const std::array<float, 3> t = random.direction();
            mesh.tangents.push_back({t[0], t[1], t[2], random.below(2) == 0 ? -1.0F : 1.0F});
            mesh.uv0.push_back({random.uniform(0, 1), random.uniform(0, 1)});
            mesh.uv1.push_back({random.uniform(-3, 5), random.uniform(-3, 5)});
            mesh.colors.push_back(
                {random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)});
        }
        if (style != Style::kSkinned) continue;
        if (i > 0 && !varied) {
            mesh.joints.push_back(mesh.joints.back());
            mesh.weights.push_back(mesh.weights.back());
            mesh.joints1.push_back(mesh.joints1.back());
            mesh.weights1.push_back(mesh.weights1.back());
        } else {
            const auto joint = [&] { return static_cast<std::uint16_t>(random.below(65536)); };
            const auto weight = [&] { return random.uniform(0, 1); };
            mesh.joints.push_back({joint(), joint(), joint(), joint()});
            mesh.weights.push_back({weight(), weight(), weight(), weight()});
            mesh.joints1.push_back({joint(), joint(), joint(), joint()});
            mesh.weights1.push_back({weight(), weight(), weight(), weight()});
        }
    }
}

TestMesh make_small_skinned() {
    Random random(39);
    TestMesh mesh = make_plane(5);
    add_attributes(mesh, Style::kSkinned, random, true);
    mesh.joints1.clear();
    mesh.weights1.clear();
    return mesh;
}

EncodedMeshes encode_one(const TestMesh& mesh, const EncodeOptions& options, ThreadPool* pool) {
    const MeshInput input = mesh.view();
    EncodedMeshes encoded = encode({&input, 1}, options, "test", pool);
    validate(encoded.geometry.view(), "test", pool);
    return encoded;
}

EncodedMeshes encode_plain(const TestMesh& mesh, EncodeOptions options, ThreadPool* pool) {
    options.coding = Coding::kPlain;
    return encode_one(mesh, options, pool);
}

TriangleCounts decoded_triangles(const MeshView& mesh) {
    TriangleCounts triangles;
    for (std::uint32_t s = 0; s < mesh.header->sublet_count; ++s) {
        const DecodedSublet sublet = decode_sublet(mesh, s);
        for (std::uint32_t t = 0; t < sublet.triangle_count; ++t) {
            TriangleWords triangle;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint8_t v = sublet.triangles[t][k];
                const GridPoint& p = sublet.positions[v];
                triangle[k] = {p.begin(), p.end()};
                for (std::uint32_t w = 0; w < attribute_stride(mesh.header->streams_present); ++w) {
                    triangle[k].push_back(sublet.attributes[v][w]);
                }
            }
            ++triangles[canonical(triangle)];
        }
    }
    return triangles;
}

TriangleCounts expected_triangles(const TestMesh& source, const MeshHeader& header) {
    PositionGrid grid;
    grid.exponent = header.position_exponent;
    grid.scale = std::ldexp(1.0F, header.position_exponent);
    grid.origin = {header.origin.x, header.origin.y, header.origin.z};
    UvGrid uv_grid;
    uv_grid.exponent = header.uv_exponent;
    uv_grid.scale = std::ldexp(1.0F, header.uv_exponent);
    const auto has = [&](std::uint32_t type) { return (header.streams_present >> type & 1U) != 0; };
    const auto vertex = [&](std::uint32_t i) {
        const GridPoint q = grid.quantize(source.positions[i]);
        VertexWords words(q.begin(), q.end());
        if (has(shared::kStreamNormalTangent)) {
            words.push_back(source.tangents.empty() ? quantize_normal(source.normals[i])
                                                    : quantize_normal_tangent(source.normals[i], source.tangents[i]));
        }
        const auto uv = [&](const std::array<float, 2>& value) {
            words.push_back(halves(uv_grid.quantize(value[0]), uv_grid.quantize(value[1])));
        };
        if (has(shared::kStreamUv)) uv(source.uv0[i]);
        if (has(shared::kStreamColor)) words.push_back(quantize_unorm8(source.colors[i]));
        if (has(shared::kStreamUv1)) uv(source.uv1[i]);
        if (!has(shared::kStreamBoneIndices)) return words;
        const auto& [joints, parts] = quantize_influences(source.view(), i);
        words.insert(words.end(), {halves(joints[0], joints[1]), halves(joints[2], joints[3])});
        words.insert(words.end(), {halves(parts[1], parts[2]), halves(parts[3], 0)});
        if (has(shared::kStreamJointIndices1)) {
            words.insert(words.end(), {halves(joints[4], joints[5]), halves(joints[6], joints[7])});
            words.insert(words.end(), {halves(parts[4], parts[5]), halves(parts[6], parts[7])});
        }
        return words;
    };
    TriangleCounts triangles;
    for (std::size_t t = 0; t < source.indices.size(); t += 3) {
        const TriangleWords words{vertex(source.indices[t]), vertex(source.indices[t + 1]),
                                  vertex(source.indices[t + 2])};
        if (has_area(words)) triangles[canonical(words)] = 1;
    }
    return triangles;
}

}  // namespace sublet::mesh::test
