// Images of a scene on the GPU.
#pragma once

#include "gpu/device.h"
#include "gpu/upload.h"
#include "render/gpu_scene.h"
#include "scene/scene.h"

namespace sublet::render {

// Decodes and uploads the images that base-colour textures name, with mips, as sRGB, and fills the scene's table of
// textures: texture i of the scene is element i. An image that can't be decoded becomes one white texel and is named
// once on stderr: a picture with a texture missing is worth more than none.
void upload_textures(gpu::Device& device, gpu::Uploader& uploader, const scene::Scene& scene, GpuScene& out);

}  // namespace sublet::render
