#include "draco_files.h"

#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>

#include <cmath>
#include <memory>
#include <stdexcept>

namespace sublet::scene::testing {
namespace {

void add_attribute(draco::Mesh& mesh, draco::GeometryAttribute::Type type, draco::DataType data_type, int components,
                   int id, const void* values) {
    draco::GeometryAttribute attribute;
    const std::int64_t stride = std::int64_t{components} * draco::DataTypeLength(data_type);
    attribute.Init(type, nullptr, static_cast<std::uint8_t>(components), data_type, data_type == draco::DT_UINT8,
                   stride, 0);
    const int at = mesh.AddAttribute(attribute, true, mesh.num_points());
    mesh.attribute(at)->set_unique_id(static_cast<std::uint32_t>(id));
    const auto* const bytes = static_cast<const std::uint8_t*>(values);
    for (std::uint32_t i = 0; i < mesh.num_points(); ++i) {
        mesh.attribute(at)->SetAttributeValue(draco::AttributeValueIndex(i), bytes + i * stride);
    }
}

}  // namespace

SourceMesh wavy_patch(int n) {
    SourceMesh mesh;
    for (int y = 0; y <= n; ++y) {
        for (int x = 0; x <= n; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(n);
            const float v = static_cast<float>(y) / static_cast<float>(n);
            mesh.positions.push_back({u, v, 0.25F * std::sin(5.0F * u * v)});
            mesh.normals.push_back({0, 0, 1});
            mesh.uv0.push_back({u, 1 - v});
            mesh.colors.push_back({static_cast<float>(x % 2), u < 0.5F ? 0.0F : 1.0F, 1, 1});
        }
    }
    const auto stride = static_cast<std::uint32_t>(n + 1);
    for (std::uint32_t y = 0; y + 1 < stride; ++y) {
        for (std::uint32_t x = 0; x + 1 < stride; ++x) {
            const std::uint32_t a = y * stride + x;
            for (const std::uint32_t i : {a, a + 1, a + stride, a + 1, a + stride + 1, a + stride}) {
                mesh.indices.push_back(i);
            }
        }
    }
    return mesh;
}

std::string draco_data(const SourceMesh& mesh, const DracoKind& kind) {
    using Attribute = draco::GeometryAttribute;
    draco::Mesh out;
    out.set_num_points(static_cast<std::uint32_t>(mesh.positions.size()));
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        out.AddFace({draco::PointIndex(mesh.indices[i]), draco::PointIndex(mesh.indices[i + 1]),
                     draco::PointIndex(mesh.indices[i + 2])});
    }
    std::vector<std::uint8_t> colors;
    for (const auto& color : mesh.colors) {
        for (const float channel : color) colors.push_back(static_cast<std::uint8_t>(255 * channel));
    }
    add_attribute(out, Attribute::POSITION, draco::DT_FLOAT32, 3, kPositionId, mesh.positions.data());
    add_attribute(out, Attribute::NORMAL, draco::DT_FLOAT32, 3, kNormalId, mesh.normals.data());
    add_attribute(out, Attribute::TEX_COORD, draco::DT_FLOAT32, 2, kUvId, mesh.uv0.data());
    add_attribute(out, Attribute::COLOR, draco::DT_UINT8, 4, kColorId, colors.data());
    for (int i = 0; i < kind.further; ++i) {
        add_attribute(out, Attribute::GENERIC, draco::DT_FLOAT32, 4, 1000 + i, mesh.colors.data());
    }
    draco::Encoder encoder;
    encoder.SetEncodingMethod(kind.edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING : draco::MESH_SEQUENTIAL_ENCODING);
    if (kind.quantized) {
        encoder.SetAttributeQuantization(Attribute::POSITION, 14);
        encoder.SetAttributeQuantization(Attribute::NORMAL, 10);
        encoder.SetAttributeQuantization(Attribute::TEX_COORD, 14);
    }
    draco::EncoderBuffer buffer;
    if (!encoder.EncodeMeshToBuffer(out, &buffer).ok()) throw std::runtime_error("Draco can't encode that");
    return {buffer.data(), buffer.size()};
}

}  // namespace sublet::scene::testing
