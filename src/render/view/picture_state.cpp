#include "render/view/picture_state.h"

#include <string>
#include <utility>
#include <vector>

#include "gpu/upload.h"
#include "render/passes/storage_buffer.h"
#include "render/view/output.h"
#include "shaders/shared/ambient.h"
#include "shaders/shared/exposure.h"
#include "shaders/shared/lights.h"

namespace sublet::render {
namespace {

gpu::Image make_color(gpu::Device& device, VkExtent2D extent) {
    return {device,
            {.extent = extent,
             .format = kColorFormat,
             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .name = "color"}};
}

gpu::Image make_behind(gpu::Device& device, VkExtent2D extent) {
    return {device,
            {.extent = extent,
             .format = kLightFormat,
             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
             .mips = gpu::full_mip_count(extent),
             .name = "light behind"}};
}

gpu::Buffer make_transmissive_tiles(gpu::Device& device, VkExtent2D extent) {
    const std::uint64_t columns = shade_tiles(extent.width);
    const std::uint64_t rows = shade_tiles(extent.height);
    return make_storage_buffer(device, "transmissive tiles",
                               sizeof(shared::TransmissiveTiles) + rows * (1 + columns) * sizeof(std::uint32_t),
                               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

// Nothing is measured yet.
gpu::Buffer make_exposure(gpu::Device& device) {
    gpu::Buffer out = make_storage_buffer(device, "exposure", sizeof(shared::ExposureState));
    gpu::Uploader uploader(device, 0);
    uploader.buffer(out, 0, std::vector<std::uint32_t>(sizeof(shared::ExposureState) / sizeof(std::uint32_t), 0));
    uploader.flush();
    return out;
}

}  // namespace

std::uint64_t LightClusters::bytes() const {
    std::uint64_t bytes = 0;
    for (const gpu::Buffer* buffer : {&clusters, &order, &in_view, &blocks, &workspace})
        bytes += *buffer ? buffer->size() : 0;
    return bytes;
}

PictureState::PictureState(gpu::Device& device)
    : texel_sampler(device, gpu::texel_sampler("texels")), inspector(device), device_(device) {
    for (std::size_t i = 0; i < exposures.size(); ++i) {
        exposures[i] = gpu::Buffer(
            device,
            {.size = sizeof(float), .memory = gpu::Memory::kReadback, .name = "exposure, slot " + std::to_string(i)});
        light_counts[i] = gpu::Buffer(device, {.size = sizeof(shared::ClusterState),
                                               .memory = gpu::Memory::kReadback,
                                               .name = "counts of lights, slot " + std::to_string(i)});
    }
}

void PictureState::prepare(VkExtent2D extent, const FramePlan& plan, bool transmissive, std::uint64_t sublets) {
    if (!color || color.extent().width != extent.width || color.extent().height != extent.height) {
        gpu::Image made_color = make_color(device_, extent);
        device_.retire(std::exchange(color, std::move(made_color)));
        for (gpu::Image* image :
             {&light, &behind, &overdraw, &motion, &ambient, &culled_depth, &resolved, &history[0], &history[1]}) {
            device_.retire(std::exchange(*image, {}));
        }
        device_.retire(std::exchange(transmissive_tiles, {}));
    }
    if (!plan.keep_light) device_.retire(std::exchange(light, {}));
    if (plan.keep_light && !light) {
        light = {device_,
                 {.extent = extent,
                  .format = kKeptLightFormat,
                  .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                  .name = "light"}};
    }
    if (plan.ev) device_.retire(std::exchange(exposure, {}));
    if (!plan.ev && !exposure) exposure = make_exposure(device_);
    if (!transmissive) {
        device_.retire(std::exchange(behind, {}));
        device_.retire(std::exchange(transmissive_tiles, {}));
    } else if (!behind) {
        behind = make_behind(device_, extent);
        transmissive_tiles = make_transmissive_tiles(device_, extent);
    }
    prepare_shown(extent, plan, sublets);
}

void PictureState::prepare_shown(VkExtent2D extent, const FramePlan& plan, std::uint64_t sublets) {
    const bool counted = plan.show == Show::kOverdraw;
    const bool drawn = plan.show == Show::kCulled;
    const std::uint64_t bytes = counted || drawn ? (sublets + 3) / 4 * 4 : 0;
    if (bytes != (rejected ? rejected.size() : 0)) {
        device_.retire(std::exchange(rejected, {}));
        if (bytes != 0) rejected = make_storage_buffer(device_, "verdicts of sublets", bytes);
    }
    const auto keep = [&](gpu::Image& image, bool wanted, VkFormat format, VkImageUsageFlags usage, const char* name) {
        if (!wanted) device_.retire(std::exchange(image, {}));
        if (wanted && !image)
            image = gpu::Image(device_, {.extent = extent, .format = format, .usage = usage, .name = name});
    };
    keep(overdraw, counted, kOverdrawFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
         "overdraw");
    keep(motion, wants_motion(plan), kLightFormat, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, "motion");
    if (!plan.ambient_occlusion) device_.retire(std::exchange(ambient, {}));
    if (plan.ambient_occlusion && !ambient) {
        const shared::uvec2 texels = shared::ambient_texels({extent.width, extent.height});
        ambient = gpu::Image(device_, {.extent = {texels.x, texels.y},
                                       .format = kLightFormat,
                                       .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                                       .name = "ambient occlusion"});
    }
    if (!history[0] || !plan.taa) has_history = false;
    for (gpu::Image& image : history)
        keep(image, plan.taa, kLightFormat, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, "history");
    if (!plan.taa) device_.retire(std::exchange(resolved, {}));
    if (plan.taa && !resolved) resolved = make_color(device_, extent);
    keep(culled_depth, drawn, kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, "depth of what is culled");
}

void PictureState::forget() {
    last.reset();
    has_history = false;
    shadows.forget();
    inspector.forget();
}

std::uint64_t PictureState::bytes() const {
    std::uint64_t bytes = 0;
    for (const gpu::Buffer* buffer : {&rejected, &transmissive_tiles}) bytes += *buffer ? buffer->size() : 0;
    for (const gpu::Image* image :
         {&color, &light, &behind, &overdraw, &motion, &ambient, &culled_depth, &resolved, &history[0], &history[1]})
        bytes += gpu::image_bytes(*image);
    return bytes;
}

}  // namespace sublet::render
