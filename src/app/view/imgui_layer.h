// Dear ImGui over a Vulkan picture: its context, its GPU resources, and the commands that draw it.
#pragma once

#include "gpu/device.h"

struct GLFWwindow;

namespace sublet::app {

class ImguiLayer {
  public:
    // Takes the window's input. `format` is that of the views given to render(). `image_count`: images of the
    // swapchain.
    ImguiLayer(gpu::Device& device, GLFWwindow* window, VkFormat format, std::uint32_t image_count, float scale);
    // The GPU must be done with what was drawn.
    ~ImguiLayer();
    ImguiLayer(const ImguiLayer&) = delete;
    ImguiLayer& operator=(const ImguiLayer&) = delete;

    // Between the two, ImGui's own functions are to be called.
    void begin_frame();
    void end_frame();
    // Draws what the last frame held over `view`, in COLOR_ATTACHMENT_OPTIMAL.
    void render(VkCommandBuffer commands, VkImageView view, VkExtent2D extent);

  private:
    void destroy() noexcept;

    gpu::Device& device_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
};

}  // namespace sublet::app
