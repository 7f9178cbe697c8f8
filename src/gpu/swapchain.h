#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/device.h"
#include "gpu/frame.h"

namespace sublet::gpu {

// The image to draw to in this frame: wait for `acquired`, leave it in PRESENT_SRC_KHR, signal `rendered`.
struct SwapchainImage {
    uint32_t index = 0;
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkSemaphore acquired = VK_NULL_HANDLE;
    VkSemaphore rendered = VK_NULL_HANDLE;

    // What FrameRing::submit takes. `stage`: where the image is first touched.
    [[nodiscard]] SubmitSync sync(VkPipelineStageFlags2 stage = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) const {
        return {acquired, stage, rendered};
    }
};

// The images of a window. The surface stays the caller's, who destroys it after the swapchain (and the window after
// that). Images can be colour attachments.
class Swapchain {
  public:
    // `extent` (pixels) is used where the surface does not dictate one. Throws Error when the device cannot present to
    // the surface.
    Swapchain(Device& device, VkSurfaceKHR surface, VkExtent2D extent, bool vsync);
    // Waits until the device is idle.
    ~Swapchain();
    Swapchain(const Swapchain&) = delete;
    Swapchain& operator=(const Swapchain&) = delete;

    // The next image, or nothing when there is none now: the window has no area, or the swapchain is out of date (call
    // resize(), then try in the next frame). Call it once the slot's previous frame is over: after FrameRing::begin.
    // When it gives an image, that frame must be submitted with its sync() and presented.
    std::optional<SwapchainImage> acquire(const Frame& frame);
    // Shows it. False: the swapchain no longer fits the window; call resize() before the next frame.
    bool present(const SwapchainImage& image);
    // Makes the images anew for the window's size. A size of zero leaves none until the next resize. Waits until the
    // device is idle.
    void resize(VkExtent2D extent);
    void set_vsync(bool vsync);

    [[nodiscard]] VkExtent2D extent() const { return extent_; }
    // 8-bit BGRA or RGBA UNORM where the surface has it: values are shown as written, so the caller encodes sRGB.
    [[nodiscard]] VkFormat format() const { return format_.format; }
    [[nodiscard]] bool srgb() const;
    [[nodiscard]] uint32_t image_count() const { return static_cast<uint32_t>(images_.size()); }
    [[nodiscard]] bool vsync() const { return vsync_; }

  private:
    void create();
    void destroy_images() noexcept;
    void destroy() noexcept;

    Device& device_;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    VkSurfaceFormatKHR format_{};
    VkExtent2D extent_{};
    bool vsync_ = true;
    std::vector<VkImage> images_;
    std::vector<VkImageView> views_;
    std::vector<VkSemaphore> rendered_;                    // one for each image: free again when the image comes back
    std::array<VkSemaphore, kFramesInFlight> acquired_{};  // one for each frame slot: free again when its frame is over
};

}  // namespace sublet::gpu
