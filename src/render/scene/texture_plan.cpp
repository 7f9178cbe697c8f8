#include "render/scene/texture_plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/count_text.h"
#include "base/error.h"
#include "base/log.h"
#include "base/system.h"
#include "render/scene/texture_levels.h"
#include "scene/images.h"
#include "scene/texture_uses.h"

namespace sublet::render {
namespace {

// Colours are stored encoded, numbers as they are.
VkFormat format_of(scene::TexelFormat format, scene::TextureUse use) {
    const bool color = use == scene::TextureUse::kColor;
    switch (format) {
        case scene::TexelFormat::kBc1:
            return color ? VK_FORMAT_BC1_RGBA_SRGB_BLOCK : VK_FORMAT_BC1_RGBA_UNORM_BLOCK;
        case scene::TexelFormat::kBc3:
            return color ? VK_FORMAT_BC3_SRGB_BLOCK : VK_FORMAT_BC3_UNORM_BLOCK;
        case scene::TexelFormat::kBc4:
            return VK_FORMAT_BC4_UNORM_BLOCK;
        case scene::TexelFormat::kBc5:
            return VK_FORMAT_BC5_UNORM_BLOCK;
        case scene::TexelFormat::kBc7:
            return color ? VK_FORMAT_BC7_SRGB_BLOCK : VK_FORMAT_BC7_UNORM_BLOCK;
        default:
            return color ? VK_FORMAT_R8G8B8A8_SRGB : VK_FORMAT_R8G8B8A8_UNORM;
    }
}

VkComponentSwizzle component_of(char component) {
    constexpr std::array kChannels{VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B,
                                   VK_COMPONENT_SWIZZLE_A};
    const std::size_t channel = std::string_view("rgba").find(component);
    if (channel < kChannels.size()) return kChannels[channel];
    return component == '1' ? VK_COMPONENT_SWIZZLE_ONE : VK_COMPONENT_SWIZZLE_ZERO;
}

VkComponentMapping components_of(const scene::Swizzle& swizzle) {
    return {component_of(swizzle[0]), component_of(swizzle[1]), component_of(swizzle[2]), component_of(swizzle[3])};
}

// `blocks`: the device reads them. BC4 and BC5 hold numbers alone: as colours they are decoded.
scene::ImageHeader header_of(const scene::Image& image, scene::TextureUse use, bool blocks) {
    const scene::ImageHeader header = scene::read_image_header(image, blocks);
    const bool numbers = header.format == scene::TexelFormat::kBc4 || header.format == scene::TexelFormat::kBc5;
    return numbers && use == scene::TextureUse::kColor ? scene::read_image_header(image) : header;
}

// "image 3 'bark'", or "image 3" where it has no name.
std::string image_text(const scene::Scene& scene, const scene::Image& image) {
    const std::string number = "image " + std::to_string(&image - scene.images.data());
    return image.name.empty() ? number : number + " '" + image.name + "'";
}

// Which images there are to decode: those of equal bytes that are read the same way once, within the limits.
class Plan {
  public:
    // `blocks`: the device reads block-compressed textures.
    Plan(const scene::Scene& scene, bool blocks, std::vector<PlannedTexture>& jobs)
        : scene_(scene), blocks_(blocks), jobs_(jobs), color_filters_(scene::color_mip_filters(scene)) {}

