#include "render/view/view_state.h"

#include <array>
#include <cmath>
#include <glm/gtc/matrix_access.hpp>
#include <glm/trigonometric.hpp>
#include <numbers>
#include <utility>
#include <vector>

#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/passes/storage_buffer.h"
#include "render/settings/backend_info.h"
#include "render/view/primitive_cull.h"
#include "render/view/sun.h"
#include "shaders/shared/exposure.h"

namespace sublet::render {
namespace {

constexpr VkDeviceSize kStateBytes = shared::kMostRounds * sizeof(shared::CullState);  // of a phase

shared::ViewData view_data(const View& view) {
    shared::ViewData out{};
    for (int row = 0; row < 4; ++row) {
        out.clip[row] = to_shared(glm::row(view.view_projection, row));
    }
    for (std::size_t i = 0; i < view.planes.size(); ++i) {
        out.planes[i] = to_shared(view.planes[i]);
    }
    out.eye = to_shared(glm::vec4(view.eye, view.orthographic ? 1.0F : 0.0F));
    out.forward =
        to_shared(glm::vec4(view.forward, std::abs(view.eye.x) + std::abs(view.eye.y) + std::abs(view.eye.z)));
    return out;
}

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

// Copies ids between the phases of a frame; `to` is then ready to be read by shaders.
void copy_ids(VkCommandBuffer commands, const gpu::Image& from, const gpu::Image& to) {
    gpu::image_barrier(commands, from, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kColorAttachment, gpu::kTransferRead);
    gpu::image_barrier(commands, to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, gpu::kComputeRead,
                       gpu::kTransferWrite);
    VkImageCopy region{};
    region.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.dstSubresource = region.srcSubresource;
    region.extent = {from.extent().width, from.extent().height, 1};
    vkCmdCopyImage(commands, from.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.handle(),
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    gpu::image_barrier(commands, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       gpu::kTransferRead, gpu::kColorAttachment);
    gpu::image_barrier(commands, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       gpu::kTransferWrite, gpu::kComputeRead);
}

// The sun's disc, a quarter of a degree from its centre to its edge, and its radiance over the irradiance that it
// makes. It stands in the sky alone: a picture has what suns it has.
constexpr float kSunDiscCosine = 0.99999F;
constexpr float kSunDiscRadiance = 1.0F / (2.0F * std::numbers::pi_v<float> * (1.0F - kSunDiscCosine));

}  // namespace

shared::FrameData frame_data(const View& view, const View& cull_view, const FramePlan& plan, const GpuScene& scene,
                             const SurvivorPlan& survivors, VkExtent2D extent, const VkPhysicalDeviceLimits& limits) {
    shared::FrameData out{};
    out.view = view_data(view);
    out.cull = view_data(cull_view);
    out.sun_direction = to_shared(glm::vec4(sun_direction(plan.sun), kSunDiscCosine));
    out.sun_color = to_shared(glm::vec4(sun_irradiance(plan.sun, plan.environment.kind) * plan.sun_strength,
                                        plan.environment.kind == EnvironmentKind::kSky ? kSunDiscRadiance : 0.0F));
    const float turn = glm::radians(plan.environment_turn);
    out.environment = {std::cos(turn), std::sin(turn), plan.environment_blur, 0.0F};
    const std::array<glm::vec3, 3> rays = pixel_rays(view);
    for (std::size_t i = 0; i < rays.size(); ++i) out.rays[i] = to_shared(glm::vec4(rays[i], 0.0F));
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        out.classes[c] = {survivors.base[c], survivors.slots[c], scene.task_base[c], 0};
    }
    const primitive_cull::CullViewport viewport =
        primitive_cull::make_cull_viewport(extent.width, extent.height, limits.subPixelPrecisionBits);
    out.viewport = {viewport.scale.x, viewport.scale.y, viewport.bias.x, viewport.bias.y};
    out.subpixels = viewport.subpixels;
    out.subpixel_margin = viewport.margin;
    out.task_count = scene.task_count;
    out.instance_count = scene.instance_count;
    out.sublet_count = static_cast<std::uint32_t>(scene.drawable_sublets);
    out.block_shift = scene.block_shift;
    std::uint32_t column = 0;
    for (const std::uint32_t c : scene.classes()) out.class_columns |= c << (4 * column++);
    out.cull_flags = (plan.cull_instances ? shared::kCullInstances : 0U) |
                     (plan.cull_frustum ? shared::kCullFrustum : 0U) | (plan.cull_cone ? shared::kCullCone : 0U) |
                     (plan.cull_sublets ? shared::kCullSublets : 0U) |
                     (plan.cull_primitives ? shared::kCullPrimitives : 0U);
    return out;
}

gpu::Buffer make_frame_data(gpu::Device& device, const std::string& name) {
    return {device,
            {.size = sizeof(shared::FrameData),
             .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
             .memory = gpu::Memory::kUpload,
             .name = name}};
}

ViewState::ViewState(gpu::Device& device)
    : texel_sampler(device, {.filter = VK_FILTER_NEAREST,
                             .min_filter = VK_FILTER_NEAREST,
                             .mipmap_mode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                             .address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                             .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                             .name = "texels"}),
      inspector(device),
      visibility(device),
      device_(device) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::string slot = ", slot " + std::to_string(i);
        slots[i].frame_data = make_frame_data(device, "frame data" + slot);
        slots[i].counters = gpu::Buffer(
            device, {.size = kExposureAt + sizeof(float), .memory = gpu::Memory::kReadback, .name = "counters" + slot});
    }
    for (std::size_t phase = 0; phase < cull_states.size(); ++phase) {
        cull_states[phase] =
            gpu::Buffer(device, {.size = kStateBytes,
                                 .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                                 .name = "cull states " + std::to_string(phase + 1)});
    }
}

