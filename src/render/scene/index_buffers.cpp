#include "render/scene/index_buffers.h"

#include <utility>

#include "render/scene/decode.h"

namespace sublet::render {

const gpu::Buffer& IndexBuffers::get(const FrameContext& context, const GpuScene& scene, std::uint32_t bits) {
    gpu::Buffer& indices = by_bits_[bits];
    if (!indices) {
        indices = make_index_buffer(context.device, scene, bits);
        const auto pass = context.profiler.pass(context.frame.commands, "decode");
        record_decode_indices(context.frame.commands, *context.frame.descriptors, context.pipelines, scene, indices,
                              bits);
    }
    return indices;
}

void IndexBuffers::forget(gpu::Device& device, std::uint32_t bits) {
    const auto found = by_bits_.find(bits);
    if (found == by_bits_.end()) return;
    device.retire(std::move(found->second));
    by_bits_.erase(found);
}

std::uint64_t IndexBuffers::bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [bits, buffer] : by_bits_) bytes += buffer ? buffer.size() : 0;
    return bytes;
}

}  // namespace sublet::render
