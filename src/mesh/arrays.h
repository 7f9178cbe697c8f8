// The attributes of MeshInput and MeshArrays, one after the other.
#pragma once

#include <cstdint>

#include "mesh/mesh.h"

namespace sublet::mesh {

// An attribute of those structs.
struct Attribute {
    const char* name;      // of the member
    std::uint32_t stream;  // the type that carries it
    std::uint32_t bit;     // of streams_present that says so
};

// Calls visit(attribute, mesh.member...) for every attribute, positions first: of one mesh, or of several at a time.
// What is encoded carries these streams; shared::kStreamBoneWeights, that older files have, is only read.
template <typename Visit, typename... Mesh>
void for_each_attribute(Visit visit, Mesh&... mesh) {
    const auto of = [](const char* name, std::uint32_t stream) { return Attribute{name, stream, 1U << stream}; };
    visit(of("positions", shared::kStreamPosition), mesh.positions...);
    visit(of("normals", shared::kStreamNormalTangent), mesh.normals...);
    visit(Attribute{"tangents", shared::kStreamNormalTangent, shared::kHasTangentBit}, mesh.tangents...);
    visit(of("uv0", shared::kStreamUv), mesh.uv0...);
    visit(of("uv1", shared::kStreamUv1), mesh.uv1...);
    visit(of("colors", shared::kStreamColor), mesh.colors...);
    visit(of("joints", shared::kStreamBoneIndices), mesh.joints...);
    visit(of("weights", shared::kStreamJointWeights), mesh.weights...);
    visit(of("joints1", shared::kStreamJointIndices1), mesh.joints1...);
    visit(of("weights1", shared::kStreamJointWeights1), mesh.weights1...);
}

}  // namespace sublet::mesh
