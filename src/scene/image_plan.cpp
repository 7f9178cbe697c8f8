// plan_images: which image of a scene is drawn at which size.
#include <algorithm>
#include <queue>
#include <utility>

#include "scene/images.h"

namespace sublet::scene {

unsigned halvings_to_side(const ImageHeader& image, std::uint32_t most_side) {
    unsigned halvings = 0;
    while (halved(std::max(image.width, image.height), halvings) > most_side) ++halvings;
    return halvings;
}

std::vector<ImagePlan> plan_images(std::span<const ImageHeader> images, const ImageLimits& limits) {
    std::vector<ImagePlan> plan(images.size());
    const auto bytes_of = [&](std::size_t i) {
        const unsigned halvings = plan[i].halvings;
        return texture_bytes(halved(images[i].width, halvings), halved(images[i].height, halvings), images[i].format);
    };
    // The largest on top; of equal ones the first.
    using Entry = std::pair<std::uint64_t, std::size_t>;
    const auto after = [](const Entry& a, const Entry& b) {
        return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::priority_queue<Entry, std::vector<Entry>, decltype(after)> largest(after);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
        const ImageHeader& image = images[i];
        plan[i].left_out = image.decode_bytes > limits.decoding;
        if (plan[i].left_out) continue;
        plan[i].halvings = halvings_to_side(image, limits.most_side);
        largest.emplace(bytes_of(i), i);
        total += bytes_of(i);
    }
    while (total > limits.textures && !largest.empty()) {
        const auto [bytes, i] = largest.top();
        largest.pop();
        if (plan[i].halvings + 1 >= level_count(images[i].width, images[i].height)) continue;  // one texel is left
        ++plan[i].halvings;
        largest.emplace(bytes_of(i), i);
        total -= bytes - bytes_of(i);
    }
    return plan;
}

}  // namespace sublet::scene
