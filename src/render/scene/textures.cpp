#include "render/scene/textures.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/count_text.h"
#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/system.h"
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

std::vector<gpu::ImageLevel> levels_of(const std::vector<scene::TexelLevel>& texels) {
    std::vector<gpu::ImageLevel> levels;
    for (const scene::TexelLevel& level : texels) {
        levels.push_back({.mip = static_cast<std::uint32_t>(levels.size()), .texels = level.bytes()});
    }
    return levels;
}

// A frame takes no more of what has been decoded, so that it is not held up: a gigabyte in a second of 64 frames. The
// ring has room for what two frames in flight take.
constexpr VkDeviceSize kBytesPerFrame = VkDeviceSize{16} << 20U;
constexpr VkDeviceSize kRingBytes = gpu::kFramesInFlight * kBytesPerFrame;

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MiB";
}

VkSamplerAddressMode address_mode(int wrap) {
    if (wrap == 33071) return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    return wrap == 33648 ? VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT : VK_SAMPLER_ADDRESS_MODE_REPEAT;
}

// glTF's filters: NEAREST 9728, LINEAR 9729; of texels and mips NEAREST_MIPMAP_NEAREST 9984, LINEAR_MIPMAP_NEAREST
// 9985, NEAREST_MIPMAP_LINEAR 9986, LINEAR_MIPMAP_LINEAR 9987.
gpu::Sampler make_sampler(gpu::Device& device, const scene::Sampler& sampler) {
    const int min = sampler.min_filter;
    const bool nearest_texel = min == 9728 || min == 9984 || min == 9986;
    const bool nearest_level = min < 9986;  // level 0 is the nearest of one
    return {device,
            {.filter = sampler.mag_filter == 9728 ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
             .min_filter = nearest_texel ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
             .mipmap_mode = nearest_level ? VK_SAMPLER_MIPMAP_MODE_NEAREST : VK_SAMPLER_MIPMAP_MODE_LINEAR,
             .address_u = address_mode(sampler.wrap_s),
             .address_v = address_mode(sampler.wrap_t),
             .mips = min >= 9984,
             .max_anisotropy = is_anisotropic(sampler) ? 8.0F : 1.0F,
             .name = "texture"}};
}

}  // namespace

// Which images there are to decode: those of equal bytes that are read the same way once, within the limits.
class SceneTextures::Plan {
  public:
    // `blocks`: the device reads block-compressed textures.
    Plan(const scene::Scene& scene, bool blocks, std::vector<Job>& jobs)
        : scene_(scene), blocks_(blocks), jobs_(jobs), color_filters_(scene::color_mip_filters(scene)) {}

