// The decoder of images on any bytes, and the plan and the halving on what its header lets through.
#include "base/error.h"
#include "scene/images.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sublet;
    scene::Image image;
    image.mime_type = "image/png";  // the decoder goes by the bytes
    image.bytes.assign(data, data + size);
    try {
        const scene::ImageHeader header = scene::read_image_header(image);
        constexpr std::uint64_t kQuickly = 8U << 20U;  // larger ones would only slow the search down
        const std::vector<scene::ImagePlan> plan = scene::plan_images({&header, 1}, {kQuickly, 64, true});
        if (!plan[0].left_out) (void)scene::decode_image(image, header, plan[0].halvings);
    } catch (const Error&) {
    }
    return 0;
}