void ViewState::prepare(const VisibilityOutput& output, VkExtent2D extent, const FramePlan& plan,
                        std::uint64_t sublets) {
    if (!output.fits(targets, extent)) {
        Targets made = output.make_targets(device_, extent);
        gpu::Image made_color = make_color(device_, extent);
        device_.retire(std::exchange(targets, std::move(made)));
        device_.retire(std::exchange(color, std::move(made_color)));
        device_.retire(std::exchange(light, {}));
        device_.retire(std::exchange(behind, {}));
        device_.retire(std::exchange(transmissive_tiles, {}));
        device_.retire(std::exchange(ids_of_phase_1, {}));
        device_.retire(std::exchange(transmissive_ids_of_phase_1, {}));
        device_.retire(std::exchange(pixels_of_phase_1, {}));
        device_.retire(std::exchange(overdraw, {}));
        device_.retire(std::exchange(motion, {}));
        device_.retire(std::exchange(culled_depth, {}));
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
    if (output.layers() == 2 && !behind) {
        behind = make_behind(device_, extent);
        transmissive_tiles = make_transmissive_tiles(device_, extent);
    }
    prepare_phase(output, extent, plan.show == Show::kPhase && plan.cull_occlusion);
    prepare_shown(extent, plan.show, sublets);
}

void ViewState::prepare_phase(const VisibilityOutput& output, VkExtent2D extent, bool wanted) {
    if (!wanted) {
        device_.retire(std::exchange(ids_of_phase_1, {}));
        device_.retire(std::exchange(transmissive_ids_of_phase_1, {}));
        device_.retire(std::exchange(pixels_of_phase_1, {}));
    } else if (output.in_compute() && !pixels_of_phase_1) {
        pixels_of_phase_1 = make_pixels(device_, extent, output.layers(), "pixels of phase 1");
    } else if (!output.in_compute() && !ids_of_phase_1) {
        ids_of_phase_1 = make_ids(device_, extent, output.id_format(), "ids of phase 1");
        if (output.layers() == 2) {
            transmissive_ids_of_phase_1 = make_ids(device_, extent, output.id_format(), "ids of phase 1, transmissive");
        }
    }
}

void ViewState::prepare_shown(VkExtent2D extent, Show show, std::uint64_t sublets) {
    const bool counted = show == Show::kOverdraw;
    const bool drawn = show == Show::kCulled;
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
    keep(motion, show == Show::kMotion, kLightFormat, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
         "motion");
    keep(culled_depth, drawn, kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, "depth of what is culled");
}

void ViewState::freeze(const View& view, const FramePlan& plan) {
    was_frozen = frozen.has_value();
    if (plan.freeze_culling < 0) {
        frozen.reset();
    } else if (!frozen && frames >= static_cast<std::uint64_t>(plan.freeze_culling)) {
        frozen = view;
    }
}

void ViewState::keep_ids(VkCommandBuffer commands) const {
    if (ids_of_phase_1) copy_ids(commands, targets.ids, ids_of_phase_1);
    if (transmissive_ids_of_phase_1) copy_ids(commands, targets.transmissive_ids, transmissive_ids_of_phase_1);
    if (pixels_of_phase_1) {
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kTransferRead | gpu::kTransferWrite);
        const VkBufferCopy all{0, 0, pixels_of_phase_1.size()};
        vkCmdCopyBuffer(commands, targets.pixels.handle(), pixels_of_phase_1.handle(), 1, &all);
        gpu::memory_barrier(commands, gpu::kTransferRead | gpu::kTransferWrite, gpu::kCompute);
    }
}

void ViewState::forget() {
    visibility.reset();
    rounds = {};
    frozen_visibility = false;
    last.reset();
    inspector.forget();
}

std::uint64_t ViewState::target_bytes() const {
    const auto pixels = [](const gpu::Image& image) {
        return std::uint64_t{image.extent().width} * image.extent().height;
    };
    std::uint64_t bytes = 0;
    for (const gpu::Buffer* buffer :
         {&rejected, &targets.pixels, &targets.wide_ids, &pixels_of_phase_1, &transmissive_tiles}) {
        if (*buffer) bytes += buffer->size();
    }
    for (const gpu::Image* image :
         {&color, &light, &overdraw, &motion, &culled_depth, &targets.ids, &targets.depth, &targets.transmissive_ids,
          &targets.transmissive_depth, &ids_of_phase_1, &transmissive_ids_of_phase_1}) {
        if (*image) bytes += pixels(*image) * gpu::texel_bytes(image->format());
    }
    if (behind) bytes += pixels(behind) * 4 / 3 * gpu::texel_bytes(kLightFormat);  // with its levels
    return bytes;
}

}  // namespace sublet::render
