#include "gpu/capabilities.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "gpu/feature_chain.h"

namespace sublet::gpu {

namespace {

constexpr std::array kFeatures{
    Feature{"mesh-shader", &Capabilities::mesh_shader, "mesh shaders"},
    Feature{"task-shader", &Capabilities::task_shader, "task shaders"},
    Feature{"multi-draw", &Capabilities::multi_draw, "indirect draws of more than one command"},
    Feature{"draw-count", &Capabilities::draw_count, "indirect draws whose count comes from a buffer"},
    Feature{"first-instance", &Capabilities::first_instance, "a first instance in indirect draws"},
    Feature{"draw-parameters", &Capabilities::draw_parameters, "draw index, base vertex and base instance in shaders"},
    Feature{"full-index-32", &Capabilities::full_index_32, "vertex indices of 2^24 and above"},
    Feature{"index-uint8", &Capabilities::index_uint8, "8-bit index buffers"},
    Feature{"shader-int64", &Capabilities::shader_int64, "64-bit integers in shaders"},
    Feature{"shader-float64", &Capabilities::shader_float64, "64-bit floats in shaders"},
    Feature{"int64-atomics", &Capabilities::int64_atomics, "64-bit atomics on buffers"},
    Feature{"fragment-stores", &Capabilities::fragment_stores, "fragment shaders that write buffers"},
    Feature{"memory-model", &Capabilities::memory_model, "the Vulkan memory model at device scope"},
    Feature{"subgroup-size-control", &Capabilities::subgroup_size_control,
            "subgroups of a required size, or full ones"},
    Feature{"barycentric", &Capabilities::barycentric, "barycentric coordinates in fragment shaders"},
    Feature{"geometry-shader", &Capabilities::geometry_shader, "primitive ids in fragment shaders"},
    Feature{"descriptor-indexing", &Capabilities::descriptor_indexing, "arrays of textures indexed freely"},
    Feature{"independent-blend", &Capabilities::independent_blend, "blending that differs between colour attachments"},
    Feature{"sampler-anisotropy", &Capabilities::sampler_anisotropy, "anisotropic filtering"},
    Feature{"sampler-minmax", &Capabilities::sampler_minmax, "samplers that take the minimum or maximum"},
    Feature{"texture-bc", &Capabilities::texture_bc, "textures in blocks of BC1 to BC7"},
    Feature{"generated-commands", &Capabilities::generated_commands, "commands that the device generates"},
    Feature{"execution-graphs", &Capabilities::execution_graphs, "execution graphs with mesh nodes"},
    Feature{"memory-budget", &Capabilities::memory_budget, "the driver's memory budget"},
    Feature{"timestamps", &Capabilities::timestamps, "GPU timestamps"},
};

// More textures than scenes have, few enough for descriptor pools to stay small.
constexpr uint32_t kMostBindlessTextures = 16384;
// Kept free of the per-stage limits for set 0.
constexpr uint32_t kReservedDescriptors = 64;

// Brings the facts that hang on a feature in line with it.
void settle(Capabilities& c) {
    if (!c.mesh_shader) {
        c.task_shader = false;
        c.execution_graphs = false;
        c.mesh = {};
    }
    if (!c.shader_int64) c.int64_atomics = false;
    if (!c.generated_commands) c.max_generated_sequences = 0;
    if (!c.descriptor_indexing) c.max_bindless_textures = std::min(c.max_bindless_textures, kFewTextures);
    if (!c.multi_draw) c.limits.maxDrawIndirectCount = 1;
    if (!c.full_index_32)
        c.limits.maxDrawIndexedIndexValue = std::min(c.limits.maxDrawIndexedIndexValue, (1U << 24) - 1);
    if (!c.sampler_anisotropy) c.limits.maxSamplerAnisotropy = 1.0F;
    if (!c.subgroup_size_control) {
        c.required_subgroup_size_stages = 0;
        c.min_subgroup_size = c.subgroup_size;
        c.max_subgroup_size = c.subgroup_size;
    }
}

void query_identity(VkPhysicalDevice physical, const VkPhysicalDeviceProperties& properties, Capabilities& c) {
    c.name = properties.deviceName;
    c.type = properties.deviceType;
    c.api_version = properties.apiVersion;
    c.vendor_id = properties.vendorID;
    c.device_id = properties.deviceID;
    c.limits = properties.limits;

    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            c.device_local_bytes += memory.memoryHeaps[i].size;
    }
}

// What generated commands are used for: every stage that a pipeline of them may have.
void query_generated_commands(const VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT& generated, VkDriverId driver,
                              Capabilities& c) {
    VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    if (c.mesh_shader) stages |= VK_SHADER_STAGE_MESH_BIT_EXT;
    if ((generated.supportedIndirectCommandsShaderStages & stages) != stages) c.generated_commands = false;
    c.max_generated_sequences = generated.maxIndirectSequenceCount;
    // It asks for memory by the square of the number, and beyond 5,000 that overflows (Mesa 25.0.7).
    if (driver == VK_DRIVER_ID_MESA_LLVMPIPE) c.max_generated_sequences = std::min(c.max_generated_sequences, 1024U);
}

void query_properties(VkPhysicalDevice physical, Capabilities& c) {
    auto mesh = make_struct<VkPhysicalDeviceMeshShaderPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT);
    auto vulkan13 =
        make_struct<VkPhysicalDeviceVulkan13Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES);
    auto vulkan12 =
        make_struct<VkPhysicalDeviceVulkan12Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
    auto vulkan11 =
        make_struct<VkPhysicalDeviceVulkan11Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
    auto properties = make_struct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &vulkan11;
    vulkan11.pNext = &vulkan12;
    vulkan12.pNext = &vulkan13;
    auto generated = make_struct<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT);
    if (c.mesh_shader) vulkan13.pNext = &mesh;
    if (c.generated_commands) generated.pNext = std::exchange(properties.pNext, &generated);
    vkGetPhysicalDeviceProperties2(physical, &properties);
    query_generated_commands(generated, vulkan12.driverID, c);

    c.driver = std::string(vulkan12.driverName) + " " + vulkan12.driverInfo;
    c.max_buffer_size = vulkan13.maxBufferSize;
    c.max_allocation_size = vulkan11.maxMemoryAllocationSize;
    c.subgroup_size = vulkan11.subgroupSize;
    c.min_subgroup_size = vulkan13.minSubgroupSize;
    c.max_subgroup_size = vulkan13.maxSubgroupSize;
    c.max_compute_workgroup_subgroups = vulkan13.maxComputeWorkgroupSubgroups;
    c.required_subgroup_size_stages = vulkan13.requiredSubgroupSizeStages;
    c.subgroup_stages = vulkan11.subgroupSupportedStages;
    c.subgroup_operations = vulkan11.subgroupSupportedOperations;
    if (c.mesh_shader) c.mesh = mesh;
    c.mesh.pNext = nullptr;

    const VkPhysicalDeviceLimits& limits = c.limits;
    const uint32_t textures =
        std::min({limits.maxPerStageDescriptorSamplers, limits.maxPerStageDescriptorSampledImages,
                  limits.maxPerStageResources, limits.maxDescriptorSetSamplers, limits.maxDescriptorSetSampledImages});
    c.max_bindless_textures = std::min(
        kMostBindlessTextures, textures > kReservedDescriptors ? textures - kReservedDescriptors : textures / 2);
}

