#include "app/view/window_gpu.h"

#include <cmath>

#include "app/view/split_times.h"
#include "gpu/barriers.h"
#include "render/shade/shade.h"

namespace sublet::app {

namespace {

// The only stage that touches a window's image before the panels are drawn over it.
constexpr gpu::Access kAcquired{VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_NONE};

// In an image that is a colour attachment.
void clear(VkCommandBuffer commands, const gpu::SwapchainImage& target, VkExtent2D extent) {
    const gpu::Attachment color{target.view};
    gpu::begin_rendering(commands, extent, {&color, 1});
    VkClearAttachment background{};
    background.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
    for (std::size_t i = 0; i < 4; ++i) {
        background.clearValue.color.float32[i] = static_cast<float>(render::kBackgroundColor[i]) / 255.0F;
    }
    const VkClearRect all{{{0, 0}, extent}, 0, 1};
    vkCmdClearAttachments(commands, 1, &background, 1, &all);
    vkCmdEndRendering(commands);
    gpu::memory_barrier(commands, gpu::kColorAttachment, gpu::kColorAttachment);
}

}  // namespace

WindowGpu::WindowGpu(gpu::Instance& instance, const gpu::DeviceOptions& options, const Window& window, bool vsync,
                     render::Preparing preparing)
    : device(instance, options, window.surface()),
      renderer(std::make_unique<render::Renderer>(device)),
      ring(device),
      swapchain(device, window.surface(), window.extent(), vsync),
      imgui(device, swapchain.format(), swapchain.image_count()),
      preparing(preparing) {}

float WindowGpu::aspect() const {
    const VkExtent2D extent = swapchain.extent();
    return extent.height == 0 ? 1.0F : static_cast<float>(extent.width) / static_cast<float>(extent.height);
}

render::SceneFacts WindowGpu::facts() const {
    render::SceneFacts out = renderer->facts();
    out.width = swapchain.extent().width;
    out.height = swapchain.extent().height;
    out.in_window = true;
    return out;
}

render::FramePlan WindowGpu::plan(const render::FrameSettings& settings) {
    render::FramePlan plan = render::resolve(settings, device.capabilities(), facts());
    renderer->prepare(plan, true, preparing);
    return plan;
}

std::optional<WindowGpu::WindowFrame> WindowGpu::begin(VkExtent2D extent) {
    gpu::Frame& frame = ring.begin();
    if (const std::optional<gpu::SwapchainImage> image = swapchain.acquire(frame)) return WindowFrame{frame, *image};
    ring.abandon();
    swapchain.resize(extent);
    return std::nullopt;
}

void WindowGpu::record(const WindowFrame& frame, const std::function<void(const render::WindowTarget&)>& draw) {
    const VkCommandBuffer commands = frame.frame.commands;
    const gpu::SwapchainImage& image = frame.image;
    gpu::image_barrier(commands, image.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       kAcquired, gpu::kColorAttachment);
    if (draw) {
        draw({image.view, swapchain.format()});
        const auto pass = renderer->pass("user interface");
        imgui.render(commands, image.view, swapchain.extent());
    } else {
        clear(commands, image, swapchain.extent());
        imgui.render(commands, image.view, swapchain.extent());
    }
    gpu::image_barrier(commands, image.image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                       gpu::kColorAttachment, gpu::kNothing);
}

void WindowGpu::submit(const WindowFrame& frame) {
    ring.submit(frame.image.sync(kAcquired.stages));
}

void WindowGpu::draw_views(const render::WindowTarget& target, const std::optional<float>& split_at) {
    const std::uint32_t width = swapchain.extent().width;
    std::uint32_t end = width;
    if (split_at) {
        end = static_cast<std::uint32_t>(std::lround(*split_at * static_cast<float>(width)));
        renderer->draw_window_part(target, {end, width}, kSplitView);
    }
    renderer->draw_window_part(target, {0, end});
}

void WindowGpu::draw_panels(VkExtent2D extent) {
    const std::optional<WindowFrame> frame = begin(extent);
    if (!frame) return;
    record(*frame, {});
    submit(*frame);
    if (!swapchain.present(frame->image)) swapchain.resize(extent);
}

}  // namespace sublet::app
