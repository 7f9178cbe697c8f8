// The public face of src/mesh/: encode triangles, view the result wherever it lies, decode any part of it.
//
//     sublet::EncodedMeshes encoded = sublet::encode(meshes, {}, "name");
//     sublet::validate(encoded.geometry.view(), "name");          // once, for data that comes from a file
//     sublet::MeshView mesh = sublet::mesh_view(encoded.geometry.view(), 0);
//     sublet::DecodedSublet sublet = sublet::decode_sublet(mesh, 0);
//
// docs/FORMAT.md describes the bytes; shaders/shared/mesh_format.h declares them for C++ and GLSL.
#pragma once

#include "mesh/decode.h"
#include "mesh/encode.h"
#include "mesh/view.h"

namespace sublet {

using mesh::EncodedMeshes;
using mesh::EncodeOptions;
using mesh::MeshInput;
using mesh::Style;

using mesh::Geometry;
using mesh::GeometryView;
using mesh::MeshView;

using mesh::DecodedMesh;
using mesh::DecodedSublet;

using mesh::append;
using mesh::decode;
using mesh::decode_sublet;
using mesh::dequantize_position;
using mesh::encode;
using mesh::mesh_view;
using mesh::validate;

}  // namespace sublet