    // An element of the table.
    void add(std::uint32_t element, int image, const BoundTexture& texture) {
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
                                 .image = {}});
            } catch (const Error& error) {
                note_missing(text, stand_in_of(texture), error.what());
            }
        }
        if (same->second != kNone) jobs_[same->second].elements.push_back(element);
    }

    // What is to be decoded of what was added, each at its size; jobs of others are gone.
    std::vector<scene::ImageJob> images(const scene::ImageLimits& limits) {
        std::vector<scene::ImageHeader> headers;
        for (const scene::ImageJob& image : images_) headers.push_back(image.header);
        const std::vector<scene::ImagePlan> plan = scene::plan_images(headers, limits);
        note_halved(plan, limits);
        std::vector<scene::ImageJob> decoded;
        std::vector<Job> jobs;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            if (plan[i].left_out) {
                note_missing(jobs_[i].text, jobs_[i].stand_in,
                             size_text(i, 0) + " texels take up to " + mebibytes(headers[i].decode_bytes) +
                                 " to decode, and --image-limit is " + mebibytes(limits.decoding));
                continue;
            }
            decoded.push_back(images_[i]);
            decoded.back().halvings = plan[i].halvings;
            jobs.push_back(std::move(jobs_[i]));
        }
        jobs_ = std::move(jobs);
        return decoded;
    }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    [[nodiscard]] std::string size_text(std::size_t i, unsigned halvings) const {
        const scene::ImageHeader& header = images_[i].header;
        return std::to_string(scene::halved(header.width, halvings)) + "x" +
               std::to_string(scene::halved(header.height, halvings));
    }

    void note_halved(const std::vector<scene::ImagePlan>& plan, const scene::ImageLimits& limits) const {
        std::vector<std::size_t> by_budget;
        std::vector<std::size_t> by_device;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            if (plan[i].left_out || plan[i].halvings == 0) continue;
            const unsigned to_side = scene::halvings_to_side(images_[i].header, limits.most_side);
            (plan[i].halvings > to_side ? by_budget : by_device).push_back(i);
        }
        const auto note_all = [&](const std::vector<std::size_t>& images, const std::string& limit) {
            if (images.empty()) return;
            const std::size_t first = images.front();
            note_once(counted(images.size(), "image") + (images.size() == 1 ? " is" : " are") +
                      " drawn smaller to fit " + limit + ": " + image_text(scene_, *images_[first].image) + " at " +
                      size_text(first, plan[first].halvings) + " instead of " + size_text(first, 0) +
                      (images.size() == 1 ? "" : ", and so on"));
        };
        note_all(by_budget, "--texture-budget (" + mebibytes(limits.textures) + ")");
        note_all(by_device, "the device's largest texture (" + std::to_string(limits.most_side) + " texels wide)");
    }

    const scene::Scene& scene_;
    bool blocks_;
    std::vector<Job>& jobs_;
    std::vector<scene::ImageJob> images_;  // of each job
    std::vector<scene::MipFilter> color_filters_;
    std::map<std::tuple<std::string_view, std::uint32_t, std::uint32_t, std::string_view, scene::MipFilter>,
             std::size_t>
        known_;  // in jobs_, or kNone
};

std::uint64_t memory_limit_bytes(std::uint64_t setting) {
    if (setting != 0) return setting;
    return physical_memory_bytes() / 4;
}

TextureLimits texture_limits(const SceneSettings& settings, const gpu::Device& device) {
    const VkPhysicalDeviceType type = device.capabilities().type;
    const bool own = type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU || type == VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU;
    const std::uint64_t share = device.memory_usage().budget / (own ? 2 : 4);
    return {settings.texture_budget != 0 ? settings.texture_budget : share, memory_limit_bytes(settings.image_limit)};
}

