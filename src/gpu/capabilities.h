#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/vulkan.h"

namespace sublet::gpu {

inline constexpr uint32_t kVendorNvidia = 0x10de;  // Capabilities::vendor_id

// Textures that every device can bind, as an array that is indexed by constants alone (Vulkan's least
// maxPerStageDescriptorSamplers).
inline constexpr uint32_t kFewTextures = 16;

// What one Vulkan device can do, asked once and then only read. Every optional feature is one bool; a false one is NOT
// enabled on the device, whether the driver lacks it or `--without` masked it, so that the validation layer catches a
// path that leans on it anyway.
struct Capabilities {
    // Identity.
    std::string name;  // "NVIDIA H200", "llvmpipe (LLVM 15.0.6, 256 bits)"
    VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    std::string driver;        // driver name and version text: "llvmpipe Mesa 25.0.7"
    uint32_t api_version = 0;  // VK_MAKE_API_VERSION; see version_string()
    uint32_t vendor_id = 0;    // VkPhysicalDeviceProperties::vendorID
    uint32_t device_id = 0;
    // Empty when the renderer can run here; else one sentence naming the missing requirement.
    std::string unusable;

    // Optional features: each has a name for --without, see features().
    bool mesh_shader = false;            // VK_EXT_mesh_shader, meshShader
    bool task_shader = false;            // VK_EXT_mesh_shader, taskShader; false whenever mesh_shader is
    bool multi_draw = false;             // multiDrawIndirect: an indirect draw may have drawCount > 1
    bool draw_count = false;             // drawIndirectCount: the draw count may come from a buffer
    bool first_instance = false;         // drawIndirectFirstInstance: firstInstance of indirect draws may be nonzero
    bool draw_parameters = false;        // shaderDrawParameters: gl_DrawID, gl_BaseVertex, gl_BaseInstance
    bool full_index_32 = false;          // fullDrawIndexUint32: else limits.maxDrawIndexedIndexValue is 2^24 - 1
    bool index_uint8 = false;            // VK_KHR_index_type_uint8 or VK_EXT_index_type_uint8
    bool shader_int64 = false;           // shaderInt64
    bool int64_atomics = false;          // shaderBufferInt64Atomics; false whenever shader_int64 is
    bool fragment_stores = false;        // fragmentStoresAndAtomics: fragment shaders write buffers
    bool shader_float64 = false;         // shaderFloat64
    bool memory_model = false;           // vulkanMemoryModel and vulkanMemoryModelDeviceScope
    bool subgroup_size_control = false;  // subgroupSizeControl and computeFullSubgroups
    bool barycentric = false;            // VK_KHR_fragment_shader_barycentric
    bool geometry_shader = false;        // geometryShader: what gl_PrimitiveID in a fragment shader asks for
    // runtimeDescriptorArray, shaderSampledImageArrayNonUniformIndexing, descriptorBindingPartiallyBound and
    // descriptorBindingVariableDescriptorCount: without them a shader picks textures by constant indices, see
    // BindlessTextures.
    bool descriptor_indexing = false;
    bool independent_blend = false;   // independentBlend: colour attachments may blend or mask differently
    bool sampler_anisotropy = false;  // samplerAnisotropy
    bool sampler_minmax = false;      // samplerFilterMinmax: min and max reduction
    bool texture_bc = false;          // textureCompressionBC: textures of BC1 to BC7
    // VK_EXT_device_generated_commands, with what it takes: VK_KHR_maintenance5, bufferDeviceAddress.
    bool generated_commands = false;
    // VK_AMDX_shader_enqueue, version 2, with mesh nodes and what it takes: VK_KHR_maintenance5,
    // VK_KHR_pipeline_library, bufferDeviceAddress. False whenever mesh_shader is.
    bool execution_graphs = false;
    bool memory_budget = false;  // VK_EXT_memory_budget
    bool timestamps = false;     // the queue's timestampValidBits > 0 and timestampPeriod > 0

    // Limits. maxDrawIndirectCount is 1 without multi_draw; maxDrawIndexedIndexValue is at most 2^24 - 1 without
    // full_index_32.
    VkPhysicalDeviceLimits limits{};
    uint64_t max_buffer_size = 0;       // bytes, VkPhysicalDeviceVulkan13Properties::maxBufferSize
    uint64_t max_allocation_size = 0;   // bytes, maxMemoryAllocationSize
    uint32_t timestamp_valid_bits = 0;  // of the queue family used
    uint64_t device_local_bytes = 0;    // sum of the device-local heaps

    // Subgroups. subgroup_size is the default one; min = max = subgroup_size without subgroup_size_control.
    uint32_t subgroup_size = 1;
    uint32_t min_subgroup_size = 1;
    uint32_t max_subgroup_size = 1;
    uint32_t max_compute_workgroup_subgroups = 0;
    VkShaderStageFlags required_subgroup_size_stages =
        0;                                           // stages that can ask for a size; 0 without subgroup_size_control
    VkShaderStageFlags subgroup_stages = 0;          // stages that have subgroup operations at all
    VkSubgroupFeatureFlags subgroup_operations = 0;  // basic, vote, ballot, arithmetic, shuffle, ...

    // All zero without mesh_shader.
    VkPhysicalDeviceMeshShaderPropertiesEXT mesh{};

    // Sequences of generated commands that one call executes; 0 without generated_commands.
    uint32_t max_generated_sequences = 0;

    // Most textures one BindlessTextures can hold; kFewTextures without descriptor_indexing.
    uint32_t max_bindless_textures = 0;

    // True when `stage` can be compiled for subgroups of exactly `size` lanes.
    [[nodiscard]] bool can_require_subgroup_size(VkShaderStageFlagBits stage, uint32_t size) const;
    // True when `stage` has all of `operations`.
    [[nodiscard]] bool has_subgroup_operations(VkShaderStageFlagBits stage, VkSubgroupFeatureFlags operations) const;
};

// One optional feature: its name on the command line, its bool, and what it is, in a phrase.
struct Feature {
    const char* name;
    bool Capabilities::*flag;
    const char* help;
};

// All that --without accepts, in a fixed order.
std::span<const Feature> features();

// Sets the named features to false, with what follows from that (limits; task shaders go with mesh shaders). Throws
// Error naming the unknown name and listing the valid ones.
void mask_features(Capabilities& capabilities, std::span<const std::string> without);

// Asks the driver. Never throws for a device that cannot run the renderer: `unusable` says why. The queue family
// examined is the one that Device would use. Without `with_new_extensions` the device is not even asked for generated
// commands and execution graphs: older validation layers know nothing of them.
Capabilities query_capabilities(VkPhysicalDevice physical, bool with_new_extensions);

// "discrete", "integrated", "virtual", "cpu" or "other".
const char* device_type_name(VkPhysicalDeviceType type);
// "1.4.309"
std::string version_string(uint32_t api_version);

}  // namespace sublet::gpu
