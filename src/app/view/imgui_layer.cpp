#include "app/view/imgui_layer.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_vulkan.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.h"

namespace sublet::app {

namespace {

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
    ImGui::StyleColorsDark();
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowRounding = 4.0F;
    style.FrameRounding = 2.0F;
    style.GrabRounding = 2.0F;
    style.WindowBorderSize = 0.0F;
    style.Colors[ImGuiCol_WindowBg].w = 0.88F;
    style.ScaleAllSizes(scale);
    ImFontConfig font;
    font.SizePixels = 13.0F * scale;
    ImGui::GetIO().Fonts->AddFontDefault(&font);
}

}  // namespace

ImguiLayer::ImguiLayer(gpu::Device& device, GLFWwindow* window, VkFormat format, std::uint32_t image_count, float scale)
    : device_(device) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    // The layout is the program's own: no file is left in the current folder.
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
    set_style(scale);

    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 8};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
    pool.maxSets = 8;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    try {
        gpu::check(vkCreateDescriptorPool(device.handle(), &pool, nullptr, &pool_), "making the user interface");
        if (!ImGui_ImplGlfw_InitForVulkan(window, true)) throw Error("view: the user interface can't use the window");
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
        if (!ImGui_ImplVulkan_CreateFontsTexture()) throw Error("view: the user interface's font can't be uploaded");
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
    if (ImGui::GetIO().BackendPlatformUserData != nullptr) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    vkDestroyDescriptorPool(device_.handle(), pool_, nullptr);
}

void ImguiLayer::begin_frame() {
    ImGui_ImplVulkan_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

void ImguiLayer::end_frame() {
    ImGui::Render();
}

void ImguiLayer::render(VkCommandBuffer commands, VkImageView view, VkExtent2D extent) {
    VkRenderingAttachmentInfo color{};
    color.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    color.imageView = view;
    color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
    info.renderArea.extent = extent;
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    vkCmdBeginRendering(commands, &info);
    ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), commands);
    vkCmdEndRendering(commands);
}

}  // namespace sublet::app
