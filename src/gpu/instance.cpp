#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/system.h"
#include "gpu/device.h"
#include "gpu/feature_chain.h"

namespace sublet::gpu {

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr size_t kMostMessagesKept = 100;
// The first that has VK_EXT_device_generated_commands and version 2 of VK_AMDX_shader_enqueue. Older validation layers
// crash on the one, and take the other for its first version.
constexpr uint32_t kNewExtensionsVersion = VK_MAKE_API_VERSION(0, 1, 3, 298);

// What layers say of mesh nodes even where the device has them: 1.4.309 the first two rules, which forbid pipelines
// that are libraries, 1.4.363 the third as well, which forbids SPIR-V extensions that it does not know.
bool false_alarm(std::string_view rule, std::string_view text) {
    return rule.ends_with("06606") || rule.ends_with("06608") ||
           (rule.ends_with("08741") && text.find("SPV_AMDX_shader_enqueue") != std::string_view::npos);
}

void load_vulkan() {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    static bool loaded = false;
    if (loaded) return;
    if (volkInitialize() != VK_SUCCESS) {
        throw Error(std::string("Vulkan: no loader ") + kVulkanLoaderHelp);
    }
    loaded = true;
    const uint32_t version = volkGetInstanceVersion();
    if (version < VK_API_VERSION_1_3) {
        loaded = false;
        throw Error("Vulkan: the loader is of version " + version_string(version) +
                    ", and 1.3 is needed: install a newer one");
    }
}

std::vector<std::string> instance_extensions(const char* layer) {
    uint32_t count = 0;
    check(vkEnumerateInstanceExtensionProperties(layer, &count, nullptr), "listing Vulkan's instance extensions");
    std::vector<VkExtensionProperties> properties(count);
    check(vkEnumerateInstanceExtensionProperties(layer, &count, properties.data()),
          "listing Vulkan's instance extensions");
    std::vector<std::string> names;
    for (uint32_t i = 0; i < count; ++i) names.emplace_back(properties[i].extensionName);
    return names;
}

// Of the validation layer; 0: there is none.
uint32_t validation_version() {
    uint32_t count = 0;
    check(vkEnumerateInstanceLayerProperties(&count, nullptr), "listing Vulkan's layers");
    std::vector<VkLayerProperties> layers(count);
    check(vkEnumerateInstanceLayerProperties(&count, layers.data()), "listing Vulkan's layers");
    const auto found = std::find_if(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
        return std::string_view(layer.layerName) == kValidationLayer;
    });
    return found == layers.end() ? 0 : found->specVersion;
}

// Lower is better.
int rank(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
            return 0;
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
            return 1;
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
            return 2;
        case VK_PHYSICAL_DEVICE_TYPE_CPU:
            return 3;
        default:
            return 4;
    }
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool can_present(VkPhysicalDevice physical, VkSurfaceKHR surface) {
    if (!contains(device_extensions(physical), VK_KHR_SWAPCHAIN_EXTENSION_NAME)) return false;
    VkBool32 supported = VK_FALSE;
    const VkResult result =
        vkGetPhysicalDeviceSurfaceSupportKHR(physical, find_queue_family(physical), surface, &supported);
    return result == VK_SUCCESS && supported == VK_TRUE;
}

// Why the device cannot be used, or nothing.
std::string objection(const DeviceInfo& device, VkSurfaceKHR surface) {
    if (!device.capabilities.unusable.empty()) return device.capabilities.unusable;
    if (surface != VK_NULL_HANDLE && !can_present(device.physical, surface)) return "it cannot present to this window";
    return {};
}

std::string list_devices(std::span<const DeviceInfo> devices) {
    std::string list;
    for (size_t i = 0; i < devices.size(); ++i) {
        list += (i == 0 ? "" : ", ") + std::to_string(i) + " = " + devices[i].capabilities.name;
    }
    return list;
}

}  // namespace

Instance::Instance(const DeviceOptions& options) : validation_(options.validation) {
    // A wrong name is an error of its own, whatever devices there are.
    Capabilities none;
    mask_features(none, options.without);
    load_vulkan();
    try {
        create(options);
    } catch (...) {
        destroy();
        throw;
    }
}

Instance::~Instance() {
    destroy();
}

