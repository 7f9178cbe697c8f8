#include "scene/gltf/draco.h"

#include <draco/compression/config/compression_shared.h>
#include <draco/compression/config/decoder_options.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/decoder_buffer.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "base/error.h"

namespace sublet::scene::gltf {
namespace {

// Draco allocates by what its data say, and triangles may take next to no bits. So we look at each size before it does.
// It takes up to about 100 bytes for a triangle, and 24 for each kind of attributes with seams of its own.
constexpr std::uint64_t kTrianglesAlways = 1U << 20U;
constexpr std::uint64_t kTrianglesPerByte = 64;
constexpr unsigned kMostSeams = 16;
// Of all attributes together: values, and an index into them. glTF's largest have four floats.
constexpr std::uint64_t kMostVertexBytes = 256;
constexpr std::uint64_t kIndexBytes = 4;

std::string too_many_bytes(std::uint64_t of_a_vertex) {
    return "has " + std::to_string(of_a_vertex) + " bytes for each vertex; up to " + std::to_string(kMostVertexBytes) +
           " are read";
}

// Base is one of Draco's decoders of meshes; it calls these two before it allocates.
template <typename Base>
class BoundedDecoder : public Base {
  public:
    explicit BoundedDecoder(std::uint64_t most_triangles) : most_triangles_(most_triangles) {}

    // How many the data name.
    [[nodiscard]] std::uint64_t triangles() const { return triangles_; }

    // Why it stopped; empty where Draco itself did.
    [[nodiscard]] const std::string& reason() const { return reason_; }

  protected:
    bool DecodeConnectivity() override {
        draco::DecoderBuffer ahead = *this->buffer();
        std::uint32_t first = 0;
        std::uint32_t second = 0;
        if (!draco::DecodeVarint(&first, &ahead) || !draco::DecodeVarint(&second, &ahead)) return false;
        if constexpr (std::is_same_v<Base, draco::MeshEdgebreakerDecoder>) {  // vertices without seams, triangles
            std::uint8_t seams = 0;
            if (!ahead.Decode(&seams)) return false;
            if (seams > kMostSeams) {
                return stop("has " + std::to_string(seams) + " kinds of attributes; up to " +
                            std::to_string(kMostSeams) + " are read");
            }
            return triangles_are_fit(second) && Base::DecodeConnectivity();
        } else {  // triangles, vertices
            return triangles_are_fit(first) && vertices_are_fit(second) && Base::DecodeConnectivity();
        }
    }

    bool DecodeAllAttributes() override {
        const draco::PointCloud& cloud = *this->point_cloud();
        if (!vertices_are_fit(cloud.num_points())) return false;
        std::uint64_t bytes = 0;
        for (int i = 0; i < cloud.num_attributes(); ++i) {
            const draco::PointAttribute& attribute = *cloud.attribute(i);
            bytes += static_cast<std::uint64_t>(attribute.num_components()) *
                         static_cast<std::uint64_t>(draco::DataTypeLength(attribute.data_type())) +
                     kIndexBytes;
        }
        if (bytes > kMostVertexBytes) return stop(too_many_bytes(bytes));
        return Base::DecodeAllAttributes();
    }

  private:
    bool stop(const std::string& reason) {
        reason_ = reason;
        return false;
    }
    bool triangles_are_fit(std::uint64_t count) {
        triangles_ = count;
        if (count <= most_triangles_) return true;
        return stop("has " + std::to_string(count) + " triangles, out of all proportion to its bytes");
    }
    bool vertices_are_fit(std::uint64_t count) {
        if (count <= 3 * triangles_) return true;
        return stop("has " + std::to_string(count) + " vertices for the corners of " + std::to_string(triangles_) +
                    " triangles");
    }

