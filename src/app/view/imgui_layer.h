// Dear ImGui over a Vulkan picture. Its context belongs to the window and outlives a device; what draws it belongs to
// one.
#pragma once

#include <array>

#include "gpu/device.h"

struct GLFWcursor;
struct GLFWwindow;

namespace sublet::app {

// Dear ImGui's context: its input, its font and its style.
class ImguiContext {
  public:
    // Takes the window's input. `scale` and `density`: the window's (Window::scale, Window::density).
    ImguiContext(GLFWwindow* window, float scale, float density);
    ~ImguiContext();
    ImguiContext(const ImguiContext&) = delete;
    ImguiContext& operator=(const ImguiContext&) = delete;

    // Between frames, before ImguiLayer::upload_font(). False: it is drawn so already.
    bool set_scale(float scale, float density);

    // Between the two, ImGui's own functions are to be called; ImguiLayer::begin_frame() comes first. `extent`: of the
    // window, in pixels.
    void begin_frame(VkExtent2D extent);
    static void end_frame();
    // Whether input came that the last frame left to the next: ImGui takes a key's text, and its release, apart.
    [[nodiscard]] static bool input_waits();

  private:
    void show_cursor();

    GLFWwindow* window_;
    std::array<GLFWcursor*, 4> cursors_{};  // those that panels ask for
    int cursor_ = 0;                        // ImGui's name of the one that is shown
    double frame_began_ = 0;                // seconds of GLFW's clock
    float scale_ = 0.0F, density_ = 1.0F;
};

// Draws what the context holds. One at a time.
class ImguiLayer {
  public:
    // `format` is that of the views given to render(). `image_count`: images of the swapchain.
    ImguiLayer(gpu::Device& device, VkFormat format, std::uint32_t image_count);
    // The GPU must be done with what was drawn.
    ~ImguiLayer();
    ImguiLayer(const ImguiLayer&) = delete;
    ImguiLayer& operator=(const ImguiLayer&) = delete;

    // After ImguiContext::set_scale(). Waits for the GPU.
    void upload_font();
    static void begin_frame();
    // Draws what the last frame held over `view`, in COLOR_ATTACHMENT_OPTIMAL.
    void render(VkCommandBuffer commands, VkImageView view, VkExtent2D extent);

  private:
    void destroy() noexcept;

    gpu::Device& device_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
};

}  // namespace sublet::app