    // An element of the table.
    void add(std::uint32_t element, const BoundTexture& texture) {
        const auto [image, sampler] = scene_.textures[static_cast<std::size_t>(texture.texture)];
        if (image < 0) return;
        const scene::Image& source = scene_.images[static_cast<std::size_t>(image)];
        const scene::MipFilter filter = texture.use == scene::TextureUse::kColor
                                            ? color_filters_[static_cast<std::size_t>(image)]
                                            : scene::MipFilter{.use = texture.use};
        const std::string_view bytes(reinterpret_cast<const char*>(source.bytes.data()), source.bytes.size());
        const auto [same, is_new] = known_.emplace(
            std::tuple(std::string_view(source.mime_type), source.width, source.height, bytes, filter), kNone);
        if (is_new) {
            const std::string text = image_text(scene_, source) + " (" + source.mime_type + ")";
            try {
                const scene::ImageHeader header = header_of(source, texture.use, blocks_);
                images_.push_back({&source, header, filter, 0});
                same->second = jobs_.size();
                jobs_.push_back({.text = text,
                                 .name = source.name,
                                 .format = format_of(header.format, texture.use),
                                 .components = components_of(header.swizzle),
                                 .stand_in = stand_in_of(texture),
                                 .elements = {},
                                 .decode = {}});
            } catch (const Error& error) {
                note_missing(text, stand_in_of(texture), error.what());
            }
        }
        if (same->second == kNone) return;
        PlannedTexture& job = jobs_[same->second];
        job.elements.push_back(element);
        job.stays = job.stays || texture.cuts;
        job.unscaled = job.unscaled || (sampler >= 0 && !has_mips(scene_.samplers[static_cast<std::size_t>(sampler)]));
    }

    // Each job gets its size at first; those of images that can't be decoded are gone. Whether some are smaller than
    // the device could have them, to fit limits.textures: those that cut come first.
    bool finish(const scene::ImageLimits& limits) {
        std::vector<scene::ImageHeader> headers;
        for (const scene::ImageJob& image : images_) headers.push_back(image.header);
        const std::vector<scene::ImagePlan> plan = plan_all(headers, limits);
        const bool lacks_room = note_halved(plan, limits);
        std::vector<PlannedTexture> jobs;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            if (plan[i].left_out) {
                note_missing(jobs_[i].text, jobs_[i].stand_in,
                             size_text(i, 0) + " texels take up to " + mebibytes(headers[i].decode_bytes) +
                                 " to decode, and --image-limit is " + mebibytes(limits.decoding));
                continue;
            }
            jobs_[i].decode = images_[i];
            jobs_[i].decode.halvings = plan[i].halvings;
            jobs.push_back(std::move(jobs_[i]));
        }
        jobs_ = std::move(jobs);
        return lacks_room;
    }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    [[nodiscard]] std::string size_text(std::size_t i, unsigned halvings) const {
        const scene::ImageHeader& header = images_[i].header;
        return std::to_string(scene::halved(header.width, halvings)) + "x" +
               std::to_string(scene::halved(header.height, halvings));
    }

    // What cuts stays as it is, so it has its room before all others, but for what these can't do without, half of all
    // at most.
    [[nodiscard]] std::vector<scene::ImagePlan> plan_all(const std::vector<scene::ImageHeader>& headers,
                                                         scene::ImageLimits limits) const {
        std::vector<scene::ImagePlan> out(headers.size());
        std::uint64_t least = 0;  // what the others can't do without
        for (std::size_t i = 0; i < headers.size(); ++i) {
            if (!jobs_[i].stays) least += bytes_from(headers[i], scene::halvings_to_side(headers[i], kTailSide));
        }
        for (const bool stays : {true, false}) {
            std::vector<std::size_t> numbers;
            std::vector<scene::ImageHeader> of;
            for (std::size_t i = 0; i < headers.size(); ++i) {
                if (jobs_[i].stays != stays) continue;
                numbers.push_back(i);
                of.push_back(headers[i]);
            }
            scene::ImageLimits own = limits;
            if (stays) own.textures -= std::min(least, limits.textures / 2);
            const std::vector<scene::ImagePlan> plan = scene::plan_images(of, own);
            for (std::size_t k = 0; k < of.size(); ++k) {
                out[numbers[k]] = plan[k];
                if (plan[k].left_out) continue;
                limits.textures -= std::min(limits.textures, bytes_from(of[k], plan[k].halvings));
            }
        }
        return out;
    }

