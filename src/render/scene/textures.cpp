#include "render/scene/textures.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/count_text.h"
#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "scene/images.h"
#include "scene/texture_uses.h"

namespace sublet::render {
namespace {

// Colours are stored encoded, numbers as they are.
VkFormat format_of(scene::TextureUse use) {
    return use == scene::TextureUse::kColor ? VK_FORMAT_R8G8B8A8_SRGB : VK_FORMAT_R8G8B8A8_UNORM;
}

// "image 3 'bark'", or "image 3" where it has no name.
std::string image_text(const scene::Scene& scene, const scene::Image& image) {
    const std::string number = "image " + std::to_string(&image - scene.images.data());
    return image.name.empty() ? number : number + " '" + image.name + "'";
}

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MiB";
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
    const bool nearest = is_nearest(sampler);
    return {device,
            {.filter = nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
             .mipmap_mode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
             .address_u = address_mode(sampler.wrap_s),
             .address_v = address_mode(sampler.wrap_t),
             .max_anisotropy = nearest ? 1.0F : 8.0F,
             .name = "texture"}};
}

// Decodes and uploads images of a scene, those of equal bytes once.
class ImageTable {
  public:
    ImageTable(gpu::Device& device, gpu::Uploader& uploader, const scene::Scene& scene, GpuScene& out)
        : device_(device),
          uploader_(uploader),
          scene_(scene),
          out_(out),
          color_filters_(scene::color_mip_filters(scene)) {}

    // Asks for an image of the scene.
    void add(int image, scene::TextureUse use) {
        if (image < 0 || entries_.count({image, use}) != 0) return;
        const scene::Image& source = scene_.images[static_cast<std::size_t>(image)];
        const scene::MipFilter filter = use == scene::TextureUse::kColor
                                            ? color_filters_[static_cast<std::size_t>(image)]
                                            : scene::MipFilter{.use = use};
        const std::string_view bytes(reinterpret_cast<const char*>(source.bytes.data()), source.bytes.size());
        const auto [same, is_new] = known_.emplace(
            std::tuple(std::string_view(source.mime_type), source.width, source.height, bytes, filter), kWhite);
        if (is_new) {
            try {
                headers_.push_back(scene::read_image_header(source));
                sources_.push_back({&source, filter});
                same->second = headers_.size() - 1;
            } catch (const Error& error) {
                note_white(source, error.what());
            }
        }
        entries_.emplace(std::pair(image, use), same->second);
    }

    // Uploads what was asked for, within the limit.
    void upload(std::uint64_t limit) {
        const std::vector<scene::ImagePlan> plan =
            scene::plan_images(headers_, {limit, device_.capabilities().limits.maxImageDimension2D});
        Progress progress("decode", plan.size(), "images");
        for (std::size_t i = 0; i < plan.size(); ++i) {
            progress.advance();
            places_.push_back(kWhite);
            if (plan[i].left_out) {
                note_white(*sources_[i].image, size_text(i, 0) + " texels take up to " +
                                                   mebibytes(headers_[i].decode_bytes) +
                                                   " to decode, and --image-limit is " + mebibytes(limit));
                continue;
            }
            try {
                const auto& [image, filter] = sources_[i];
                places_.back() =
                    upload(scene::decode_image(*image, headers_[i], filter, plan[i].halvings), filter.use, image->name);
            } catch (const Error& error) {
                note_white(*sources_[i].image, error.what());
            }
        }
        note_halved(plan, limit);
    }

    // The uploaded image, or a white texel in the place of one that is not there.
    [[nodiscard]] const gpu::Image& find(int image, scene::TextureUse use) {
        const auto entry = entries_.find({image, use});
        std::size_t place = entry == entries_.end() || entry->second == kWhite ? kWhite : places_[entry->second];
        if (place == kWhite) {
            if (white_ == kWhite) {
                std::vector<scene::TexelLevel> white;
                white.push_back(scene::allocate_level(1, 1));
                std::fill_n(white[0].rgba.get(), 4, std::uint8_t{255});
                white_ = upload(white, scene::TextureUse::kData, "white");
            }
            place = white_;
        }
        return out_.images[place];
    }

