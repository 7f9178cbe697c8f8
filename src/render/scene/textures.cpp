#include "render/scene/textures.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <thread>
#include <utility>

#include "base/count_text.h"
#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "gpu/barriers.h"
#include "gpu/commands.h"
#include "gpu/upload.h"
#include "scene/images.h"
#include "shaders/shared/shade.h"

namespace sublet::render {
namespace {

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
             .mips = has_mips(sampler),
             .max_anisotropy = is_anisotropic(sampler) ? 8.0F : 1.0F,
             .name = "texture"}};
}

}  // namespace

SceneTextures::SceneTextures(gpu::Device& device, const scene::Scene& scene, std::span<const BoundTexture> textures,
                             const TextureLimits& limits, std::function<void()> gate)
    : device_(device) {
    for (const scene::Sampler& sampler : scene.samplers) samplers_.push_back(make_sampler(device, sampler));
    samplers_.push_back(make_sampler(device, {}));
    make_stand_ins();
    for (auto& table : tables_) {
        table = std::make_unique<gpu::BindlessTextures>(device, static_cast<std::uint32_t>(textures.size()));
    }
    for (std::uint32_t i = 0; i < textures.size(); ++i) {
        const scene::Texture& source = scene.textures[static_cast<std::size_t>(textures[i].texture)];
        sampler_of_.push_back(source.sampler < 0 ? samplers_.size() - 1 : static_cast<std::size_t>(source.sampler));
        for (const auto& table : tables_) {
            table->set(i, stand_ins_[static_cast<std::size_t>(stand_in_of(textures[i]))].view(),
                       samplers_[sampler_of_[i]].handle());
        }
    }
    std::vector<PlannedTexture> planned;
    const bool lacks_room = plan_textures(scene, textures, limits, device.capabilities(), planned);
    for (PlannedTexture& image : planned) {
        most_bytes_ += bytes_from(image.decode.header, image.decode.halvings);
        jobs_.push_back({std::move(image), {}});
    }
    if (lacks_room) {
        most_bytes_ = limits.textures;
        const std::uint32_t most_side = device.capabilities().limits.maxImageDimension2D;
        std::vector<TextureLevels::Image> images;
        for (const Job& job : jobs_) {
            const scene::ImageHeader& header = job.decode.header;
            images.push_back({header.width, header.height, header.format, scene::halvings_to_side(header, most_side),
                              job.decode.halvings, job.stays});
        }
        levels_.emplace(images, limits.textures, limits.waits ? 0 : TextureFigures::kFramesToKnow);
        waits_ = limits.waits;
        most_finer_ = std::max(std::thread::hardware_concurrency() / 2, 1U);
        // A quarter more, for those whose place another one takes, and for gaps.
        memory_ = std::make_shared<const gpu::ImageMemory>(device, VK_FORMAT_R8G8B8A8_UNORM, image_usage(),
                                                           most_bytes_ + most_bytes_ / 4);
    }
    make_stamps();
    if (jobs_.empty()) return;
    loader_ = std::make_unique<TextureLoader>(device, limits.decoding, streams() && !waits_ ? most_finer_ : 0);
    loader_->set_gate(std::move(gate));
    for (std::size_t i = 0; i < jobs_.size(); ++i) load(i, jobs_[i].decode.halvings);
}

void SceneTextures::make_stand_ins() {
    constexpr std::array<std::array<std::uint8_t, 4>, kStandIns> kTexels{
        {{255, 255, 255, 255}, {128, 128, 255, 255}, {0, 0, 0, 255}, {255, 128, 255, 255}}};
    gpu::Uploader uploader(device_, 0);
    for (std::size_t i = 0; i < kStandIns; ++i) {
        stand_ins_[i] = gpu::Image(device_, {.extent = {1, 1},
                                             .format = VK_FORMAT_R8G8B8A8_UNORM,
                                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                             .name = "stand-in"});
        const std::array level{gpu::ImageLevel{.texels = std::as_bytes(std::span(kTexels[i]))}};
        uploader.image(stand_ins_[i], level);
        bytes_ += kTexels[i].size();
    }
    uploader.finish();
}

