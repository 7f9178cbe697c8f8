#include "scene/gltf/extensions.h"

#include <algorithm>

namespace sublet::scene::gltf {
namespace {

using enum ExtensionSupport;

constexpr const char* kOtherImage =
    "its textures take their PNG or JPEG image, and are drawn white where they have none";

constexpr Extension kExtensions[] = {
    {"EXT_mesh_gpu_instancing", kRead},
    {"EXT_meshopt_compression", kRead},
    {"EXT_texture_avif", kImages},
    {"EXT_texture_webp", kLibrary, &kLibWebp, kOtherImage},
    {"GOOGLE_texture_basis", kImages},
    {"KHR_animation_pointer", kRead},
    {"KHR_draco_mesh_compression", kLibrary, &kDraco, "the uncompressed copies of its meshes are read"},
    {"KHR_lights_punctual", kRead},
    {"KHR_materials_anisotropy", kRead},
    {"KHR_materials_clearcoat", kRead},
    {"KHR_materials_diffuse_transmission", kIgnored},
    {"KHR_materials_dispersion", kRead},
    {"KHR_materials_emissive_strength", kRead},
    {"KHR_materials_ior", kRead},
    {"KHR_materials_iridescence", kRead},
    {"KHR_materials_pbrSpecularGlossiness", kRead},
    {"KHR_materials_sheen", kRead},
    {"KHR_materials_specular", kRead},
    {"KHR_materials_transmission", kRead},
    {"KHR_materials_unlit", kRead},
    {"KHR_materials_variants", kRead},
    {"KHR_materials_volume", kRead},
    {"KHR_mesh_quantization", kRead},
    {"KHR_meshopt_compression", kRead},
    {"KHR_node_visibility", kRead},
    {"KHR_texture_basisu", kLibrary, &kBasisUniversal, kOtherImage},
    {"KHR_texture_transform", kRead},
    {"KHR_xmp_json_ld", kIgnored},
    {"MSFT_texture_dds", kImages},
};

}  // namespace

std::span<const Extension> known_extensions() {
    return kExtensions;
}

const Extension* find_extension(std::string_view name) {
    const Extension* const found = std::ranges::find(kExtensions, name, &Extension::name);
    return found == std::end(kExtensions) ? nullptr : found;
}

bool is_read(std::string_view name) {
    const Extension* const found = find_extension(name);
    return found != nullptr && (found->support == kRead || found->support == kLibrary);
}

std::string extension_note(std::string_view name) {
    const Extension* const found = find_extension(name);
    const std::string text(name.substr(0, 80));
    if (found == nullptr) return "the optional extension " + text + " is ignored";
    switch (found->support) {
        case kIgnored:
            return text + " is ignored: what it says of the scene is left out";
        case kImages:
            return text +
                   " is not read: its textures take their PNG or JPEG image, and are left out where they have none";
        case kLibrary:
            if (found->library->present) return {};
            return text + " is not read: " + found->without + "; " + built_without(*found->library);
        default:
            return {};
    }
}

}  // namespace sublet::scene::gltf
