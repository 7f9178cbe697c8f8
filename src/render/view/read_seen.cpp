#include "render/view/read_seen.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gpu/upload.h"
#include "render/settings/backend_info.h"

namespace sublet::render {
namespace {

template <class T>
void append(std::vector<T>& out, const std::vector<std::byte>& bytes) {
    const std::size_t before = out.size();
    out.resize(before + bytes.size() / sizeof(T));
    std::memcpy(out.data() + before, bytes.data(), bytes.size());
}

// Of all layers, one after the other.
SeenPixels read_words(gpu::Device& device, const Targets& targets, bool ids) {
    SeenPixels out;
    if (targets.pixel_words() == 1) {
        out.depth = gpu::read_buffer_as<float>(device, targets.pixels, 0, targets.pixels.size() / sizeof(float));
        return out;
    }
    const std::size_t pixels = targets.pixels.size() / kRasterPixelBytes;
    for (const std::uint64_t word : gpu::read_buffer_as<std::uint64_t>(device, targets.pixels, 0, pixels)) {
        out.depth.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(word >> shared::kPixelIdBits)));
        if (ids && !targets.wide_ids) out.ids.push_back(static_cast<std::uint32_t>(word));
    }
    if (ids && targets.wide_ids) {
        out.ids = gpu::read_buffer_as<std::uint32_t>(device, targets.wide_ids, 0, pixels * 2);
    }
    return out;
}

SeenPixels read_images(gpu::Device& device, const Targets& targets, bool ids) {
    SeenPixels out;
    for (const gpu::Image* depth : {&targets.depth, &targets.transmissive_depth}) {
        if (*depth) append(out.depth, gpu::read_image(device, *depth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL));
    }
    if (!ids || !targets.ids) return out;
    for (const gpu::Image* image : {&targets.ids, &targets.transmissive_ids}) {
        if (*image) append(out.ids, gpu::read_image(device, *image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL));
    }
    return out;
}

// What blends, and is nearer.
void add_blended(gpu::Device& device, const Targets& targets, bool ids, SeenPixels& out) {
    const std::vector<std::uint64_t> words =
        gpu::read_buffer_as<std::uint64_t>(device, targets.layers, 0, targets.layers.size() / sizeof(std::uint64_t));
    const std::size_t pixels = out.depth.size();
    const std::size_t blocks = (pixels + shared::kLayerBlock - 1) / shared::kLayerBlock;
    const std::size_t stride = words.size() / (blocks * shared::kLayerBlock);  // words of a pixel
    for (std::size_t i = 0; i < pixels; ++i) {
        const std::size_t within = i % shared::kLayerBlock;
        const std::uint64_t* first = &words[(i - within) * stride + within];
        for (std::size_t word = 0; ids && word < stride; ++word) {
            out.layers.push_back(first[word * shared::kLayerBlock]);
        }
        const std::uint64_t nearest = *first;
        const auto depth = std::bit_cast<float>(static_cast<std::uint32_t>(nearest >> shared::kPixelIdBits));
        if (!(depth > out.depth[i])) continue;
        out.depth[i] = depth;
        if (ids) out.ids[i] = static_cast<std::uint32_t>(nearest);
    }
}

}  // namespace

SeenPixels read_seen(gpu::Device& device, const Targets& targets, bool ids) {
    const SeenPixels layers = targets.in_compute ? read_words(device, targets, ids) : read_images(device, targets, ids);
    const std::size_t pixels = std::size_t{targets.extent.width} * targets.extent.height;
    const std::size_t words = layers.ids.size() / layers.depth.size();
    SeenPixels out{
        .depth = std::vector<float>(pixels), .ids = std::vector<std::uint32_t>(pixels * words), .layers = {}};
    for (std::size_t i = 0; i < pixels; ++i) {
        const bool second = layers.depth.size() > pixels && layers.depth[pixels + i] > layers.depth[i];
        const std::size_t from = second ? pixels + i : i;
        out.depth[i] = layers.depth[from];
        if (out.depth[i] == 0.0F) continue;  // nobody writes the ids
        for (std::size_t w = 0; w < words; ++w) out.ids[i * words + w] = layers.ids[from * words + w];
    }
    if (targets.layers) add_blended(device, targets, words != 0, out);
    return out;
}

}  // namespace sublet::render
