// A window for Vulkan, through GLFW, which starts here and nowhere else.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/setting_options.h"
#include "gpu/vulkan.h"

struct GLFWwindow;

namespace sublet::app {

// GLFW, from start to end. One at a time, on the main thread.
class WindowSystem {
  public:
    // Throws Error when there is no display, or no Vulkan that can show pictures on it.
    WindowSystem();
    ~WindowSystem();
    WindowSystem(const WindowSystem&) = delete;
    WindowSystem& operator=(const WindowSystem&) = delete;

    // The instance extensions that windows need: for gpu::DeviceOptions::surface_extensions.
    [[nodiscard]] std::vector<std::string> surface_extensions() const;
};

// A window and its surface. Closed after everything that was made from the surface.
class Window {
  public:
    Window(VkInstance instance, PictureSize size, const std::string& title);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] GLFWwindow* handle() const { return window_; }
    [[nodiscard]] VkSurfaceKHR surface() const { return surface_; }
    // In pixels; 0 x 0 when it is minimized.
    [[nodiscard]] VkExtent2D extent() const;
    [[nodiscard]] bool should_close() const;
    void close();
    void set_title(const std::string& title);
    // How much larger than on a plain screen everything is to be drawn.
    [[nodiscard]] float scale() const;
    void set_clipboard(const std::string& text);
    [[nodiscard]] std::string clipboard() const;
    // Whether keys that are pressed go to it.
    [[nodiscard]] bool focused() const;

    // Takes in what happened, without waiting; or waits until something does, at most `seconds`.
    void poll();
    void wait(double seconds);
    // Whether a person or the desktop did something with the window (moved the pointer over it, pressed a key, dropped
    // a file, uncovered it) since the last call.
    [[nodiscard]] bool take_activity();

    // A surface for another instance. What was made from the old one must be gone. Throws Error; then there is none.
    void remake_surface(VkInstance instance);
    void destroy_surface();
    // The files dropped on the window since the last call.
    [[nodiscard]] std::vector<std::filesystem::path> take_dropped();

  private:
    [[nodiscard]] static Window& window_of(GLFWwindow* window);
    void watch_activity();

    VkInstance instance_;
    GLFWwindow* window_ = nullptr;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    std::vector<std::filesystem::path> dropped_;
    bool active_ = true;
};

}  // namespace sublet::app
