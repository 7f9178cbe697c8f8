#include "gpu/swapchain.h"

#include "gpu/barriers.h"
#include "gpu/pipeline.h"
#include "test_device.h"

namespace sublet::gpu {
namespace {

// A surface without a window (VK_EXT_headless_surface): everything but the showing.
class SwapchainTest : public testing::Test {
  protected:
    void SetUp() override {
        DeviceOptions options;
        options.validation = validation_installed();
        options.surface_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
        try {
            instance_ = std::make_unique<Instance>(options);
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        const auto info =
            make_struct<VkHeadlessSurfaceCreateInfoEXT>(VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
        check(vkCreateHeadlessSurfaceEXT(instance_->handle(), &info, nullptr, &surface_),
              "creating a headless surface");
        device_ = std::make_unique<Device>(*instance_, options, surface_);
    }

    void TearDown() override {
        device_.reset();
        if (surface_ != VK_NULL_HANDLE) vkDestroySurfaceKHR(instance_->handle(), surface_, nullptr);
        EXPECT_TRUE(instance_ == nullptr || instance_->validation_messages() == 0U);
    }

    // Clears the next image and shows it; false when there is none.
    static bool show(Swapchain& swapchain, FrameRing& ring) {
        const Frame& frame = ring.begin();
        const std::optional<SwapchainImage> image = swapchain.acquire(frame);
        if (!image.has_value()) {
            ring.submit();
            return false;
        }
        image_barrier(frame.commands, image->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      kColorAttachment, kColorAttachment);
        const Attachment color{image->view, VK_ATTACHMENT_LOAD_OP_CLEAR};
        begin_rendering(frame.commands, swapchain.extent(), {&color, 1});
        vkCmdEndRendering(frame.commands);
        image_barrier(frame.commands, image->image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                      VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, kColorAttachment, kNothing);
        ring.submit(image->sync(VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT));
        swapchain.present(*image);
        return true;
    }

    std::unique_ptr<Instance> instance_;
    std::unique_ptr<Device> device_;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
};

TEST_F(SwapchainTest, ShowsResizesAndToggles) {
    FrameRing ring(*device_);
    Swapchain swapchain(*device_, surface_, {64, 48}, true);
    EXPECT_EQ(swapchain.extent().width, 64U);
    EXPECT_EQ(swapchain.extent().height, 48U);
    EXPECT_FALSE(swapchain.srgb());
    EXPECT_GE(swapchain.image_count(), 2U);
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(show(swapchain, ring));
    for (const VkExtent2D extent : {VkExtent2D{31, 77}, VkExtent2D{1, 1}, VkExtent2D{640, 360}}) {
        swapchain.resize(extent);
        EXPECT_EQ(swapchain.extent().width, extent.width);
        for (int i = 0; i < 4; ++i) EXPECT_TRUE(show(swapchain, ring));
    }
    swapchain.set_vsync(false);
    EXPECT_FALSE(swapchain.vsync());
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(show(swapchain, ring));
}

TEST(SurfaceExtensions, MissingOneIsAnError) {
    DeviceOptions options;
    options.surface_extensions = {"VK_KHR_no_such_surface"};
    EXPECT_TRUE(mentions(error_of([&] { const Instance instance(options); }), "VK_KHR_no_such_surface"));
}

}  // namespace
}  // namespace sublet::gpu
