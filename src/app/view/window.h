// A window for Vulkan, through GLFW, which starts here and nowhere else.
#pragma once

#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/setting_options.h"
#include "gpu/vulkan.h"

struct GLFWwindow;

namespace sublet::app {

// GLFW, from start to end, on Wayland or X11. One at a time, on the main thread.
class WindowSystem {
  public:
    // Of the displays that the environment names, takes the first that answers: Wayland's before X11's, but in a
    // session of X11. Throws Error when none does, or when no Vulkan can show pictures on it.
    WindowSystem();
    ~WindowSystem();
    WindowSystem(const WindowSystem&) = delete;
    WindowSystem& operator=(const WindowSystem&) = delete;

    [[nodiscard]] std::string name() const;  // "Wayland" or "X11"
    // The instance extensions that windows need: for gpu::DeviceOptions::surface_extensions.
    [[nodiscard]] std::vector<std::string> surface_extensions() const;
};

// A window, and its surface once there is one. Closed after everything that was made from the surface.
class Window {
  public:
    // `size` in units of the desktop: pixels, but on Wayland, where a unit can be several pixels wide.
    Window(PictureSize size, const std::string& title);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] GLFWwindow* handle() const { return window_; }
    [[nodiscard]] VkSurfaceKHR surface() const { return surface_; }
    // In pixels; 0 x 0 when it is minimized.
    [[nodiscard]] VkExtent2D extent() const;
    // On the screen, in the desktop's units; nothing where the desktop keeps that for itself (Wayland).
    [[nodiscard]] std::optional<glm::ivec2> position() const;
    [[nodiscard]] glm::uvec2 size() const;  // in the desktop's units
    [[nodiscard]] bool maximized() const;
    // Where it was left. A place that no screen shows is none.
    void place(const std::optional<glm::ivec2>& position, bool maximized);
    [[nodiscard]] bool should_close() const;
    void close();
    void set_title(const std::string& title);
    // Pixels to a unit of the desktop. Sizes and the pointer's place are in units; extent() alone is in pixels.
    [[nodiscard]] float density() const;
    // How many units everything is to be drawn large that takes one on a plain screen.
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

    // A surface for this instance. What was made from an old one must be gone. Throws Error; then there is none.
    void make_surface(VkInstance instance);
    void destroy_surface();
    // The files dropped on the window since the last call.
    [[nodiscard]] std::vector<std::filesystem::path> take_dropped();

  private:
    [[nodiscard]] static Window& window_of(GLFWwindow* window);
    void watch_activity();

    VkInstance instance_ = VK_NULL_HANDLE;  // the surface's
    GLFWwindow* window_ = nullptr;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    std::vector<std::filesystem::path> dropped_;
    bool active_ = true;
};

}  // namespace sublet::app
