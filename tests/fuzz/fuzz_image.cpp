// The decoder of images on any bytes, and the plan and the mips on what its header lets through.
#include "base/error.h"
#include "scene/image_blocks.h"
#include "scene/images.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sublet;
    scene::Image image;
    image.mime_type = "image/png";  // the decoder goes by the bytes
    image.bytes.assign(data, data + size);
    try {
        // The same bytes as for devices that read blocks and for others.
        const scene::ImageHeader header = scene::read_image_header(image, size % 4 < 2);
        constexpr std::uint64_t kQuickly = 8U << 20U;  // larger ones would only slow the search down
        const std::vector<scene::ImagePlan> plan = scene::plan_images({&header, 1}, {kQuickly, kQuickly, 64});
        if (plan[0].left_out) return 0;
        const auto use = static_cast<scene::TextureUse>(size % 3);
        const scene::MipFilter filter{.use = use, .weigh_by_alpha = size % 2 == 0, .least_alpha = 128};
        const std::vector<scene::TexelLevel> levels = scene::decode_image(image, header, filter, plan[0].halvings);
        if (header.format != scene::TexelFormat::kRgba8) (void)scene::unpack_blocks(levels.front());
    } catch (const Error&) {
    }
    return 0;
}
