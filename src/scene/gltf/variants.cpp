#include "scene/gltf/variants.h"

#include <map>
#include <set>
#include <string>

#include "scene/gltf/geometry.h"

namespace sublet::scene::gltf {
namespace {

constexpr const char* kExtension = "KHR_materials_variants";

}  // namespace

void read_variants(Document& document, Scene& scene) {
    const auto found = document.model().extensions.find(kExtension);
    if (found == document.model().extensions.end()) return;
    const tinygltf::Value& list = found->second.Get("variants");
    std::set<std::string> names;
    for (std::size_t i = 0; i < list.ArrayLen(); ++i) {
        Variant variant;
        variant.name = list.Get(i).Get("name").Get<std::string>();
        if (variant.name.empty() || !names.insert(variant.name).second) {
            document.note("extensions.KHR_materials_variants.variants[" + std::to_string(i) +
                          "].name is empty or another's: nobody can choose that variant");
        }
        scene.variants.push_back(std::move(variant));
    }
}

std::vector<VariantMaterial> VariantReader::read(Document& document, std::size_t mesh, std::size_t primitive) {
    const tinygltf::ExtensionMap& extensions = document.model().meshes[mesh].primitives[primitive].extensions;
    const auto found = extensions.find(kExtension);
    if (found == extensions.end()) return {};
    std::map<std::uint32_t, std::uint32_t> materials;
    const tinygltf::Value& mappings = found->second.Get("mappings");
    const std::string field = primitive_field(mesh, primitive) + ".extensions." + kExtension + ".mappings";
    for (std::size_t i = 0; i < mappings.ArrayLen(); ++i) {
        const tinygltf::Value& mapping = mappings.Get(i);
        const auto material = static_cast<std::uint32_t>(mapping.Get("material").GetNumberAsInt());
        const tinygltf::Value& variants = mapping.Get("variants");
        for (std::size_t v = 0; v < variants.ArrayLen(); ++v) {
            const auto variant = static_cast<std::uint32_t>(variants.Get(v).GetNumberAsInt());
            if (materials.emplace(variant, material).second) continue;
            document.note(field + " name a variant more than once: the first counts");
        }
    }
    // Nodes may share a mesh that is read anew for each of their skins.
    read_ += materials.size();
    if (read_ > document.bytes_read()) {
        document.fail(field, "the file has more materials of variants than bytes");
    }
    std::vector<VariantMaterial> result;
    result.reserve(materials.size());
    for (const auto& [variant, material] : materials) result.push_back({variant, material});
    return result;
}

}  // namespace sublet::scene::gltf
