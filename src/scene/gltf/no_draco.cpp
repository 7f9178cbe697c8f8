// In the place of draco.cpp where the program is built without Draco.
#include "base/error.h"
#include "scene/gltf/draco.h"
#include "scene/optional_libraries.h"

namespace sublet::scene::gltf {

std::vector<std::uint32_t> decode_draco(std::span<const std::byte> /*bytes*/, const DracoSize& /*size*/,
                                        std::span<DracoAttribute> /*attributes*/) {
    throw Error(built_without(kDraco));
}

}  // namespace sublet::scene::gltf