// Of what was sampled: see shared/shade.h.
void SceneTextures::make_stamps() {
    const auto rows = static_cast<std::uint32_t>((sampler_of_.size() + shared::kStampRow - 1) / shared::kStampRow);
    stamps_ = gpu::Image(device_, {.extent = streams() ? VkExtent2D{shared::kStampRow, rows} : VkExtent2D{1, 1},
                                   .format = VK_FORMAT_R32_UINT,
                                   .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                            VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                   .name = "sampled levels"});
    gpu::submit_and_wait(device_, "making textures", [&](VkCommandBuffer commands, gpu::DescriptorArena& /*arena*/) {
        gpu::image_barrier(commands, stamps_, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kNothing,
                           gpu::kCompute);
    });
    if (!streams()) return;
    for (gpu::Buffer& buffer : stamps_of_) {
        buffer = gpu::Buffer(device_, {.size = VkDeviceSize{sizeof(std::uint32_t)} * shared::kStampRow * rows,
                                       .memory = gpu::Memory::kReadback,
                                       .name = "sampled levels of a frame"});
    }
}

VkImageUsageFlags SceneTextures::image_usage() const {
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    return streams() ? usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT : usage;
}

// Of another finest level than it has.
void SceneTextures::load(std::size_t number, unsigned level) {
    const Job& job = jobs_[number];
    TextureRequest request{.image = number,
                           .level = level,
                           .desc = {.format = job.format,
                                    .usage = image_usage(),
                                    .components = job.components,
                                    .name = job.name,
                                    .memory = memory_},
                           .decode = job.decode};
    request.decode.halvings = level;
    if (job.image && level > job.level) {  // the GPU has all of it
        request.from = &job.image;
        request.fewer = level - job.level;
    }
    loader_->begin(std::move(request));
}

void SceneTextures::take(LoadedTexture loaded) {
    Job& job = jobs_[loaded.image];
    frames_since_ = 0;
    const bool first = left() != 0;
    ++arrived_;
    if (loaded.error.empty()) {
        if (!first) levels_->arrived(loaded.image);
        set_image(loaded.image, std::move(loaded.texture), loaded.level);
        return;
    }
    if (job.image) {
        note_once(job.text + " stays as it is: " + loaded.error);
    } else {
        note_missing(job.text, job.stand_in, loaded.error);
    }
    if (streams()) levels_->failed(loaded.image);
}

void SceneTextures::set_image(std::size_t number, gpu::Image image, unsigned level) {
    Job& job = jobs_[number];
    const scene::ImageHeader& header = job.decode.header;
    if (job.image) bytes_ -= bytes_from(header, job.level);
    bytes_ += bytes_from(header, level);
    if (job.image) leaving_.push_back({std::move(job.image), gpu::kFramesInFlight});
    job.image = std::move(image);
    job.level = level;
    for (auto& changed : changed_) changed.push_back(number);
}

// In all tables, since no frame uses one.
void SceneTextures::show_all() {
    for (std::uint32_t slot = 0; slot < gpu::kFramesInFlight; ++slot) show_changed(slot);
    for (Leaving& leaving : leaving_) device_.retire(std::move(leaving.image));
    leaving_.clear();
}

void SceneTextures::finish() {
    Progress progress("decode", jobs_.size(), "images");
    while (left() > 0) {
        take(loader_->wait());
        progress.advance();
    }
    if (!streams()) loader_.reset();
    show_all();
}

void SceneTextures::settle(bool may_be_coarser) {
    look_at_stamps(stamped_last_);
    while (loader_->left() > 0) {
        take(loader_->wait());
        show_all();
        device_.collect_retired();  // what makes room does so at once
    }
    const TextureFigures& now = levels_->figures();
    const std::uint64_t wanted = levels_->wanted_bytes();
    const std::string room = "the " + mebibytes(now.budget) + " that textures may take";
    if (wanted > now.budget && !may_be_coarser) {
        throw Error("scene", "--texture-budget",
                    "textures that are seen take " + mebibytes(wanted) + ", and have no room in " + room +
                        ": give them more (--vram-budget, --texture-budget), or ask for what there is room for "
                        "(--lod-error auto)");
    }
    if (now.coarser == 0) return;
    note_once("textures that are seen have no room in " + room + ": they are drawn " + counted(now.coarser, "level") +
              " coarser");
}