void query_queue(VkPhysicalDevice physical, uint32_t family, Capabilities& c) {
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    c.timestamp_valid_bits = families[family].timestampValidBits;
    c.timestamps = c.timestamp_valid_bits > 0 && c.limits.timestampPeriod > 0.0F;
}

}  // namespace

FeatureChain::FeatureChain(const Extensions& with) {
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    vulkan11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    vulkan13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    mesh.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT;
    index_uint8.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_KHR;
    barycentric.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR;
    enqueue.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ENQUEUE_FEATURES_AMDX;
    generated.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT;
    maintenance5.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR;
    core.pNext = &vulkan11;
    vulkan11.pNext = &vulkan12;
    vulkan12.pNext = &vulkan13;
    void** tail = &vulkan13.pNext;
    const auto link = [&](bool linked, auto& features) {
        if (linked) *std::exchange(tail, &features.pNext) = &features;
    };
    link(with.mesh, mesh);
    link(with.index_uint8, index_uint8);
    link(with.barycentric, barycentric);
    link(with.generated, generated);
    link(with.graphs, enqueue);
    link(with.generated || with.graphs, maintenance5);
}

std::vector<std::string> device_extensions(VkPhysicalDevice physical) {
    uint32_t count = 0;
    check(vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr), "listing the device's extensions");
    std::vector<VkExtensionProperties> properties(count);
    check(vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, properties.data()),
          "listing the device's extensions");
    std::vector<std::string> names;
    names.reserve(count);
    for (uint32_t i = 0; i < count; ++i) names.emplace_back(properties[i].extensionName);
    return names;
}

const char* index_uint8_extension(const std::vector<std::string>& extensions) {
    if (contains(extensions, VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME)) return VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME;
    if (contains(extensions, VK_KHR_INDEX_TYPE_UINT8_EXTENSION_NAME)) return VK_KHR_INDEX_TYPE_UINT8_EXTENSION_NAME;
    return nullptr;
}

