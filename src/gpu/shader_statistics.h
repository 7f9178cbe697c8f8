#pragma once

#include <string_view>

#include "gpu/device.h"

namespace sublet::gpu {

// Notes what the driver says of each shader of a pipeline that was made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT,
// a line each: "shader 'compact' vertex, 64 lanes: SGPRs 128, VGPRs 24, ...". Names of statistics are the driver's.
void note_shader_statistics(const Device& device, VkPipeline pipeline, std::string_view name);

}  // namespace sublet::gpu
