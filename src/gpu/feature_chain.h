#pragma once

// The structs that features are asked for and enabled with, and the one place where they are tied to Capabilities.

#include <string>
#include <vector>

#include "gpu/capabilities.h"

namespace sublet::gpu {

struct FeatureChain {
    VkPhysicalDeviceFeatures2 core{};
    VkPhysicalDeviceVulkan11Features vulkan11{};
    VkPhysicalDeviceVulkan12Features vulkan12{};
    VkPhysicalDeviceVulkan13Features vulkan13{};
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh{};
    VkPhysicalDeviceIndexTypeUint8FeaturesKHR index_uint8{};
    VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR barycentric{};
    VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated{};
    VkPhysicalDeviceShaderEnqueueFeaturesAMDX enqueue{};
    VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5{};

    struct Extensions {
        bool mesh = false, index_uint8 = false, barycentric = false, generated = false, graphs = false;
    };
    // Links the structs, those of an extension only when asked; a struct that is not linked stays all false.
    explicit FeatureChain(const Extensions& with);
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;
};

// Calls each(flag, field) for every optional feature that Vulkan expresses as a bool; a flag with several fields comes
// several times.
template <class CapabilitiesType, class Each>
void for_each_optional(CapabilitiesType& c, FeatureChain& chain, Each each) {
    VkPhysicalDeviceFeatures& core = chain.core.features;
    each(c.mesh_shader, chain.mesh.meshShader);
    each(c.task_shader, chain.mesh.taskShader);
    each(c.multi_draw, core.multiDrawIndirect);
    each(c.draw_count, chain.vulkan12.drawIndirectCount);
    each(c.first_instance, core.drawIndirectFirstInstance);
    each(c.draw_parameters, chain.vulkan11.shaderDrawParameters);
    each(c.full_index_32, core.fullDrawIndexUint32);
    each(c.index_uint8, chain.index_uint8.indexTypeUint8);
    each(c.shader_int64, core.shaderInt64);
    each(c.shader_float64, core.shaderFloat64);
    each(c.int64_atomics, chain.vulkan12.shaderBufferInt64Atomics);
    each(c.fragment_stores, core.fragmentStoresAndAtomics);
    each(c.memory_model, chain.vulkan12.vulkanMemoryModel);
    each(c.memory_model, chain.vulkan12.vulkanMemoryModelDeviceScope);
    each(c.subgroup_size_control, chain.vulkan13.subgroupSizeControl);
    each(c.subgroup_size_control, chain.vulkan13.computeFullSubgroups);
    each(c.barycentric, chain.barycentric.fragmentShaderBarycentric);
    each(c.geometry_shader, core.geometryShader);
    each(c.descriptor_indexing, chain.vulkan12.runtimeDescriptorArray);
    each(c.descriptor_indexing, chain.vulkan12.shaderSampledImageArrayNonUniformIndexing);
    each(c.descriptor_indexing, chain.vulkan12.descriptorBindingPartiallyBound);
    each(c.descriptor_indexing, chain.vulkan12.descriptorBindingVariableDescriptorCount);
    each(c.independent_blend, core.independentBlend);
    each(c.sampler_anisotropy, core.samplerAnisotropy);
    each(c.sampler_minmax, chain.vulkan12.samplerFilterMinmax);
    each(c.texture_bc, core.textureCompressionBC);
    each(c.generated_commands, chain.generated.deviceGeneratedCommands);
    each(c.generated_commands, chain.maintenance5.maintenance5);
    each(c.generated_commands, chain.vulkan12.bufferDeviceAddress);
    each(c.execution_graphs, chain.enqueue.shaderEnqueue);
    each(c.execution_graphs, chain.enqueue.shaderMeshEnqueue);
    each(c.execution_graphs, chain.maintenance5.maintenance5);
    each(c.execution_graphs, chain.vulkan12.bufferDeviceAddress);
}

// Calls each(name, field) for every feature that the layer cannot do without. All come with Vulkan 1.3.
template <class Each>
void for_each_required(FeatureChain& chain, Each each) {
    each("dynamicRendering", chain.vulkan13.dynamicRendering);
    each("synchronization2", chain.vulkan13.synchronization2);
    each("maintenance4", chain.vulkan13.maintenance4);
    each("shaderDemoteToHelperInvocation", chain.vulkan13.shaderDemoteToHelperInvocation);
    each("shaderTerminateInvocation", chain.vulkan13.shaderTerminateInvocation);
    each("timelineSemaphore", chain.vulkan12.timelineSemaphore);
    each("hostQueryReset", chain.vulkan12.hostQueryReset);
    each("shaderSubgroupExtendedTypes", chain.vulkan12.shaderSubgroupExtendedTypes);
    each("separateDepthStencilLayouts", chain.vulkan12.separateDepthStencilLayouts);
    each("uniformBufferStandardLayout", chain.vulkan12.uniformBufferStandardLayout);
}

// Names of the device's extensions.
std::vector<std::string> device_extensions(VkPhysicalDevice physical);

// The extension that gives 8-bit indices: EXT when listed, since older tools know only that one; else KHR; nullptr when
// neither is.
const char* index_uint8_extension(const std::vector<std::string>& extensions);

// The first queue family with graphics and compute, or ~0u.
uint32_t find_queue_family(VkPhysicalDevice physical);

}  // namespace sublet::gpu
