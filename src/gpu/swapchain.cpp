#include "gpu/swapchain.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/log.h"

namespace sublet::gpu {

namespace {

VkSurfaceFormatKHR choose_format(VkPhysicalDevice physical, VkSurfaceKHR surface) {
    uint32_t count = 0;
    check(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, nullptr), "asking for the window's formats");
    std::vector<VkSurfaceFormatKHR> formats(count);
    check(vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, formats.data()),
          "asking for the window's formats");
    if (formats.empty()) throw Error("the window has no picture format that this device can show");
    for (const VkFormat wanted :
         {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_SRGB}) {
        for (const VkSurfaceFormatKHR& format : formats) {
            if (format.format == wanted && format.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) return format;
        }
    }
    return formats[0];
}

VkPresentModeKHR choose_mode(VkPhysicalDevice physical, VkSurfaceKHR surface, bool vsync) {
    if (vsync) return VK_PRESENT_MODE_FIFO_KHR;  // always there
    uint32_t count = 0;
    check(vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &count, nullptr),
          "asking for the window's present modes");
    std::vector<VkPresentModeKHR> modes(count);
    check(vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &count, modes.data()),
          "asking for the window's present modes");
    for (const VkPresentModeKHR wanted : {VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_MAILBOX_KHR}) {
        if (std::find(modes.begin(), modes.end(), wanted) != modes.end()) return wanted;
    }
    return VK_PRESENT_MODE_FIFO_KHR;
}

VkCompositeAlphaFlagBitsKHR choose_alpha(VkCompositeAlphaFlagsKHR supported) {
    if ((supported & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) != 0) return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    return (supported & VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR) != 0 ? VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR
                                                                 : VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR;
}

VkSemaphore make_semaphore(const Device& device, const std::string& name) {
    const auto info = make_struct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    VkSemaphore semaphore = VK_NULL_HANDLE;
    check(vkCreateSemaphore(device.handle(), &info, nullptr, &semaphore), "creating a semaphore of the window");
    device.set_name(VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
    return semaphore;
}

}  // namespace

Swapchain::Swapchain(Device& device, VkSurfaceKHR surface, VkExtent2D extent, bool vsync)
    : device_(device), surface_(surface), extent_(extent), vsync_(vsync) {
    VkBool32 supported = VK_FALSE;
    check(vkGetPhysicalDeviceSurfaceSupportKHR(device.physical(), device.queue_family(), surface, &supported),
          "asking about the window");
    if (supported == VK_FALSE)
        throw Error(device.capabilities().name + " cannot present to this window: choose another --device");
    format_ = choose_format(device.physical(), surface);
    try {
        create();
    } catch (...) {
        destroy();
        throw;
    }
}

Swapchain::~Swapchain() {
    try {
        device_.wait_idle();
    } catch (const std::exception& error) {
        warn(error.what());
    }
    destroy();
}

