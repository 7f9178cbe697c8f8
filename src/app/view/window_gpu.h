// The device that a window's pictures are drawn on, and all that needs it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/view/imgui_layer.h"
#include "app/view/window.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/swapchain.h"
#include "render/renderer.h"

namespace sublet::app {

// In the order in which it is made; unmade in reverse, before the window.
struct WindowGpu {
    WindowGpu(gpu::Instance& instance, const gpu::DeviceOptions& options, const Window& window, bool vsync,
              render::Preparing preparing);

    gpu::Device device;
    std::unique_ptr<render::Renderer> renderer;  // of the scene that is shown; of none before the first
    gpu::FrameRing ring;
    gpu::Swapchain swapchain;
    ImguiLayer imgui;
    render::Preparing preparing;  // of all pipelines

    // The window's width / height.
    [[nodiscard]] float aspect() const;
    // What a plan must know of the scene and the window.
    [[nodiscard]] render::SceneFacts facts() const;
    // How frames are drawn by these settings; has their pipelines made. Throws Error when the device can't.
    [[nodiscard]] render::FramePlan plan(const render::FrameSettings& settings);

    // Begins a frame. Nothing where the window can't show one now: its images are made anew, `extent` large.
    struct WindowFrame {
        gpu::Frame& frame;
        gpu::SwapchainImage image;
    };
    [[nodiscard]] std::optional<WindowFrame> begin(VkExtent2D extent);
    // Records what the window shows: what `draw` puts there, or the background for want of it, and the panels over it.
    void record(const WindowFrame& frame, const std::function<void(const render::WindowTarget&)>& draw);
    void submit(const WindowFrame& frame);
    // What this frame drew: view 0 up to this fraction of the width, and from there on kSplitView. Nothing: all of it.
    void draw_views(const render::WindowTarget& target, const std::optional<float>& split_at);
    // The panels alone, where there is no scene yet.
    void draw_panels(VkExtent2D extent);
};

}  // namespace sublet::app
