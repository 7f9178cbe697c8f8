// In the place of draco.cpp where the program is built without Draco.
#include "base/error.h"
#include "scene/gltf/draco.h"
#include "scene/optional_libraries.h"

namespace sublet::scene::gltf {

void decode_draco(std::span<const std::byte> /*bytes*/, DracoTriangles& /*triangles*/,
                  std::span<DracoAttribute> /*attributes*/) {
    throw Error(built_without(kDraco));
}

}  // namespace sublet::scene::gltf