void Swapchain::create() {
    VkSurfaceCapabilitiesKHR surface{};
    check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical(), surface_, &surface), "asking about the window");
    if (surface.currentExtent.width != ~0U) {
        extent_ = surface.currentExtent;
    } else {
        extent_.width = std::clamp(extent_.width, surface.minImageExtent.width, surface.maxImageExtent.width);
        extent_.height = std::clamp(extent_.height, surface.minImageExtent.height, surface.maxImageExtent.height);
    }
    const VkSwapchainKHR old = swapchain_;
    if (extent_.width == 0 || extent_.height == 0) {  // minimized
        vkDestroySwapchainKHR(device_.handle(), old, nullptr);
        swapchain_ = VK_NULL_HANDLE;
        return;
    }

    auto info = make_struct<VkSwapchainCreateInfoKHR>(VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR);
    info.surface = surface_;
    info.minImageCount = surface.minImageCount + 1;
    if (surface.maxImageCount != 0) info.minImageCount = std::min(info.minImageCount, surface.maxImageCount);
    info.imageFormat = format_.format;
    info.imageColorSpace = format_.colorSpace;
    info.imageExtent = extent_;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    info.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.preTransform = surface.currentTransform;
    info.compositeAlpha = choose_alpha(surface.supportedCompositeAlpha);
    info.presentMode = choose_mode(device_.physical(), surface_, vsync_);
    info.clipped = VK_TRUE;
    info.oldSwapchain = old;
    const VkResult result = vkCreateSwapchainKHR(device_.handle(), &info, nullptr, &swapchain_);
    vkDestroySwapchainKHR(device_.handle(), old, nullptr);
    if (result < 0) swapchain_ = VK_NULL_HANDLE;
    check(result, "creating the window's images");
    device_.set_name(VK_OBJECT_TYPE_SWAPCHAIN_KHR, swapchain_, "swapchain");

    uint32_t count = 0;
    check(vkGetSwapchainImagesKHR(device_.handle(), swapchain_, &count, nullptr), "listing the window's images");
    images_.resize(count);
    check(vkGetSwapchainImagesKHR(device_.handle(), swapchain_, &count, images_.data()), "listing the window's images");
    for (const VkImage image : images_) {
        auto view = make_struct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
        view.image = image;
        view.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view.format = format_.format;
        view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        views_.push_back(VK_NULL_HANDLE);
        check(vkCreateImageView(device_.handle(), &view, nullptr, &views_.back()),
              "creating the view of a window's image");
        const std::string number = std::to_string(views_.size() - 1);
        device_.set_name(VK_OBJECT_TYPE_IMAGE, image, "swapchain image " + number);
        device_.set_name(VK_OBJECT_TYPE_IMAGE_VIEW, views_.back(), "swapchain image " + number);
        rendered_.push_back(make_semaphore(device_, "swapchain image " + number + " rendered"));
    }
    for (std::size_t i = 0; i < acquired_.size(); ++i) {
        acquired_[i] = make_semaphore(device_, "image acquired, slot " + std::to_string(i));
    }
}

void Swapchain::destroy_images() noexcept {
    for (const VkImageView view : views_) vkDestroyImageView(device_.handle(), view, nullptr);
    for (const VkSemaphore semaphore : rendered_) vkDestroySemaphore(device_.handle(), semaphore, nullptr);
    for (VkSemaphore& semaphore : acquired_) {
        vkDestroySemaphore(device_.handle(), semaphore, nullptr);
        semaphore = VK_NULL_HANDLE;
    }
    images_.clear();
    views_.clear();
    rendered_.clear();
}

void Swapchain::destroy() noexcept {
    destroy_images();
    if (swapchain_ != VK_NULL_HANDLE) vkDestroySwapchainKHR(device_.handle(), swapchain_, nullptr);
    swapchain_ = VK_NULL_HANDLE;
}

std::optional<SwapchainImage> Swapchain::acquire(const Frame& frame) {
    if (swapchain_ == VK_NULL_HANDLE) return std::nullopt;
    const VkSemaphore acquired = acquired_[frame.slot];
    uint32_t index = 0;
    const VkResult result =
        vkAcquireNextImageKHR(device_.handle(), swapchain_, ~uint64_t{0}, acquired, VK_NULL_HANDLE, &index);
    if (result == VK_ERROR_OUT_OF_DATE_KHR) return std::nullopt;
    check(result, "acquiring the window's next image");
    return SwapchainImage{index, images_[index], views_[index], acquired, rendered_[index]};
}

bool Swapchain::present(const SwapchainImage& image) {
    auto info = make_struct<VkPresentInfoKHR>(VK_STRUCTURE_TYPE_PRESENT_INFO_KHR);
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &image.rendered;
    info.swapchainCount = 1;
    info.pSwapchains = &swapchain_;
    info.pImageIndices = &image.index;
    const VkResult result = device_.present(info);
    if (result == VK_ERROR_OUT_OF_DATE_KHR) return false;
    return check(result, "showing the picture in the window") == VK_SUCCESS;
}

void Swapchain::resize(VkExtent2D extent) {
    device_.wait_idle();
    destroy_images();
    extent_ = extent;
    create();
}

void Swapchain::set_vsync(bool vsync) {
    if (vsync == vsync_) return;
    vsync_ = vsync;
    resize(extent_);
}

bool Swapchain::srgb() const {
    return format_.format == VK_FORMAT_B8G8R8A8_SRGB || format_.format == VK_FORMAT_R8G8B8A8_SRGB;
}

}  // namespace sublet::gpu