SceneTextures::StandIn SceneTextures::stand_in_of(const BoundTexture& texture) {
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

void SceneTextures::note_missing(const std::string& image, StandIn stand_in, const std::string& why) {
    constexpr std::array<const char*, kStandIns> kAs{"white", "flat", "black", "along the tangent"};
    note_once(image + " is drawn " + kAs[static_cast<std::size_t>(stand_in)] + ": " + why);
}

SceneTextures::SceneTextures(gpu::Device& device, const scene::Scene& scene, std::span<const BoundTexture> textures,
                             const TextureLimits& limits)
    : device_(device), uploader_(std::make_unique<gpu::Uploader>(device, kRingBytes)) {
    for (const scene::Sampler& sampler : scene.samplers) samplers_.push_back(make_sampler(device, sampler));
    samplers_.push_back(make_sampler(device, {}));
    make_stand_ins();
    for (auto& table : tables_) {
        table = std::make_unique<gpu::BindlessTextures>(device, static_cast<std::uint32_t>(textures.size()));
    }
    Plan plan(scene, device.capabilities().texture_bc, jobs_);
    for (std::uint32_t i = 0; i < textures.size(); ++i) {
        const scene::Texture& source = scene.textures[static_cast<std::size_t>(textures[i].texture)];
        sampler_of_.push_back(source.sampler < 0 ? samplers_.size() - 1 : static_cast<std::size_t>(source.sampler));
        for (const auto& table : tables_) {
            table->set(i, stand_ins_[static_cast<std::size_t>(stand_in_of(textures[i]))].view(),
                       samplers_[sampler_of_[i]].handle());
        }
        plan.add(i, source.image, textures[i]);
    }
    decoding_ = std::make_unique<scene::ImageDecoding>(
        plan.images({limits.textures, limits.decoding, device.capabilities().limits.maxImageDimension2D}),
        limits.decoding);
}

void SceneTextures::make_stand_ins() {
    constexpr std::array<std::array<std::uint8_t, 4>, kStandIns> kTexels{
        {{255, 255, 255, 255}, {128, 128, 255, 255}, {0, 0, 0, 255}, {255, 128, 255, 255}}};
    for (std::size_t i = 0; i < kStandIns; ++i) {
        stand_ins_[i] = gpu::Image(device_, {.extent = {1, 1},
                                             .format = VK_FORMAT_R8G8B8A8_UNORM,
                                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                             .name = "stand-in"});
        const std::array level{gpu::ImageLevel{.texels = std::as_bytes(std::span(kTexels[i]))}};
        uploader_->image(stand_ins_[i], level);
        bytes_ += kTexels[i].size();
    }
    uploader_->flush();
}

void SceneTextures::begin_upload(scene::DecodedImage decoded) {
    Job& job = jobs_[arrived_];
    try {
        if (!decoded.error.empty()) throw Error(decoded.error);
        texels_ = std::move(decoded.levels);
        place_ = {};
        job.image = gpu::Image(device_, {.extent = {texels_[0].width, texels_[0].height},
                                         .format = job.format,
                                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                         .mips = static_cast<std::uint32_t>(texels_.size()),
                                         .components = job.components,
                                         .name = job.name});
    } catch (const Error& error) {
        note_missing(job.text, job.stand_in, error.what());
        end_upload();
    }
}

void SceneTextures::end_upload() {
    texels_.clear();
    ++arrived_;
    frames_since_ = 0;
}

bool SceneTextures::upload_some(VkDeviceSize most) {
    if (texels_.empty()) {
        std::optional<scene::DecodedImage> decoded = decoding_->take();
        if (!decoded) return false;
        begin_upload(std::move(*decoded));
        if (texels_.empty()) return true;
    }
    if (uploader_->image_part(jobs_[arrived_].image, levels_of(texels_), place_, most)) {
        for (const scene::TexelLevel& level : texels_) bytes_ += level.bytes().size();
        end_upload();
    }
    return true;
}

void SceneTextures::finish() {
    Progress progress("decode", jobs_.size(), "images");
    while (left() > 0) {
        if (texels_.empty()) begin_upload(decoding_->wait());
        if (!texels_.empty()) upload_some(VK_WHOLE_SIZE);
        progress.advance();
    }
    decoding_.reset();
    uploader_->finish();
    uploader_.reset();
    for (std::uint32_t slot = 0; slot < gpu::kFramesInFlight; ++slot) show_arrived(slot);
}

void SceneTextures::advance(std::uint32_t slot) {
    show_arrived(slot);
    if (!uploader_) return;
    const std::uint64_t until = uploader_->uploaded_bytes() + kBytesPerFrame;
    while (uploader_->uploaded_bytes() < until && upload_some(until - uploader_->uploaded_bytes())) {
    }
    uploader_->flush();
    show_arrived(slot);
    // Once the frames behind the last upload are over, nobody waits when the uploader ends.
    if (left() == 0 && ++frames_since_ > gpu::kFramesInFlight) {
        decoding_.reset();
        uploader_.reset();
    }
}

void SceneTextures::show_arrived(std::uint32_t slot) {
    for (std::size_t& shown = shown_[slot]; shown < arrived_; ++shown) {
        const Job& job = jobs_[shown];
        if (!job.image) continue;  // its stand-in stays
        for (const std::uint32_t element : job.elements) {
            tables_[slot]->set(element, job.image.view(), samplers_[sampler_of_[element]].handle());
        }
    }
}

void SceneTextures::bind(gpu::Commands commands, const gpu::Pipeline& pipeline, std::uint32_t slot) const {
    tables_[slot]->bind(commands, pipeline);
}

}  // namespace sublet::render
