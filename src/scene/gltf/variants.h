// KHR_materials_variants: the looks that a file offers, and the materials of its glTF primitives in them.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/gltf/document.h"
#include "scene/import.h"

namespace sublet::scene::gltf {

// The names of the scene's variants. Their meshes are left for the caller.
void read_variants(Document& document, Scene& scene);

// Reads what glTF primitives say of variants, and counts it: it is held to the size of the file.
class VariantReader {
  public:
    // The variants that meshes[mesh].primitives[primitive] has another material in, ascending. Throws Error where the
    // file names more such materials than it has bytes.
    [[nodiscard]] std::vector<VariantMaterial> read(Document& document, std::size_t mesh, std::size_t primitive);

  private:
    std::uint64_t read_ = 0;
};

}  // namespace sublet::scene::gltf