    // Returns whether there are some by limits.textures.
    bool note_halved(const std::vector<scene::ImagePlan>& plan, const scene::ImageLimits& limits) const {
        std::vector<std::size_t> by_budget;
        std::vector<std::size_t> by_device;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            if (plan[i].left_out || plan[i].halvings == 0) continue;
            const unsigned to_side = scene::halvings_to_side(images_[i].header, limits.most_side);
            (plan[i].halvings > to_side ? by_budget : by_device).push_back(i);
        }
        if (!by_budget.empty()) {
            note_once(counted(by_budget.size(), "image") + " of " + std::to_string(plan.size()) +
                      (by_budget.size() == 1 ? " has" : " have") + " no room at full size in the " +
                      mebibytes(limits.textures) +
                      " that textures may take (--vram-budget, --texture-budget): they are as fine as they are seen, "
                      "as far as that goes");
        }
        if (!by_device.empty()) {
            const std::size_t first = by_device.front();
            note_once(counted(by_device.size(), "image") + (by_device.size() == 1 ? " is" : " are") +
                      " drawn smaller to fit the device's largest texture (" + std::to_string(limits.most_side) +
                      " texels wide): " + image_text(scene_, *images_[first].image) + " at " +
                      size_text(first, plan[first].halvings) + " instead of " + size_text(first, 0) +
                      (by_device.size() == 1 ? "" : ", and so on"));
        }
        return !by_budget.empty();
    }

    const scene::Scene& scene_;
    bool blocks_;
    std::vector<PlannedTexture>& jobs_;
    std::vector<scene::ImageJob> images_;  // of each job
    std::vector<scene::MipFilter> color_filters_;
    std::map<std::tuple<std::string_view, std::uint32_t, std::uint32_t, std::string_view, scene::MipFilter>,
             std::size_t>
        known_;  // in jobs_, or kNone
};

}  // namespace

std::uint64_t memory_limit_bytes(std::uint64_t setting) {
    if (setting != 0) return setting;
    return physical_memory_bytes() / 4;
}

TextureLimits texture_limits(const SceneSettings& settings, std::uint64_t bytes) {
    return {bytes, memory_limit_bytes(settings.image_limit), settings.stream_wait.value_or(true)};
}

StandIn stand_in_of(const BoundTexture& texture) {
    if (texture.use == scene::TextureUse::kNormal) return StandIn::kFlat;
    switch (texture.read_by) {
        case ReadBy::kEmissionAlone:
            return StandIn::kBlack;
        case ReadBy::kAnisotropyAlone:
            return StandIn::kAlongTangent;
        default:
            return StandIn::kWhite;
    }
}

void note_missing(const std::string& image, StandIn stand_in, const std::string& why) {
    constexpr std::array<const char*, kStandIns> kAs{"white", "flat", "black", "along the tangent"};
    note_once(image + " is drawn " + kAs[static_cast<std::size_t>(stand_in)] + ": " + why);
}

bool has_mips(const scene::Sampler& sampler) {
    return sampler.min_filter >= 9984;
}

// What an image takes from a level on.
std::uint64_t bytes_from(const scene::ImageHeader& header, unsigned level) {
    return scene::texture_bytes(scene::halved(header.width, level), scene::halved(header.height, level), header.format);
}

std::string mebibytes(std::uint64_t bytes) {
    constexpr std::uint64_t kMiB = 1U << 20U;
    const std::uint64_t tenths = (bytes * 10 + kMiB - 1) / kMiB;
    if (tenths < 100 && tenths % 10 != 0)
        return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MiB";
    return std::to_string((bytes + kMiB - 1) / kMiB) + " MiB";
}

bool plan_textures(const scene::Scene& scene, std::span<const BoundTexture> textures, const TextureLimits& limits,
                   const gpu::Capabilities& device, std::vector<PlannedTexture>& out) {
    Plan plan(scene, device.texture_bc, out);
    for (std::uint32_t i = 0; i < textures.size(); ++i) plan.add(i, textures[i]);
    return plan.finish({limits.textures, limits.decoding, device.limits.maxImageDimension2D});
}

}  // namespace sublet::render
