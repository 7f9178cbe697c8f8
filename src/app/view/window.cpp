#include "app/view/window.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "gpu/device.h"

namespace sublet::app {

namespace {

// Smaller, nothing can be read in it.
constexpr int kLeastWidth = 320;
constexpr int kLeastHeight = 240;

// What GLFW said last; it tells through a callback.
std::string& last_error() {
    static std::string text;
    return text;
}

void on_error(int /*code*/, const char* description) {
    last_error() = description;
}

// Without Vulkan, `sublet render` makes no pictures either: throws what every other command says then.
void require_vulkan() {
    const gpu::Instance instance{gpu::DeviceOptions{}};
}

[[noreturn]] void fail(const std::string& what) {
    throw Error(what + (last_error().empty() ? "" : " (" + last_error() + ")"));
}

}  // namespace

WindowSystem::WindowSystem() {
    last_error().clear();
    glfwSetErrorCallback(on_error);
    // GLFW is to use the loader that the rest of the program uses. Without one, the instance says so better.
    if (volkInitialize() == VK_SUCCESS) glfwInitVulkanLoader(vkGetInstanceProcAddr);
    if (glfwInit() != GLFW_TRUE) {
        require_vulkan();
        fail("view: there is no display to open a window on; 'sublet render' makes pictures without one");
    }
}

WindowSystem::~WindowSystem() {
    glfwTerminate();
    glfwSetErrorCallback(nullptr);
}

std::vector<std::string> WindowSystem::surface_extensions() const {
    // Without Vulkan there are none, and the instance will say so.
    if (volkInitialize() != VK_SUCCESS) return {};
    std::uint32_t count = 0;
    const char** names = glfwGetRequiredInstanceExtensions(&count);
    if (names == nullptr) {
        require_vulkan();
        fail("view: Vulkan can't show pictures on this display; 'sublet render' makes them without one");
    }
    return {names, names + count};
}

Window::Window(VkInstance instance, PictureSize size, const std::string& title) : instance_(instance) {
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    // No larger than the screen, or window managers move it about.
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) glfwGetMonitorWorkarea(monitor, &left, &top, &width, &height);
    const auto fit = [](std::uint32_t wanted, int available) {
        return available > 0 ? std::min(static_cast<int>(wanted), available) : static_cast<int>(wanted);
    };
    window_ = glfwCreateWindow(fit(size.width, width), fit(size.height, height), title.c_str(), nullptr, nullptr);
    if (window_ == nullptr) fail("view: no window could be opened");
    try {
        remake_surface(instance);
    } catch (...) {
        glfwDestroyWindow(window_);
        throw;
    }
    glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetWindowUserPointer(window_, this);
    glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
        Window& self = window_of(window);
        self.dropped_.insert(self.dropped_.end(), paths, paths + count);
        self.active_ = true;
    });
    watch_activity();
}

Window::~Window() {
    destroy_surface();
    glfwDestroyWindow(window_);
}

Window& Window::window_of(GLFWwindow* window) {
    return *static_cast<Window*>(glfwGetWindowUserPointer(window));
}

// The user interface puts callbacks of its own before these, and calls them.
void Window::watch_activity() {
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double, double) { window_of(w).active_ = true; });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int) { window_of(w).active_ = true; });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int, int, int) { window_of(w).active_ = true; });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { window_of(w).active_ = true; });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int, int, int, int) { window_of(w).active_ = true; });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned) { window_of(w).active_ = true; });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { window_of(w).active_ = true; });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { window_of(w).active_ = true; });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { window_of(w).active_ = true; });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { window_of(w).active_ = true; });
    glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int) { window_of(w).active_ = true; });
}

void Window::remake_surface(VkInstance instance) {
    destroy_surface();
    instance_ = instance;
    const VkResult result = glfwCreateWindowSurface(instance, window_, nullptr, &surface_);
    if (result != VK_SUCCESS) fail("view: Vulkan can't draw to the window: " + gpu::result_name(result));
}

void Window::destroy_surface() {
    if (surface_ != VK_NULL_HANDLE) vkDestroySurfaceKHR(instance_, surface_, nullptr);
    surface_ = VK_NULL_HANDLE;
}

VkExtent2D Window::extent() const {
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE) return {0, 0};
    return {static_cast<std::uint32_t>(std::max(width, 0)), static_cast<std::uint32_t>(std::max(height, 0))};
}

bool Window::should_close() const {
    return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

void Window::close() {
    glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(window_, title.c_str());
}

float Window::scale() const {
    float x = 1.0F;
    float y = 1.0F;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y), 1.0F, 4.0F);
}

void Window::set_clipboard(const std::string& text) {
    glfwSetClipboardString(window_, text.c_str());
}

std::string Window::clipboard() const {
    const char* text = glfwGetClipboardString(window_);
    return text == nullptr ? "" : text;
}

bool Window::focused() const {
    return glfwGetWindowAttrib(window_, GLFW_FOCUSED) == GLFW_TRUE;
}

bool Window::take_activity() {
    return std::exchange(active_, false);
}

void Window::poll() {
    glfwPollEvents();
}

void Window::wait(double seconds) {
    glfwWaitEventsTimeout(seconds);
}

std::vector<std::filesystem::path> Window::take_dropped() {
    return std::exchange(dropped_, {});
}

}  // namespace sublet::app
