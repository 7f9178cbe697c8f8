// Holds docs/FORMAT.md to the code: its worked example, and a decoder written from its text alone, by byte offsets.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "mesh/stream.h"
#include "mesh/view.h"
#include "older_files.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

std::string read_document() {
    std::ifstream file(SUBLET_FORMAT_MD);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string hex(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof(text), "`0x%08x`", value);
    return text;
}

TEST(FormatDocument, ItsWorkedExampleIsRight) {
    const std::string document = read_document();
    ASSERT_FALSE(document.empty()) << SUBLET_FORMAT_MD;
    std::vector<std::uint32_t> payload;
    const StreamHeader header = pack_stream(std::vector<Components>{{-5, 100, 7}, {2, 100, -1}, {10, 103, 0}},
                                            stream_layout(shared::kStreamPosition, 3), payload);
    ASSERT_EQ(payload.size(), 1U);
    for (const std::uint32_t word : {payload[0], header.base_value[0], header.base_value[1], header.bits}) {
        EXPECT_NE(document.find(hex(word)), std::string::npos) << hex(word) << " is not in the document";
    }
    EXPECT_NE(document.find(hex((0x820U | 0xc22U << 15U))), std::string::npos);
    EXPECT_NE(document.find(hex(primitive_bits({2, 4, 0, 0}))), std::string::npos);
}

// --- A decoder that knows nothing but the document. ---

using Bytes = std::vector<unsigned char>;

template <typename T>
Bytes bytes_of(const std::vector<T>& array) {
    Bytes bytes(array.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), array.data(), bytes.size());
    return bytes;
}

std::uint32_t u32(const Bytes& bytes, std::size_t offset) {
    return bytes.at(offset) | static_cast<std::uint32_t>(bytes.at(offset + 1)) << 8 |
           static_cast<std::uint32_t>(bytes.at(offset + 2)) << 16 |
           static_cast<std::uint32_t>(bytes.at(offset + 3)) << 24;
}

struct File {
    Bytes meshes, streams, payload;
};

struct Vertex {
    std::array<int, 3> position;
    std::vector<std::uint32_t> words;
};

struct Decoded {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<Vertex> vertices;
};

// Bit by bit, so that nothing is shared with the reader that loads two words.
std::uint32_t bits_at(const File& file, std::size_t first_word, std::size_t bit, std::uint32_t count) {
    std::uint32_t value = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t b = bit + i;
        value |= (u32(file.payload, (first_word + b / 32) * 4) >> (b % 32) & 1U) << i;
    }
    return value;
}

Decoded decode_by_document(const File& file, std::size_t mesh, std::uint32_t sublet) {
    const std::size_t header = mesh * 144;
    const std::uint32_t present = u32(file.meshes, header + 68);
    const std::uint32_t stream_count = u32(file.meshes, header + 72);
    const std::uint32_t first_stream = u32(file.meshes, header + 104);
    const std::uint32_t payload_offset = u32(file.meshes, header + 108);
    const auto stream_at = [&](std::uint32_t type) {
        return (first_stream + sublet * stream_count +
                static_cast<std::uint32_t>(std::popcount(present & ((1U << type) - 1)))) *
               std::size_t{16};
    };
    Decoded result;
    const std::size_t primitives = stream_at(0);
    const std::uint32_t counts = u32(file.streams, primitives + 8);
    for (std::uint32_t t = 0; t < (counts & 255U); ++t) {
        const std::size_t word = payload_offset + u32(file.streams, primitives + 12);
        result.triangles.push_back(
            {bits_at(file, word, t * 15, 5), bits_at(file, word, t * 15 + 5, 5), bits_at(file, word, t * 15 + 10, 5)});
    }
    result.vertices.resize(counts >> 8 & 255U);
    struct Type {
        std::uint32_t components, bits;
    };
    const Type types[] = {
        {0, 0},  {3, 16}, {(present >> 16 & 1U) != 0 ? 4U : 2U, 8}, {2, 16}, {4, 8}, {4, 8}, {2, 16}, {4, 16}, {3, 16},
        {4, 16}, {4, 16}};
    for (std::uint32_t type = 1; type < 11; ++type) {
        if ((present >> type & 1U) == 0) continue;
        const std::size_t stream = stream_at(type);
        const std::uint32_t bits = u32(file.streams, stream + 8);
        const std::size_t word = payload_offset + u32(file.streams, stream + 12);
        const std::uint32_t total = (bits & 31U) + (bits >> 5 & 31U) + (bits >> 10 & 31U) + (bits >> 15 & 31U);
        for (std::uint32_t v = 0; v < result.vertices.size(); ++v) {
            std::size_t at = std::size_t{v} * total;
            std::uint32_t components[4] = {};
            for (std::uint32_t i = 0; i < types[type].components; ++i) {
                const std::uint32_t width = bits >> (5 * i) & 31U;
                const std::uint32_t base = u32(file.streams, stream + i / 2 * 4) >> (i % 2 * 16) & 0xffffU;
                components[i] = (base + bits_at(file, word, at, width)) & 0xffffU;
                at += width;
            }
            Vertex& vertex = result.vertices[v];
            if (type == 1) {
                for (std::size_t i = 0; i < 3; ++i) {
                    vertex.position[i] = components[i] >= 0x8000U ? static_cast<int>(components[i]) - 0x10000
                                                                  : static_cast<int>(components[i]);
                }
                continue;
            }
            if (type == 2 && types[type].components == 4) {
                const std::uint32_t sign = bits >> 20 & 3U;
                if (sign < 2) components[3] = components[3] * 2 + sign;
            }
            const std::uint32_t mask = types[type].bits == 8 ? 0xffU : 0xffffU;
            std::uint32_t word_value = 0;
            std::uint32_t filled = 0;
            for (std::uint32_t i = 0; i < types[type].components; ++i) {
                word_value |= (components[i] & mask) << filled;
                filled += types[type].bits;
                if (filled == 32 || i + 1 == types[type].components) {
                    vertex.words.push_back(word_value);
                    word_value = 0;
                    filled = 0;
                }
            }
        }
    }
    return result;
}