uint32_t find_queue_family(VkPhysicalDevice physical) {
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    constexpr VkQueueFlags kNeeded = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (uint32_t i = 0; i < count; ++i) {
        if ((families[i].queueFlags & kNeeded) == kNeeded) return i;
    }
    return ~0U;
}

std::span<const Feature> features() {
    return kFeatures;
}

void mask_features(Capabilities& capabilities, std::span<const std::string> without) {
    for (const std::string& name : without) {
        const auto feature =
            std::find_if(kFeatures.begin(), kFeatures.end(), [&](const Feature& f) { return name == f.name; });
        if (feature == kFeatures.end()) {
            std::string message = "--without: there is no feature '" + name + "'; the features are ";
            for (const Feature& f : kFeatures) message.append(&f == kFeatures.data() ? "" : ", ").append(f.name);
            throw Error(message);
        }
        capabilities.*(feature->flag) = false;
    }
    settle(capabilities);
}

Capabilities query_capabilities(VkPhysicalDevice physical, bool with_new_extensions) {
    Capabilities c;
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(physical, &properties);
    query_identity(physical, properties, c);
    if (c.api_version < VK_API_VERSION_1_3) {
        c.unusable = "it has Vulkan " + version_string(c.api_version) + ", and 1.3 is needed: install a newer driver";
        settle(c);
        return c;
    }
    const uint32_t family = find_queue_family(physical);
    if (family == ~0U) {
        c.unusable = "it has no queue for both graphics and compute";
        settle(c);
        return c;
    }

    const std::vector<std::string> extensions = device_extensions(physical);
    const auto has = [&](const char* extension) { return contains(extensions, extension); };
    const bool new_ones = with_new_extensions && has(VK_KHR_MAINTENANCE_5_EXTENSION_NAME);
    FeatureChain chain({.mesh = has(VK_EXT_MESH_SHADER_EXTENSION_NAME),
                        .index_uint8 = index_uint8_extension(extensions) != nullptr,
                        .barycentric = has(VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME),
                        .generated = new_ones && has(VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME),
                        .graphs = new_ones && has(VK_AMDX_SHADER_ENQUEUE_EXTENSION_NAME) &&
                                  has(VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME)});
    vkGetPhysicalDeviceFeatures2(physical, &chain.core);
    for_each_optional(c, chain, [](bool& flag, VkBool32) { flag = true; });
    for_each_optional(c, chain, [](bool& flag, VkBool32 field) { flag = flag && field == VK_TRUE; });
    for_each_required(chain, [&](const char* name, VkBool32 field) {
        if (field == VK_FALSE && c.unusable.empty()) c.unusable = std::string("it lacks the required feature ") + name;
    });
    c.memory_budget = has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    // Loaders that are older than its version know none of these; the device is asked once there is one (Device).
    c.execution_graphs = c.execution_graphs && vkCreateExecutionGraphPipelinesAMDX != nullptr &&
                         vkGetExecutionGraphPipelineScratchSizeAMDX != nullptr &&
                         vkGetExecutionGraphPipelineNodeIndexAMDX != nullptr &&
                         vkCmdInitializeGraphScratchMemoryAMDX != nullptr && vkCmdDispatchGraphAMDX != nullptr;
    query_properties(physical, c);
    query_queue(physical, family, c);
    settle(c);
    return c;
}

bool Capabilities::can_require_subgroup_size(VkShaderStageFlagBits stage, uint32_t size) const {
    const bool power_of_two = size != 0 && (size & (size - 1)) == 0;
    return (required_subgroup_size_stages & stage) != 0 && power_of_two && size >= min_subgroup_size &&
           size <= max_subgroup_size;
}

bool Capabilities::has_subgroup_operations(VkShaderStageFlagBits stage, VkSubgroupFeatureFlags operations) const {
    return (subgroup_stages & stage) != 0 && (subgroup_operations & operations) == operations;
}

const char* device_type_name(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
            return "discrete";
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
            return "integrated";
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
            return "virtual";
        case VK_PHYSICAL_DEVICE_TYPE_CPU:
            return "cpu";
        default:
            return "other";
    }
}

std::string version_string(uint32_t api_version) {
    return std::to_string(VK_API_VERSION_MAJOR(api_version)) + "." + std::to_string(VK_API_VERSION_MINOR(api_version)) +
           "." + std::to_string(VK_API_VERSION_PATCH(api_version));
}

}  // namespace sublet::gpu