    std::uint64_t most_triangles_;
    std::uint64_t triangles_ = 0;
    std::string reason_;
};

template <typename Base>
void decode_mesh(std::span<const std::byte> bytes, DracoTriangles& triangles, draco::Mesh& mesh) {
    BoundedDecoder<Base> decoder(std::min(triangles.most, kTrianglesAlways + kTrianglesPerByte * bytes.size()));
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const draco::Status status = decoder.Decode(draco::DecoderOptions(), &buffer, &mesh);
    triangles.named = decoder.triangles();
    if (!decoder.reason().empty()) throw Error(decoder.reason());
    if (!status.ok()) throw Error("the data are corrupt: " + status.error_msg_string());
}

void decode_any_mesh(std::span<const std::byte> bytes, DracoTriangles& triangles, draco::Mesh& mesh) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    draco::DracoHeader header;
    if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok() ||
        std::memcmp(header.draco_string, "DRACO", 5) != 0) {
        throw Error("the data are not Draco's");
    }
    if (header.version_major != 2 || header.version_minor != 2) {
        throw Error("is of Draco's version " + std::to_string(header.version_major) + "." +
                    std::to_string(header.version_minor) + "; glTF has 2.2");
    }
    if (header.encoder_type != draco::TRIANGULAR_MESH) throw Error("the data are no mesh of triangles");
    if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING) {
        decode_mesh<draco::MeshEdgebreakerDecoder>(bytes, triangles, mesh);
    } else {
        decode_mesh<draco::MeshSequentialDecoder>(bytes, triangles, mesh);
    }
}

template <typename T>
void read_values(const draco::Mesh& mesh, const draco::PointAttribute& source, DracoAttribute& attribute) {
    const auto components = static_cast<std::size_t>(attribute.components);
    attribute.values.resize(mesh.num_points() * components * sizeof(T));
    std::array<T, 4> element{};
    for (std::uint32_t i = 0; i < mesh.num_points(); ++i) {
        const draco::AttributeValueIndex at = source.mapped_index(draco::PointIndex(i));
        if (at.value() >= source.size() ||
            !source.ConvertValue<T>(at, static_cast<std::int8_t>(components), element.data())) {
            throw Error("vertex " + std::to_string(i) + " of attribute " + std::to_string(attribute.id) +
                        " has no value that its accessor can have");
        }
        std::memcpy(&attribute.values[i * components * sizeof(T)], element.data(), components * sizeof(T));
    }
}

void read_attribute(const draco::Mesh& mesh, DracoAttribute& attribute) {
    const draco::PointAttribute* const source = mesh.GetAttributeByUniqueId(attribute.id);
    if (source == nullptr) throw Error("the data have no attribute " + std::to_string(attribute.id));
    if (source->num_components() != attribute.components) {
        throw Error("attribute " + std::to_string(attribute.id) + " has " + std::to_string(source->num_components()) +
                    " components, but its accessor " + std::to_string(attribute.components));
    }
    switch (attribute.component_type) {
        case TINYGLTF_COMPONENT_TYPE_BYTE:
            return read_values<std::int8_t>(mesh, *source, attribute);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
            return read_values<std::uint8_t>(mesh, *source, attribute);
        case TINYGLTF_COMPONENT_TYPE_SHORT:
            return read_values<std::int16_t>(mesh, *source, attribute);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
            return read_values<std::uint16_t>(mesh, *source, attribute);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
            return read_values<std::uint32_t>(mesh, *source, attribute);
        default:
            return read_values<float>(mesh, *source, attribute);
    }
}

}  // namespace

void decode_draco(std::span<const std::byte> bytes, DracoTriangles& triangles, std::span<DracoAttribute> attributes) {
    std::uint64_t vertex_bytes = 0;  // accessors may name one attribute of the data again and again
    for (const DracoAttribute& attribute : attributes) {
        vertex_bytes += static_cast<std::uint64_t>(attribute.components) *
                        static_cast<std::uint64_t>(
                            tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(attribute.component_type)));
    }
    if (vertex_bytes > kMostVertexBytes) throw Error(too_many_bytes(vertex_bytes));
    draco::Mesh mesh;
    decode_any_mesh(bytes, triangles, mesh);
    for (DracoAttribute& attribute : attributes) read_attribute(mesh, attribute);
    triangles.vertices = mesh.num_points();
    std::vector<std::uint32_t>& indices = triangles.indices;
    indices.reserve(std::size_t{3} * mesh.num_faces());
    for (std::uint32_t i = 0; i < mesh.num_faces(); ++i) {
        for (const draco::PointIndex& corner : mesh.face(draco::FaceIndex(i))) indices.push_back(corner.value());
    }
}

}  // namespace sublet::scene::gltf