TEST(FormatDocument, ADecoderWrittenFromItAgrees) {
    test::Random random(60);
    Geometry geometry;
    for (const Style style : {Style::kWireframe, Style::kTextured, Style::kSkinned}) {
        for (const bool varied : {true, false}) {
            test::TestMesh mesh = test::make_sphere(12, 20);
            mesh.normals.clear();
            add_attributes(mesh, style, random, varied);
            if (style == Style::kTextured && varied) mesh.tangents.clear();
            append(geometry, test::encode_plain(mesh).geometry.view());
        }
    }
    append(geometry, test::with_bone_weights(geometry.view()).view());
    const File file{bytes_of(geometry.meshes), bytes_of(geometry.streams), bytes_of(geometry.payload)};
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        const MeshView view = mesh_view(geometry.view(), m);
        for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
            const DecodedSublet expected = decode_sublet(view, s);
            const Decoded found = decode_by_document(file, m, s);
            ASSERT_EQ(found.triangles.size(), expected.triangle_count);
            ASSERT_EQ(found.vertices.size(), expected.vertex_count);
            for (std::size_t t = 0; t < found.triangles.size(); ++t) {
                for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(found.triangles[t][k], expected.triangles[t][k]);
            }
            for (std::size_t v = 0; v < found.vertices.size(); ++v) {
                for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(found.vertices[v].position[k], expected.positions[v][k]);
                ASSERT_EQ(found.vertices[v].words.size(), view.header->attribute_stride);
                for (std::size_t w = 0; w < found.vertices[v].words.size(); ++w) {
                    ASSERT_EQ(found.vertices[v].words[w], expected.attributes[v][w]) << "mesh " << m << ", word " << w;
                }
            }
        }
    }
}

