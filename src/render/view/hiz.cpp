#include "render/view/hiz.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "gpu/barriers.h"
#include "render/passes/storage_buffer.h"
#include "render/view/output.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kGroupSize = 256;  // hiz.comp's local size

std::uint32_t tiles(std::uint32_t size, std::uint32_t tile) {
    return (size + tile - 1) / tile;
}

gpu::ComputePipelineDesc pipeline_desc(const gpu::Capabilities& c, const Hiz::Options& options) {
    gpu::ComputePipelineDesc desc;
    desc.name = options.pixel_words != 0 ? "hiz of pixels" : "hiz";
    desc.shader.spirv = shaders::hiz_comp;
    std::uint32_t steps = 0;
    if (options.subgroups && c.subgroup_size_control &&
        c.has_subgroup_operations(VK_SHADER_STAGE_COMPUTE_BIT, VK_SUBGROUP_FEATURE_SHUFFLE_BIT)) {
        desc.shader.full_subgroups = true;
        std::uint32_t size = c.min_subgroup_size;
        // Where sizes vary, the usual one, if it may be asked for in workgroups this large.
        if (c.min_subgroup_size != c.max_subgroup_size &&
            c.can_require_subgroup_size(VK_SHADER_STAGE_COMPUTE_BIT, c.subgroup_size) &&
            kGroupSize <= c.subgroup_size * c.max_compute_workgroup_subgroups) {
            size = desc.shader.required_subgroup_size = c.subgroup_size;
        }
        steps = size >= 16 ? 2 : size >= 4 ? 1 : 0;
    }
    desc.shader.specialization = {{0, steps}, {1, options.pixel_words}};
    return desc;
}

}  // namespace

Hiz::Hiz(gpu::Device& device, const Options& options)
    : device_(device), options_(options), sampler_(device, gpu::texel_sampler("hiz")) {
    options_.max_bytes = std::min({options.max_bytes, std::uint64_t{device.capabilities().limits.maxStorageBufferRange},
                                   device.capabilities().max_buffer_size});
}

void Hiz::add_pipelines(const gpu::Capabilities& capabilities, const Options& options, gpu::PipelineList& out) {
    out.add(pipeline_desc(capabilities, options));
}

void Hiz::resize(gpu::Commands commands, VkExtent2D extent) {
    if (pyramid_ && extent.width == layout_.width && extent.height == layout_.height) return;
    if (extent.width == 0 || extent.height == 0 || std::max(extent.width, extent.height) > shared::kHizMaxSize) {
        throw Error("HiZ pyramid: a depth image of " + std::to_string(extent.width) + "x" +
                    std::to_string(extent.height) + " pixels; each side must lie between 1 and " +
                    std::to_string(shared::kHizMaxSize));
    }
    const shared::HizLayout layout = make_hiz_layout(extent.width, extent.height, options_.max_bytes);
    gpu::Buffer pyramid = make_storage_buffer(device_, "hiz", hiz_float_count(layout) * sizeof(float));
    const std::uint32_t columns = tiles(extent.width, shared::kHizTile);
    const std::uint32_t rows = tiles(extent.height, shared::kHizTile);
    const std::uint32_t groups = tiles(columns, shared::kHizTile) * tiles(rows, shared::kHizTile);
    gpu::Buffer state = make_storage_buffer(
        device_, "hiz state", (std::uint64_t{shared::kHizCounters} + std::uint64_t{columns} * rows + groups) * 4);
    // The shader leaves its counters at zero, so that once is enough.
    commands(vkCmdFillBuffer, state.handle(), 0, shared::kHizCounters * sizeof(std::uint32_t), 0);
    device_.retire(std::exchange(pyramid_, std::move(pyramid)));
    device_.retire(std::exchange(state_, std::move(state)));
    layout_ = layout;
}

void Hiz::dispatch(const FrameContext& context, const gpu::Buffer& pixels, const gpu::Image& depth,
                   std::uint32_t group_tiling) const {
    const gpu::Commands commands = context.frame.commands;
    const gpu::Pipeline& pipeline = context.bind(
        pipeline_desc(device_.capabilities(), options_),
        {gpu::buffer_at(shared::kBindPixels, pixels),
         gpu::texture_at(shared::kBindDepth, depth.view(), sampler_.handle(), VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL),
         gpu::buffer_at(shared::kBindPyramid, pyramid_), gpu::buffer_at(shared::kBindHizState, state_)});
    pipeline.push(commands, shared::HizConstants{layout_, group_tiling, 0, 0, 0});
    commands(vkCmdDispatch, tiles(layout_.width, shared::kHizTile), tiles(layout_.height, shared::kHizTile), 1);
}

void Hiz::record(const FrameContext& context, const gpu::Buffer& pixels, std::uint32_t group_tiling) {
    const auto pass = context.pass("hiz");
    if (!no_depth_) no_depth_ = make_unread_depth(device_, context.frame.commands);
    dispatch(context, pixels, no_depth_, group_tiling);
    gpu::memory_barrier(context.frame.commands, gpu::kCompute, gpu::kConsume | gpu::kTransferWrite);
}

void Hiz::record(const FrameContext& context, const gpu::Image& depth, std::uint32_t group_tiling) {
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("hiz");
    // Readers of the last pyramid are among the sources: their stages must be over before it is written again.
    gpu::image_barrier(commands, depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                       VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, gpu::kDepthAttachment | gpu::kConsume, gpu::kCompute);
    dispatch(context, state_, depth, group_tiling);  // no pixels are read: any buffer will do
    // Of all before, draws and this pass: the phase after reads the pyramid, overwrites the lists that the one before
    // drew from (by shaders, and by transfers where draws are zeroed), and draws over both attachments.
    const gpu::Access attachments = gpu::kColorAttachment | gpu::kDepthAttachment;
    gpu::memory_barrier(commands, gpu::kCompute | gpu::kDraw | attachments,
                        gpu::kConsume | gpu::kTransferWrite | attachments, depth,
                        VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
}

}  // namespace sublet::render
