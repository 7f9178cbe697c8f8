// Images of a scene on the GPU.
#pragma once

#include <cstdint>

#include "gpu/device.h"
#include "gpu/upload.h"
#include "render/scene/gpu_scene.h"
#include "scene/scene.h"

namespace sublet::render {

// Decodes and uploads the images that base-colour textures name, with mips, as sRGB, and fills the scene's table of
// textures: texture i of the scene is element i. Images of equal bytes are uploaded once. They are decoded one by one,
// each at the size that scene::plan_images gives it within `image_limit` bytes (0: a quarter of the machine's memory).
// An image that can't be decoded becomes one white texel and is named once on stderr: a picture with a texture missing
// is worth more than none.
void upload_textures(gpu::Device& device, gpu::Uploader& uploader, const scene::Scene& scene, std::uint64_t image_limit,
                     GpuScene& out);

// Whether a texture with this sampler is magnified, and minified, without a filter and without anisotropy.
[[nodiscard]] bool is_nearest(const scene::Sampler& sampler);

}  // namespace sublet::render