// What targets add to the vertices of a sublet, by the document alone: targets, then attributes, then vertices.
std::vector<int> morphs_by_document(const Geometry& geometry, std::size_t record, std::uint32_t sublet,
                                    std::uint32_t vertices) {
    const Bytes records = bytes_of(geometry.morphs);
    const Bytes masks = bytes_of(geometry.morph_masks);
    const Bytes streams = bytes_of(geometry.morph_streams);
    const File file{{}, {}, bytes_of(geometry.morph_payload)};
    const std::uint32_t targets = u32(records, record * 48 + 4);
    const std::uint32_t attributes = u32(records, record * 48 + 8);
    const std::uint32_t payload = u32(records, record * 48 + 16);
    const std::uint32_t words = (targets + 31) / 32;
    std::vector<int> out;
    for (std::uint32_t t = 0; t < targets; ++t) {
        const std::size_t mask = (u32(records, record * 48 + 12) + sublet * words + t / 32) * std::size_t{8};
        const std::uint32_t bits = u32(masks, mask);
        const bool moves = (bits >> t % 32 & 1U) != 0;
        const auto before = static_cast<std::uint32_t>(std::popcount(bits & ((1U << t % 32) - 1)));
        std::size_t stream =
            (u32(masks, mask + 4) + before * static_cast<std::uint32_t>(std::popcount(attributes))) * std::size_t{16};
        for (std::uint32_t a = 0; a < 3; ++a) {
            if (!moves || (attributes >> a & 1U) == 0) {
                out.insert(out.end(), std::size_t{vertices} * 3, 0);
                continue;
            }
            const std::uint32_t widths = u32(streams, stream + 8);
            const std::size_t word = payload + u32(streams, stream + 12);
            std::size_t at = 0;
            for (std::uint32_t v = 0; v < vertices; ++v) {
                for (std::uint32_t i = 0; i < 3; ++i) {
                    const std::uint32_t width = widths >> (5 * i) & 31U;
                    const std::uint32_t base = u32(streams, stream + i / 2 * 4) >> (i % 2 * 16) & 0xffffU;
                    out.push_back(static_cast<std::int16_t>((base + bits_at(file, word, at, width)) & 0xffffU));
                    at += width;
                }
            }
            stream += 16;
        }
    }
    return out;
}

TEST(FormatDocument, ADecoderOfMorphTargetsWrittenFromItAgrees) {
    test::Random random(61);
    Geometry geometry;
    for (const std::size_t targets : {2U, 65U}) {
        test::TestMesh mesh = test::make_sphere(12, 20);
        mesh.morphs.resize(targets);
        for (std::size_t t = 0; t < targets; t += 3) {
            mesh.morphs[t].positions.resize(mesh.positions.size());
            if (targets > 2) mesh.morphs[t].normals.resize(mesh.positions.size());
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                if (random.below(10) != 0) continue;
                mesh.morphs[t].positions[v] = random.direction();
                if (targets > 2) mesh.morphs[t].normals[v] = random.direction();
            }
        }
        append(geometry, test::encode_plain(mesh).geometry.view());
    }
    for (std::uint32_t m = 0; m < 2; ++m) {
        const MeshView view = mesh_view(geometry.view(), m);
        for (std::uint32_t s = 0; s < view.header->sublet_count; ++s) {
            const std::uint32_t vertices = decode_sublet(view, s).vertex_count;
            std::vector<int> expected;
            for (std::uint32_t t = 0; t < view.morph->target_count; ++t) {
                const DecodedMorph morph = decode_morph(view, s, t).value_or(DecodedMorph{});
                const auto add = [&](const auto& values) {
                    for (std::uint32_t v = 0; v < vertices; ++v) {
                        expected.insert(expected.end(), values[v].begin(), values[v].end());
                    }
                };
                add(morph.positions);
                add(morph.normals);
                add(morph.tangents);
            }
            ASSERT_EQ(morphs_by_document(geometry, m, s, vertices), expected) << "mesh " << m << ", sublet " << s;
        }
    }
}

TEST(FormatDocument, ItsTableOfStreamsIsTheTable) {
    const std::string document = read_document();
    for (const StreamType& stream : kStreams) {
        const StreamLayout& layout = stream.layout;
        const std::string count = std::to_string(layout.components);
        const std::string bits = std::to_string(layout.component_bits);
        std::string components = count + (layout.is_signed ? " × i" : " × u") + bits;
        std::string words = std::to_string(layout.words()) + (layout.words() == 1 ? " word" : " words");
        if (stream.type == shared::kStreamPrimitive) components = count + " × " + bits + "-bit indices";
        if (stream.type == shared::kStreamPrimitive) words = "a triangle";
        if (stream.type == shared::kStreamPosition) words = "grid integers";
        if (stream.type == shared::kStreamNormalTangent) components = "2 or " + components;
        const std::string may = stream.style == shared::kStyleWireframe  ? " | always | always | "
                                : stream.style == shared::kStyleTextured ? " | may | may | "
                                                                         : " | | may | ";
        const std::string row =
            "| " + std::to_string(stream.type) + " | " + stream.name + " | " + components + may + words + " |";
        EXPECT_NE(document.find("\n" + row + "\n"), std::string::npos) << row;
    }
    const std::string beyond = "\n| " + std::to_string(shared::kStreamTypes) + " | ";
    const std::size_t table = document.find("| type | stream | components |");
    ASSERT_NE(table, std::string::npos);
    EXPECT_EQ(document.substr(table, document.find("\n\n", table) - table).find(beyond), std::string::npos);
}

