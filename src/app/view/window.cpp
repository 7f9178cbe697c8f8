#include "app/view/window.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

#include "app/view/x_errors.h"
#include "base/error.h"
#include "base/path_text.h"
#include "base/system.h"
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

struct Platform {
    int id;  // GLFW's
    const char* name;
    const char* variable;  // of the environment: its display; null where it needs none
};
constexpr std::array kPlatforms{Platform{GLFW_PLATFORM_WAYLAND, "Wayland", "WAYLAND_DISPLAY"},
                                Platform{GLFW_PLATFORM_X11, "X11", "DISPLAY"}};
constexpr Platform kWindows{GLFW_PLATFORM_WIN32, "Windows", nullptr};

// The display of a window system; empty when there is none.
std::string display_of(const Platform& platform) {
    return environment_variable(platform.variable).value_or("");
}

bool start_platform(const Platform& platform) {
    if (glfwPlatformSupported(platform.id) != GLFW_TRUE) return false;
    if (platform.variable != nullptr && display_of(platform).empty()) return false;
    glfwInitHint(GLFW_PLATFORM, platform.id);
    return glfwInit() == GLFW_TRUE;
}

// A session of X11 may have a Wayland display as well, and the other way round. GLFW itself would ask for a Wayland
// display that nobody named, and give up on the first that does not answer.
bool start_glfw() {
    if (start_platform(kWindows)) return true;
    std::array<Platform, 2> platforms = kPlatforms;
    if (environment_variable("XDG_SESSION_TYPE") == "x11") std::swap(platforms[0], platforms[1]);
    return std::any_of(platforms.begin(), platforms.end(), start_platform);
}

// Why each window system can't be had.
std::string no_display() {
    if (glfwPlatformSupported(kWindows.id) == GLFW_TRUE) return "Windows has none for this program";
    std::string text;
    for (const Platform& platform : kPlatforms) {
        text += (text.empty() ? "" : "; ") + std::string(platform.name) + ": ";
        if (glfwPlatformSupported(platform.id) != GLFW_TRUE) {
            text += "this program was built without it";
        } else if (display_of(platform).empty()) {
            text += std::string(platform.variable) + " is not set";
        } else {
            text += std::string(platform.variable) + " is '" + display_of(platform) + "', where none answers";
        }
    }
    return text;
}

// Without Vulkan, `sublet render` makes no pictures either: throws what every other command says then.
void require_vulkan() {
    const gpu::Instance instance{gpu::DeviceOptions{}};
}

[[noreturn]] void fail(const std::string& what) {
    throw Error(what + (last_error().empty() ? "" : " (" + last_error() + ")"));
}

// What the screen has for a window, in units of the desktop: a larger one, window managers move about. 0 x 0: unknown.
VkExtent2D screen_room() {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    if (monitor == nullptr) return {0, 0};
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;
    glfwGetMonitorWorkarea(monitor, &left, &top, &width, &height);
    float x = 1.0F;
    float y = 1.0F;
    // On Wayland GLFW tells of a monitor's pixels.
    if (glfwGetPlatform() == GLFW_PLATFORM_WAYLAND) glfwGetMonitorContentScale(monitor, &x, &y);
    return {static_cast<std::uint32_t>(static_cast<float>(std::max(width, 0)) / std::max(x, 1.0F)),
            static_cast<std::uint32_t>(static_cast<float>(std::max(height, 0)) / std::max(y, 1.0F))};
}

}  // namespace

WindowSystem::WindowSystem() {
    last_error().clear();
    glfwSetErrorCallback(on_error);
    // GLFW is to use the loader that the rest of the program uses. Without one, the instance says so better.
    if (volkInitialize() == VK_SUCCESS) glfwInitVulkanLoader(vkGetInstanceProcAddr);
    if (!start_glfw()) {
        require_vulkan();
        throw Error("view: there is no display to open a window on (" + no_display() +
                    "); 'sublet render' makes pictures without one");
    }
    if (glfwGetPlatform() == GLFW_PLATFORM_X11) outlive_windows_of_others();
    last_error().clear();
}

WindowSystem::~WindowSystem() {
    glfwTerminate();
    glfwSetErrorCallback(nullptr);
}

std::string WindowSystem::name() const {
    const int id = glfwGetPlatform();
    const auto* const platform =
        std::find_if(kPlatforms.begin(), kPlatforms.end(), [id](const Platform& p) { return p.id == id; });
    return platform == kPlatforms.end() ? "" : platform->name;
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

Window::Window(PictureSize size, const std::string& title) {
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    // The desktop finds the program's name and icon by these.
    glfwWindowHintString(GLFW_WAYLAND_APP_ID, "sublet");
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "sublet");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "sublet");
    const VkExtent2D room = screen_room();
    const auto fit = [](std::uint32_t wanted, std::uint32_t available) {
        return static_cast<int>(available > 0 ? std::min(wanted, available) : wanted);
    };
    window_ =
        glfwCreateWindow(fit(size.width, room.width), fit(size.height, room.height), title.c_str(), nullptr, nullptr);
    if (window_ == nullptr) fail("view: no window could be opened");
    glfwSetWindowSizeLimits(window_, kLeastWidth, kLeastHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetWindowUserPointer(window_, this);
    glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
        Window& self = window_of(window);
        for (int i = 0; i < count; ++i) self.dropped_.push_back(text_path(paths[i]));
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

void Window::make_surface(VkInstance instance) {
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

std::optional<glm::ivec2> Window::position() const {
    if (glfwGetPlatform() == GLFW_PLATFORM_WAYLAND) return std::nullopt;
    glm::ivec2 at{0};
    glfwGetWindowPos(window_, &at.x, &at.y);
    return at;
}

glm::uvec2 Window::size() const {
    glm::ivec2 size{0};
    glfwGetWindowSize(window_, &size.x, &size.y);
    return glm::uvec2(glm::max(size, 1));
}

bool Window::maximized() const {
    return glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
}

void Window::place(const std::optional<glm::ivec2>& position, bool maximized) {
    if (position && this->position()) {
        int count = 0;
        GLFWmonitor** monitors = glfwGetMonitors(&count);
        for (int i = 0; i < count; ++i) {
            glm::ivec2 corner{0};
            glm::ivec2 extent{0};
            glfwGetMonitorWorkarea(monitors[i], &corner.x, &corner.y, &extent.x, &extent.y);
            // Its upper left corner, by which it can be moved, must be seen.
            const glm::ivec2 within = *position - corner;
            if (within.x < 0 || within.y < 0 || within.x >= extent.x - kLeastWidth / 2 ||
                within.y >= extent.y - kLeastHeight / 2) {
                continue;
            }
            glfwSetWindowPos(window_, position->x, position->y);
            break;
        }
    }
    if (maximized) glfwMaximizeWindow(window_);
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

float Window::density() const {
    int units = 0;
    int pixels = 0;
    int height = 0;
    glfwGetWindowSize(window_, &units, &height);
    glfwGetFramebufferSize(window_, &pixels, &height);
    if (units <= 0 || pixels <= 0) return 1.0F;
    // To the steps in which desktops scale (wp_fractional_scale): whole pixels of a window of any size tell it less
    // well.
    return std::round(120.0F * static_cast<float>(pixels) / static_cast<float>(units)) / 120.0F;
}

float Window::scale() const {
    float x = 1.0F;
    float y = 1.0F;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y) / density(), 1.0F, 4.0F);
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