  private:
    static constexpr std::size_t kWhite = ~std::size_t{0};

    std::size_t upload(const std::vector<scene::TexelLevel>& texels, scene::TextureUse use, const std::string& name) {
        gpu::Image image(device_, {.extent = {texels[0].width, texels[0].height},
                                   .format = format_of(use),
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                   .mips = static_cast<std::uint32_t>(texels.size()),
                                   .name = name});
        std::vector<gpu::ImageLevel> levels;
        for (const scene::TexelLevel& level : texels) {
            levels.push_back({.mip = static_cast<std::uint32_t>(levels.size()), .texels = level.bytes()});
        }
        uploader_.image(image, levels);
        out_.material_bytes += scene::texture_bytes(texels[0].width, texels[0].height);
        out_.images.push_back(std::move(image));
        return out_.images.size() - 1;
    }

    void note_white(const scene::Image& image, const std::string& why) const {
        note_once(image_text(scene_, image) + " (" + image.mime_type + ") is drawn white: " + why);
    }

    [[nodiscard]] std::string size_text(std::size_t i, unsigned halvings) const {
        return std::to_string(scene::halved(headers_[i].width, halvings)) + "x" +
               std::to_string(scene::halved(headers_[i].height, halvings));
    }

    void note_halved(const std::vector<scene::ImagePlan>& plan, std::uint64_t limit) const {
        std::size_t count = 0;
        std::size_t first = 0;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            if (plan[i].left_out || plan[i].halvings == 0) continue;
            if (count++ == 0) first = i;
        }
        if (count == 0) return;
        note_once(image_text(scene_, *sources_[first].image) + " is drawn at " +
                  size_text(first, plan[first].halvings) + " instead of " + size_text(first, 0) +
                  (count > 1 ? ", and " + std::to_string(count - 1) + " others smaller too" : "") +
                  ", to fit --image-limit (" + mebibytes(limit) + ") and the device's largest texture");
    }

    gpu::Device& device_;
    gpu::Uploader& uploader_;
    const scene::Scene& scene_;
    GpuScene& out_;
    std::vector<scene::MipFilter> color_filters_;
    struct Source {
        const scene::Image* image;
        scene::MipFilter filter;
    };
    std::map<std::pair<int, scene::TextureUse>, std::size_t> entries_;  // image of the scene -> headers_, or kWhite
    std::map<std::tuple<std::string_view, std::uint32_t, std::uint32_t, std::string_view, scene::MipFilter>,
             std::size_t>
        known_;
    std::vector<scene::ImageHeader> headers_;
    std::vector<Source> sources_;
    std::vector<std::size_t> places_;  // in out_.images, or kWhite
    std::size_t white_ = kWhite;
};

}  // namespace

std::uint64_t image_limit_bytes(std::uint64_t image_limit) {
    if (image_limit != 0) return image_limit;
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE)) / 4;
}

void upload_textures(gpu::Device& device, gpu::Uploader& uploader, const scene::Scene& scene,
                     std::span<const BoundTexture> textures, std::uint64_t image_limit, GpuScene& out) {
    out.textures = std::make_unique<gpu::BindlessTextures>(device, static_cast<std::uint32_t>(textures.size()));
    for (const scene::Sampler& sampler : scene.samplers) {
        out.samplers.push_back(make_sampler(device, sampler));
    }
    out.samplers.push_back(make_sampler(device, {}));

    ImageTable images(device, uploader, scene, out);
    const auto source_of = [&](const BoundTexture& texture) -> const scene::Texture& {
        return scene.textures[static_cast<std::size_t>(texture.texture)];
    };
    for (const BoundTexture& texture : textures) images.add(source_of(texture).image, texture.use);
    images.upload(image_limit_bytes(image_limit));
    for (std::size_t i = 0; i < textures.size(); ++i) {
        const scene::Texture& source = source_of(textures[i]);
        const std::size_t sampler =
            source.sampler < 0 ? out.samplers.size() - 1 : static_cast<std::size_t>(source.sampler);
        out.textures->set(static_cast<std::uint32_t>(i), images.find(source.image, textures[i].use).view(),
                          out.samplers[sampler].handle());
    }
}

}  // namespace sublet::render