TEST(FormatDocument, ItsOffsetsAreTheStructs) {
    const std::string document = read_document();
    const auto expect_row = [&](std::size_t offset, const char* type, const char* field) {
        const std::string row = "| " + std::to_string(offset) + " | " + type + " | " + field + " |";
        EXPECT_NE(document.find(row), std::string::npos) << row;
    };
    expect_row(offsetof(MeshHeader, sphere), "f32[4]", "sphere");
    expect_row(offsetof(MeshHeader, aabb_min), "f32[3]", "aabb_min");
    expect_row(offsetof(MeshHeader, aabb_min) + 12, "f32", "position_scale");
    expect_row(offsetof(MeshHeader, aabb_max), "f32[3]", "aabb_max");
    expect_row(offsetof(MeshHeader, aabb_max) + 12, "f32", "uv_scale");
    expect_row(offsetof(MeshHeader, origin), "f32[3]", "origin");
#define SUBLET_EXPECT_FIELD(field) expect_row(offsetof(MeshHeader, field), "u32", #field)
    SUBLET_EXPECT_FIELD(style);
    SUBLET_EXPECT_FIELD(streams_present);
    SUBLET_EXPECT_FIELD(stream_count);
    SUBLET_EXPECT_FIELD(attribute_stride);
    SUBLET_EXPECT_FIELD(sublet_count);
    SUBLET_EXPECT_FIELD(meshlet_count);
    SUBLET_EXPECT_FIELD(triangle_count);
    SUBLET_EXPECT_FIELD(vertex_count);
    SUBLET_EXPECT_FIELD(first_sublet);
    SUBLET_EXPECT_FIELD(first_meshlet);
    SUBLET_EXPECT_FIELD(first_stream);
    SUBLET_EXPECT_FIELD(payload_offset);
    SUBLET_EXPECT_FIELD(payload_size);
    SUBLET_EXPECT_FIELD(position_bits);
    SUBLET_EXPECT_FIELD(first_vertex);
    SUBLET_EXPECT_FIELD(first_triangle);
    SUBLET_EXPECT_FIELD(first_attribute);
    SUBLET_EXPECT_FIELD(coarse_meshlets);
#undef SUBLET_EXPECT_FIELD
    expect_row(offsetof(MeshHeader, position_exponent), "i32", "position_exponent");
    expect_row(offsetof(MeshHeader, uv_exponent), "i32", "uv_exponent");
    expect_row(offsetof(Bound, cone), "f32[3]", "axis");
    expect_row(offsetof(Bound, cone) + 12, "f32", "cutoff");
    expect_row(offsetof(StreamHeader, base_value), "u32", "base_value[0]");
    expect_row(offsetof(StreamHeader, bits), "u32", "bits");
    expect_row(offsetof(StreamHeader, offset_in_words), "u32", "offset_in_words");
    expect_row(offsetof(MorphMesh, mesh), "u32", "mesh");
    expect_row(offsetof(MorphMesh, target_count), "u32", "target_count");
    expect_row(offsetof(MorphMesh, attributes), "u32", "attributes");
    expect_row(offsetof(MorphMesh, first_mask), "u32", "first_mask");
    expect_row(offsetof(MorphMesh, payload_offset), "u32", "payload_offset");
    expect_row(offsetof(MorphMesh, payload_size), "u32", "payload_size");
    expect_row(offsetof(MorphMesh, exponents), "i32[3]", "exponents");
    expect_row(offsetof(MorphMesh, place_bits), "u32", "place_bits");
    expect_row(offsetof(MorphMesh, reserved), "u32[2]", "reserved");
    expect_row(offsetof(LodGroup, sphere), "f32[4]", "sphere");
    expect_row(offsetof(LodGroup, error), "f32", "error");
    expect_row(offsetof(LodGroup, level), "u32", "level");
    expect_row(offsetof(LodGroup, reserved), "u32[2]", "reserved");
    expect_row(offsetof(LodMeshlet, group), "u32", "group");
    expect_row(offsetof(LodMeshlet, simplified_from), "u32", "simplified_from");
    expect_row(offsetof(MorphMask, targets), "u32", "targets");
    expect_row(offsetof(MorphMask, first_stream), "u32", "first_stream");
}

}  // namespace
}  // namespace sublet::mesh