void SceneTextures::advance(std::uint32_t slot) {
    for (Leaving& leaving : leaving_) {
        if (leaving.frames-- == 0) device_.retire(std::exchange(leaving.image, {}));
    }
    std::erase_if(leaving_, [](const Leaving& leaving) { return !leaving.image; });
    if (loader_) {
        if (!waits() && std::exchange(stamped_[slot], false) && left() == 0) look_at_stamps(slot);
        while (std::optional<LoadedTexture> loaded = loader_->take()) take(std::move(*loaded));
        // Once the frames behind the last upload are over, nobody waits when the loader ends.
        if (!streams() && left() == 0 && ++frames_since_ > gpu::kFramesInFlight) loader_.reset();
    }
    show_changed(slot);
}

void SceneTextures::show_changed(std::uint32_t slot) {
    for (const std::size_t number : std::exchange(changed_[slot], {})) {
        Job& job = jobs_[number];
        job.shown[slot] = job.level;
        for (const std::uint32_t element : job.elements) {
            tables_[slot]->set(element, job.image.view(), samplers_[sampler_of_[element]].handle());
        }
    }
}

void SceneTextures::begin(const gpu::Frame& frame) {
    ++frame_;
    if (!streams()) return;
    const VkClearColorValue none{.uint32 = {shared::kNotStamped, 0, 0, 0}};
    const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    gpu::image_barrier(frame.commands, stamps_, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                       gpu::kTransferRead, gpu::kTransferWrite);
    frame.commands(vkCmdClearColorImage, stamps_.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &none, 1, &all);
    gpu::image_barrier(frame.commands, stamps_, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL,
                       gpu::kTransferWrite, gpu::kCompute);
}

void SceneTextures::end(const gpu::Frame& frame) {
    if (!streams()) return;
    gpu::image_barrier(frame.commands, stamps_, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kComputeWrite, gpu::kTransferRead);
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {stamps_.extent().width, stamps_.extent().height, 1};
    frame.commands(vkCmdCopyImageToBuffer, stamps_.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   stamps_of_[frame.slot].handle(), 1, &region);
    stamped_[frame.slot] = true;
    stamped_last_ = frame.slot;
}

// One of each block, in turns; or, where frames wait, all.
std::uint32_t SceneTextures::stamped_pixel() const {
    constexpr std::uint32_t kPixels = shared::kStampSide * shared::kStampSide;
    static_assert(kPixels == TextureFigures::kFramesToKnow);
    constexpr std::uint32_t kStep = 7;  // has no factor in common with them
    return waits() ? kPixels : static_cast<std::uint32_t>(frame_ * kStep % kPixels);
}

void SceneTextures::look_at_stamps(std::uint32_t slot) {
    const auto stamps = stamps_of_[slot].mapped_as<const std::uint32_t>();
    std::vector<unsigned> sampled(jobs_.size(), TextureLevels::kNotSampled);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
        const Job& job = jobs_[i];
        if (!job.shown[slot]) continue;  // of its stand-in
        for (const std::uint32_t element : job.elements) {
            if (stamps[element] >= shared::kNotStamped) continue;
            const unsigned level = *job.shown[slot] + stamps[element];
            sampled[i] = std::min(sampled[i], level - std::min(level, shared::kStampOfLevel0));
            if (job.unscaled) sampled[i] = 0;
        }
    }
    for (const auto& [job, level] : levels_->choose(sampled, waits() ? ~0U : most_finer_)) load(job, level);
}

std::optional<TextureFigures> SceneTextures::figures() const {
    if (!streams()) return std::nullopt;
    return levels_->figures();
}

void SceneTextures::set_gate(std::function<void()> gate) {
    if (loader_) loader_->set_gate(std::move(gate));
}

void SceneTextures::bind(gpu::Commands commands, const gpu::Pipeline& pipeline, std::uint32_t slot) const {
    tables_[slot]->bind(commands, pipeline);
}

}  // namespace sublet::render
