#include "render/scene/hide.h"

#include <cstring>
#include <utility>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kHideLanes = 64;  // of a workgroup

gpu::ComputePipelineDesc hide_desc() {
    return {.name = "hide", .shader = {.spirv = shaders::hide_comp}};
}

}  // namespace

bool HidePass::set(GpuScene& scene, const std::vector<char>& nodes) {
    bool any = false;
    std::vector<std::uint32_t> bits((scene.instance_count + 31) / 32);
    for (std::size_t i = 0; i < scene.instance_nodes.size(); ++i) {
        const bool hidden = nodes.at(scene.instance_nodes[i]) != 0;
        any = any || hidden;
        bits[i / 32] |= hidden ? 1U << i % 32U : 0U;
        std::uint32_t& flags = scene.instance_data[i].flags;
        flags = (flags & ~shared::kInstanceHidden) | (hidden ? shared::kInstanceHidden : 0U);
    }
    if (!any && !bits_) return false;
    device_.retire(std::exchange(bits_, {}));  // frames that run may read it
    bits_ = gpu::Buffer(device_, {.size = bits.size() * sizeof(std::uint32_t),
                                  .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                  .memory = gpu::Memory::kUpload,
                                  .name = "hidden instances"});
    std::memcpy(bits_.mapped(), bits.data(), bits.size() * sizeof(std::uint32_t));
    changed_ = true;
    return any;
}

void HidePass::record(const FrameContext& context, const GpuScene& scene) {
    if (!changed_) return;
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("hide");
    const gpu::Pipeline& pipeline = context.bind(
        hide_desc(),
        {gpu::buffer_at(shared::kBindHidden, bits_), gpu::buffer_at(shared::kBindPlacedInstances, scene.instances)});
    pipeline.push(commands, shared::HideConstants{.count = scene.instance_count});
    dispatch_rows(commands, (scene.instance_count + kHideLanes - 1) / kHideLanes);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kConsume);
    changed_ = false;
}

void HidePass::forget() {
    device_.retire(std::exchange(bits_, {}));
    changed_ = false;
}

void HidePass::add_pipelines(gpu::PipelineList& out) {
    out.add(hide_desc());
}

}  // namespace sublet::render
