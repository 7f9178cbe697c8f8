// Layers of what blends, by depth tests: for devices without what view/layers.glsl takes.
#pragma once

#include <functional>

#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/passes/frame_context.h"

namespace sublet::render {

// What is drawn for a layer.
struct PeelTargets {
    gpu::Image words;  // R32G32_UINT: shaders/view/pixel_word.glsl
    gpu::Image depth;  // of what hides it; then of what was found

    [[nodiscard]] explicit operator bool() const { return bool{words}; }
};

[[nodiscard]] PeelTargets make_peel_targets(gpu::Device& device, VkExtent2D extent, VkFormat depth_format);

// Calls `draw` once for each of `count` layers, within rendering to `targets`, by pipelines that leave out what was
// found before (shaders/view/peel.glsl), and puts what is found into `layers`. `depth`: of all else, as an attachment,
// which it stays. Outside of rendering.
void peel_layers(const FrameContext& context, const PeelTargets& targets, const gpu::Image& depth,
                 const gpu::Buffer& layers, std::uint32_t count, const std::function<void()>& draw);
void add_peel_pipeline(std::uint32_t count, gpu::PipelineList& out);

}  // namespace sublet::render
