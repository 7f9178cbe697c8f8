#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/vulkan.h"

namespace sublet::gpu {

// One binding of one descriptor set.
struct Binding {
    uint32_t set = 0;
    uint32_t binding = 0;
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    VkShaderStageFlags stages = 0;
    uint32_t count = 1;  // 0: as many as the set has (an array without a size)
};

// What a shader takes from outside.
struct ShaderInterface {
    std::vector<Binding> bindings;     // by set, then by number
    uint32_t push_constant_bytes = 0;  // up to the end of the last member; 0: there are none
};

// Reads it from SPIR-V (https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html): variables that no
// instruction uses are not there. Throws Error on what is no SPIR-V, and on descriptors that
// are neither buffers, images nor samplers.
[[nodiscard]] ShaderInterface shader_interface(std::span<const uint32_t> spirv, VkShaderStageFlags stage);

// Adds `other` to `all`, stages of the same binding together. Throws Error where the two declare one binding
// differently. Of push constants the larger one counts: shaders of a pipeline see the same block.
void merge(ShaderInterface& all, const ShaderInterface& other);

// Storage buffers that the interface binds: what maxPerStageDescriptorStorageBuffers limits, for one stage.
[[nodiscard]] uint32_t storage_buffers(const ShaderInterface& interface);

}  // namespace sublet::gpu
