#include "render/textures.h"

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_FAILURE_USERMSG
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#include <stb_image.h>

#include "base/log.h"

namespace sublet::render {
namespace {

// The largest side of a texture, whatever the device could hold: beyond it a file is taken for hostile.
constexpr int kMaxSide = 16384;

struct Texels {
    std::uint32_t width = 1, height = 1;
    std::vector<std::byte> rgba;
};

Texels white() {
    return {1, 1, std::vector<std::byte>(4, std::byte{255})};
}

Texels undecodable(const scene::Image& image, const std::string& why) {
    note_once("image '" + image.name + "' (" + image.mime_type + ") is drawn white: " + why);
    return white();
}

Texels decode_image(const scene::Image& image, std::uint32_t most) {
    if (image.mime_type == "image/x-rgba8") {
        const auto* bytes = reinterpret_cast<const std::byte*>(image.bytes.data());
        return {image.width, image.height, std::vector<std::byte>(bytes, bytes + image.bytes.size())};
    }
    if (image.bytes.empty() || image.bytes.size() > std::numeric_limits<int>::max()) {
        return undecodable(image, "empty, or larger than 2 GiB");
    }
    const auto size = static_cast<int>(image.bytes.size());
    int width = 0;
    int height = 0;
    int channels = 0;
    if (stbi_info_from_memory(image.bytes.data(), size, &width, &height, &channels) == 0) {
        return undecodable(image, stbi_failure_reason());
    }
    const auto limit = std::min<std::int64_t>(most, kMaxSide);
    if (width > limit || height > limit) {
        return undecodable(image, std::to_string(width) + "x" + std::to_string(height) + " texels, at most " +
                                      std::to_string(limit) + " a side can be used");
    }
    stbi_uc* texels = stbi_load_from_memory(image.bytes.data(), size, &width, &height, &channels, 4);
    if (texels == nullptr) {
        return undecodable(image, stbi_failure_reason());
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(texels);
    Texels out{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height),
               std::vector<std::byte>(bytes, bytes + std::size_t(width) * height * 4)};
    stbi_image_free(texels);
    return out;
}

VkSamplerAddressMode address_mode(int wrap) {
    switch (wrap) {
        case 33071:
            return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
        case 33648:
            return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
        default:
            return VK_SAMPLER_ADDRESS_MODE_REPEAT;
    }
}

gpu::Sampler make_sampler(gpu::Device& device, const scene::Sampler& sampler) {
    const bool nearest = sampler.mag_filter == 9728;
    return {device,
            {.filter = nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
             .mipmap_mode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
             .address_u = address_mode(sampler.wrap_s),
             .address_v = address_mode(sampler.wrap_t),
             .max_anisotropy = nearest ? 1.0F : 8.0F,
             .name = "texture"}};
}

}  // namespace

void upload_textures(gpu::Device& device, gpu::Uploader& uploader, const scene::Scene& scene, GpuScene& out) {
    constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_SRGB;
    const std::uint32_t most = device.capabilities().limits.maxImageDimension2D;
    const bool mips = gpu::can_generate_mips(device, kFormat);
    const std::size_t capacity =
        std::min<std::size_t>(scene.textures.size(), device.capabilities().max_bindless_textures);
    if (capacity < scene.textures.size()) {
        note_once("this device binds " + std::to_string(capacity) + " textures at once and the scene has " +
                  std::to_string(scene.textures.size()) + ": the others are drawn white");
    }
    out.textures = std::make_unique<gpu::BindlessTextures>(device, static_cast<std::uint32_t>(capacity));

    for (const scene::Sampler& sampler : scene.samplers) {
        out.samplers.push_back(make_sampler(device, sampler));
    }
    out.samplers.push_back(make_sampler(device, {}));

    std::map<int, std::size_t> uploaded;  // scene image -> out.images
    const auto upload = [&](int image) -> std::size_t {
        if (const auto it = uploaded.find(image); it != uploaded.end()) {
            return it->second;
        }
        const Texels texels = image < 0 ? white() : decode_image(scene.images[static_cast<std::size_t>(image)], most);
        const VkExtent2D extent{texels.width, texels.height};
        gpu::Image gpu_image(
            device,
            {.extent = extent,
             .format = kFormat,
             .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
             .mips = mips ? gpu::full_mip_count(extent) : 1,
             .name = image < 0 ? std::string("white") : scene.images[static_cast<std::size_t>(image)].name});
        const std::array<gpu::ImageLevel, 1> levels{gpu::ImageLevel{.texels = texels.rgba}};
        uploader.image(gpu_image, levels, mips);
        out.scene_bytes += texels.rgba.size() * (mips ? 4 : 3) / 3;
        out.images.push_back(std::move(gpu_image));
        uploaded[image] = out.images.size() - 1;
        return out.images.size() - 1;
    };
    for (const scene::Material& material : scene.materials) {
        const int index = material.base_color_texture.texture;
        if (index < 0 || static_cast<std::size_t>(index) >= capacity) {
            continue;
        }
        const scene::Texture& texture = scene.textures[static_cast<std::size_t>(index)];
        const std::size_t sampler =
            texture.sampler < 0 ? out.samplers.size() - 1 : static_cast<std::size_t>(texture.sampler);
        out.textures->set(static_cast<std::uint32_t>(index), out.images[upload(texture.image)].view(),
                          out.samplers[sampler].handle());
    }
}

}  // namespace sublet::render