void Instance::create(const DeviceOptions& options) {
    const std::vector<std::string> available = instance_extensions(nullptr);
    std::vector<const char*> layers;
    std::vector<const char*> extensions;
    for (const std::string& name : options.surface_extensions) {
        if (!contains(available, name)) {
            throw Error("Vulkan: no driver on this machine can show a window (instance extension " + name +
                        " is missing): render headless");
        }
        extensions.push_back(name.c_str());
    }

    constexpr VkValidationFeatureEnableEXT kSynchronization =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    auto validation_features = make_struct<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
    validation_features.enabledValidationFeatureCount = 1;
    validation_features.pEnabledValidationFeatures = &kSynchronization;
    // Layers that have dropped VK_EXT_validation_features take the same wish as a setting.
    constexpr VkBool32 kTrue = VK_TRUE;
    const VkLayerSettingEXT setting{kValidationLayer, "validate_sync", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &kTrue};
    auto settings = make_struct<VkLayerSettingsCreateInfoEXT>(VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT);
    settings.settingCount = 1;
    settings.pSettings = &setting;
    const void* validation_chain = nullptr;
    if (validation_) {
        const uint32_t version = validation_version();
        knows_new_extensions_ = version >= kNewExtensionsVersion;
        if (version == 0) {
            throw Error(
                "--validation on: the layer VK_LAYER_KHRONOS_validation is not installed: install it (Debian: "
                "vulkan-validationlayers) or leave validation off");
        }
        layers.push_back(kValidationLayer);
        const std::vector<std::string> of_layer = instance_extensions(kValidationLayer);
        if (contains(of_layer, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
            extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
            validation_chain = &validation_features;
        } else if (contains(of_layer, VK_EXT_LAYER_SETTINGS_EXTENSION_NAME)) {
            extensions.push_back(VK_EXT_LAYER_SETTINGS_EXTENSION_NAME);
            validation_chain = &settings;
        } else {
            warn("the validation layer has no synchronization validation");
        }
    }
    debug_utils_ = validation_ || contains(available, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (debug_utils_) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);

    auto messenger =
        make_struct<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    // Not GENERAL: those are the loader's remarks on the machine's drivers.
    messenger.messageType =
        VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    messenger.pfnUserCallback = &Instance::on_message;
    messenger.pUserData = this;

    auto application = make_struct<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pApplicationName = "sublet";
    application.pEngineName = "sublet";
    application.apiVersion = VK_API_VERSION_1_3;
    auto info = make_struct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pNext = validation_chain;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = static_cast<uint32_t>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    const VkResult result = vkCreateInstance(&info, nullptr, &instance_);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        instance_ = VK_NULL_HANDLE;
        throw Error(
            "Vulkan: no driver on this machine: install the GPU's driver, or mesa-vulkan-drivers for one in software "
            "(VK_DRIVER_FILES "
            "and VK_ICD_FILENAMES, when set, must name one that is there)");
    }
    check(result, "creating the Vulkan instance");
    volkLoadInstance(instance_);
    if (validation_)
        check(vkCreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_),
              "listening to the validation layer");
    list(options);
}

void Instance::list(const DeviceOptions& options) {
    uint32_t count = 0;
    VkResult result = vkEnumeratePhysicalDevices(instance_, &count, nullptr);
    std::vector<VkPhysicalDevice> physical(count);
    if (result >= 0 && count > 0) result = vkEnumeratePhysicalDevices(instance_, &count, physical.data());
    // What some loaders say when there are drivers but none finds a device.
    if (result == VK_ERROR_INITIALIZATION_FAILED)
        count = 0;
    else
        check(result, "listing Vulkan devices");
    physical.resize(count);
    for (const VkPhysicalDevice device : physical) {
        devices_.push_back({device, query_capabilities(device, knows_new_extensions_)});
        mask_features(devices_.back().capabilities, options.without);
        any_graphs_ = any_graphs_ || devices_.back().capabilities.execution_graphs;
    }
}

void Instance::destroy() noexcept {
    if (messenger_ != VK_NULL_HANDLE) vkDestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
    if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
    messenger_ = VK_NULL_HANDLE;
    instance_ = VK_NULL_HANDLE;
}

VKAPI_ATTR VkBool32 VKAPI_CALL Instance::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                    VkDebugUtilsMessageTypeFlagsEXT,
                                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
    auto& self = *static_cast<Instance*>(user);
    const std::string_view rule = data->pMessageIdName == nullptr ? "" : data->pMessageIdName;
    const std::string text = data->pMessage == nullptr ? "" : data->pMessage;
    if (self.any_graphs_ && false_alarm(rule, text)) return VK_FALSE;
    ++self.message_count_;
    {
        const std::lock_guard lock(self.mutex_);
        if (self.messages_.size() < kMostMessagesKept) self.messages_.push_back(text);
    }
    warn("validation: " + text);
    return VK_FALSE;
}

std::vector<std::string> Instance::validation_texts() const {
    const std::lock_guard lock(mutex_);
    return messages_;
}

const DeviceInfo& Instance::select(std::string_view selector, VkSurfaceKHR surface) const {
    if (devices_.empty()) {
        throw Error(
            "Vulkan: no device on this machine: install the GPU's driver, or mesa-vulkan-drivers for one in software");
    }
    const bool by_index = !selector.empty() && std::all_of(selector.begin(), selector.end(),
                                                           [](unsigned char c) { return std::isdigit(c) != 0; });
    if (by_index) {
        size_t index = devices_.size();
        std::from_chars(selector.data(), selector.data() + selector.size(), index);
        if (index < devices_.size()) {
            const std::string why = objection(devices_[index], surface);
            if (!why.empty())
                throw Error("--device " + std::string(selector) + " (" + devices_[index].capabilities.name +
                            ") cannot be used: " + why);
            return devices_[index];
        }
    }
    const std::string wanted = by_index ? "" : lower(selector);
    const DeviceInfo* best = nullptr;
    std::string objections;
    for (const DeviceInfo& device : devices_) {
        if (by_index || lower(device.capabilities.name).find(wanted) == std::string::npos) continue;
        const std::string why = objection(device, surface);
        if (!why.empty()) {
            objections += (objections.empty() ? "" : "; ") + device.capabilities.name + ": " + why;
        } else if (best == nullptr || rank(device.capabilities.type) < rank(best->capabilities.type)) {
            best = &device;
        }
    }
    if (best != nullptr) return *best;
    if (!objections.empty()) {
        throw Error((selector.empty() ? std::string("Vulkan: no usable device: ")
                                      : "--device " + std::string(selector) + " cannot be used: ") +
                    objections);
    }
    throw Error("--device " + std::string(selector) + ": there is no such device; the devices are " +
                list_devices(devices_));
}

}  // namespace sublet::gpu
