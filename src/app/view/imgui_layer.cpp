#include "app/view/imgui_layer.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_vulkan.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "app/view/font.h"
#include "base/error.h"
#include "gpu/pipeline.h"

namespace sublet::app {

namespace {

constexpr float kFontPixels = 14.0F;

struct Cursor {
    int imgui, glfw;
};
constexpr std::array kCursors{
    Cursor{ImGuiMouseCursor_TextInput, GLFW_IBEAM_CURSOR}, Cursor{ImGuiMouseCursor_ResizeEW, GLFW_RESIZE_EW_CURSOR},
    Cursor{ImGuiMouseCursor_ResizeNS, GLFW_RESIZE_NS_CURSOR}, Cursor{ImGuiMouseCursor_Hand, GLFW_POINTING_HAND_CURSOR}};

PFN_vkVoidFunction load_function(const char* name, void* instance) {
    // Dynamic rendering is asked for under its name from before Vulkan 1.3.
    std::string core(name);
    if (core == "vkCmdBeginRenderingKHR" || core == "vkCmdEndRenderingKHR") core.erase(core.size() - 3);
    return vkGetInstanceProcAddr(static_cast<VkInstance>(instance), core.c_str());
}

void check_result(VkResult result) {
    gpu::check(result, "drawing the user interface");
}

void set_style(float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    ImGui::StyleColorsDark();
    style.WindowRounding = 3.0F;
    style.FrameRounding = 2.0F;
    style.GrabRounding = 2.0F;
    style.WindowBorderSize = 0.0F;
    style.PopupBorderSize = 1.0F;
    style.FramePadding = {4.0F, 2.0F};
    style.ItemSpacing = {8.0F, 3.0F};
    style.WindowPadding = {8.0F, 6.0F};
    style.ScrollbarSize = 11.0F;
    style.Colors[ImGuiCol_WindowBg] = {0.08F, 0.085F, 0.10F, 0.94F};
    style.Colors[ImGuiCol_PopupBg] = {0.10F, 0.105F, 0.12F, 0.98F};
    style.Colors[ImGuiCol_MenuBarBg] = {0.11F, 0.12F, 0.145F, 1.0F};
    style.Colors[ImGuiCol_TextDisabled] = {0.60F, 0.61F, 0.64F, 1.0F};  // read against the panels at 5:1
    style.ScaleAllSizes(scale);
}

void set_font(float scale, float density) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    add_font(atlas, std::round(kFontPixels * scale), density);
}

}  // namespace

ImguiContext::ImguiContext(GLFWwindow* window, float scale, float density) : window_(window) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    // The layout is the program's own: no file is left in the current folder.
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.MouseDoubleClickTime = 0.5F;  // seconds, as desktops have it: slow frames take most of a shorter time
    set_scale(scale, density);
    if (!ImGui_ImplGlfw_InitForVulkan(window, true)) {
        ImGui::DestroyContext();
        throw Error("view: the user interface can't use the window");
    }
}

ImguiContext::~ImguiContext() {
    for (GLFWcursor* cursor : cursors_) glfwDestroyCursor(cursor);  // null is allowed
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

bool ImguiContext::set_scale(float scale, float density) {
    if (scale == scale_ && density == density_) return false;
    scale_ = scale;
    density_ = density;
    set_style(scale);
    set_font(scale, density);
    return true;
}

// In place of the backend's own function, which in each frame asks the window system for sizes and the focus and waits
// for its answers: longer than many panels take.
void ImguiContext::begin_frame(VkExtent2D extent) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(extent.width) / density_, static_cast<float>(extent.height) / density_};
    io.DisplayFramebufferScale = {density_, density_};
    const double now = glfwGetTime();
    io.DeltaTime = frame_began_ > 0.0 ? std::max(static_cast<float>(now - frame_began_), 1e-5F) : 1.0F / 60.0F;
    frame_began_ = now;
    show_cursor();
    ImGui::NewFrame();
}

// The pointer's form, where it is another one than in the frame before.
void ImguiContext::show_cursor() {
    const int wanted = ImGui::GetMouseCursor();
    if (wanted == cursor_) return;
    cursor_ = wanted;
    const auto* const known =
        std::find_if(kCursors.begin(), kCursors.end(), [&](const Cursor& cursor) { return cursor.imgui == wanted; });
    GLFWcursor* cursor = nullptr;  // an arrow
    if (known != kCursors.end()) {
        GLFWcursor*& made = cursors_[static_cast<std::size_t>(known - kCursors.begin())];
        if (made == nullptr) made = glfwCreateStandardCursor(known->glfw);
        cursor = made;
    }
    glfwSetCursor(window_, cursor);
}

void ImguiContext::end_frame() {
    ImGui::Render();
}

bool ImguiContext::input_waits() {
    return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
}

ImguiLayer::ImguiLayer(gpu::Device& device, VkFormat format, std::uint32_t image_count) : device_(device) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 8};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
    pool.maxSets = 8;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    try {
        gpu::check(vkCreateDescriptorPool(device.handle(), &pool, nullptr, &pool_), "making the user interface");
        device.set_name(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool_, "user interface");
        ImGui_ImplVulkan_LoadFunctions(load_function, device.instance().handle());
        ImGui_ImplVulkan_InitInfo info{};
        info.Instance = device.instance().handle();
        info.PhysicalDevice = device.physical();
        info.Device = device.handle();
        info.QueueFamily = device.queue_family();
        info.Queue = device.queue();
        info.PipelineCache = device.pipeline_cache();
        info.DescriptorPool = pool_;
        // It keeps one vertex buffer for each of these, and reuses them in turn.
        info.MinImageCount = 2;
        info.ImageCount = std::max(image_count, 2U);
        info.MSAASamples = VK_SAMPLE_COUNT_1_BIT;
        info.UseDynamicRendering = true;
        info.ColorAttachmentFormat = format;
        info.CheckVkResultFn = check_result;
        if (!ImGui_ImplVulkan_Init(&info, VK_NULL_HANDLE)) throw Error("view: the user interface can't use the device");
        upload_font();
    } catch (...) {
        destroy();
        throw;
    }
}

ImguiLayer::~ImguiLayer() {
    try {
        device_.wait_idle();
    } catch (const std::exception&) {  // the device is lost: nothing is left to wait for
    }
    destroy();
}

void ImguiLayer::destroy() noexcept {
    if (ImGui::GetIO().BackendRendererUserData != nullptr) ImGui_ImplVulkan_Shutdown();
    vkDestroyDescriptorPool(device_.handle(), pool_, nullptr);
}

void ImguiLayer::upload_font() {
    device_.wait_idle();
    const std::unique_lock lock = device_.lock_queue();  // a scene may be on its way to the device meanwhile
    if (!ImGui_ImplVulkan_CreateFontsTexture()) throw Error("view: the user interface's font can't be uploaded");
}

void ImguiLayer::begin_frame() {
    ImGui_ImplVulkan_NewFrame();
}

void ImguiLayer::render(VkCommandBuffer commands, VkImageView view, VkExtent2D extent) {
    const gpu::Attachment color{view};
    gpu::begin_rendering(commands, extent, {&color, 1});
    ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), commands);
    vkCmdEndRendering(commands);
}

}  // namespace sublet::app
