// Images of a scene on the GPU.
#pragma once

#include <cstdint>
#include <span>

#include "gpu/device.h"
#include "gpu/upload.h"
#include "render/scene/gpu_scene.h"
#include "render/scene/materials.h"
#include "scene/scene.h"

namespace sublet::render {

// What SceneSettings::image_limit comes to, in bytes: 0 is a quarter of the machine's memory.
[[nodiscard]] std::uint64_t image_limit_bytes(std::uint64_t image_limit);

// Decodes and uploads the images of these textures, with mips, and fills the scene's table of textures in their order.
// Images of equal bytes that are read the same way are uploaded once. They are decoded one by one,
// each at the size that scene::plan_images gives it within `image_limit` bytes (as image_limit_bytes() has it).
// An image that can't be decoded becomes one white texel and is named once on stderr: a picture with a texture missing
// is worth more than none.
void upload_textures(gpu::Device& device, gpu::Uploader& uploader, const scene::Scene& scene,
                     std::span<const BoundTexture> textures, std::uint64_t image_limit, GpuScene& out);

}  // namespace sublet::render
