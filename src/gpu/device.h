#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/capabilities.h"
#include "gpu/vulkan.h"

namespace sublet::gpu {

struct DeviceOptions {
    // Index into Instance::devices(), or a part of a device's name (letter case does not matter). Empty: the best
    // usable one, discrete before integrated before virtual before cpu, the first of equals.
    std::string selector = {};
    // The Khronos validation layer with synchronization validation.
    bool validation = false;
    // Pipelines note what the driver says of their shaders (shader_statistics.h).
    bool shader_statistics = false;
    // Feature names (see features()) that the device shall pretend to lack.
    std::vector<std::string> without = {};
    // A window: the instance extensions that its surface needs, as GLFW lists them. Empty: headless.
    std::vector<std::string> surface_extensions = {};
    // Where compiled pipelines are kept between runs. Empty: nowhere. A missing, foreign or corrupt file is ignored.
    std::filesystem::path pipeline_cache = {};
    // Bytes that each heap shall pretend to have at most, for tests. 0: as many as it has.
    uint64_t most_memory = 0;

    [[nodiscard]] bool wants_surface() const { return !surface_extensions.empty(); }
};

// A device as Instance lists it. `capabilities` is masked by DeviceOptions::without.
struct DeviceInfo {
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    Capabilities capabilities;
};

// The Vulkan instance: the loader, the validation layer and the list of devices. Neither copied nor moved.
class Instance {
  public:
    // Throws Error when there is no Vulkan loader, none of version 1.3, no driver at all, when validation is asked for
    // and its layer is not installed, when a surface extension is missing, or when `without` names an unknown feature.
    // Reads validation, without and surface_extensions of the options.
    explicit Instance(const DeviceOptions& options);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    [[nodiscard]] VkInstance handle() const { return instance_; }
    // Every device there is, usable or not, in the loader's order. May be empty.
    [[nodiscard]] std::span<const DeviceInfo> devices() const { return devices_; }
    [[nodiscard]] bool validation() const { return validation_; }
    // True when debug labels and object names reach capture tools and the validation layer.
    [[nodiscard]] bool debug_utils() const { return debug_utils_; }

    // Warnings and errors of the validation layer so far, from any thread; 0 when it is off.
    [[nodiscard]] uint64_t validation_messages() const { return message_count_.load(); }
    // Their texts, the first 100.
    [[nodiscard]] std::vector<std::string> validation_texts() const;

    // Picks a device by the selector's rule. With a surface, one that can present to it. Throws Error: none usable, no
    // such index or name, or the one asked for is unusable (with its reason).
    [[nodiscard]] const DeviceInfo& select(std::string_view selector, VkSurfaceKHR surface = VK_NULL_HANDLE) const;

  private:
    void create(const DeviceOptions& options);
    void list(const DeviceOptions& options);
    void destroy() noexcept;
    static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                                     const VkDebugUtilsMessengerCallbackDataEXT* data, void* user);

    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    bool validation_ = false;
    bool debug_utils_ = false;
    bool any_graphs_ = false;           // a device has execution graphs
    bool knows_new_extensions_ = true;  // the validation layer does, or there is none
    std::vector<DeviceInfo> devices_;
    std::atomic<uint64_t> message_count_{0};
    mutable std::mutex mutex_;
    std::vector<std::string> messages_;
};

// Binary semaphores of one submission, for the swapchain. VK_NULL_HANDLE: none.
struct SubmitSync {
    VkSemaphore wait = VK_NULL_HANDLE;
    VkPipelineStageFlags2 wait_stage = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    VkSemaphore signal = VK_NULL_HANDLE;
};

// Bytes, all device-local heaps together.
struct MemoryUsage {
    uint64_t allocated = 0;  // in blocks that this device object holds
    uint64_t used = 0;       // in live buffers and images
    uint64_t budget = 0;     // what the process may use: an estimate when Capabilities::memory_budget is false
};

// The logical device with one queue (graphics, compute, transfer and, with a surface, presentation), the memory
// allocator and the pipeline cache. All submissions go through submit() and are numbered by one timeline semaphore. Any
// thread may submit, wait, and create and retire resources and pipelines; one thread has frames (FrameRing). Neither
// copied nor moved; outlives everything made from it.
class Device {
  public:
    // Throws Error as Instance::select does, when the driver refuses, and when shader_statistics can't be had. Reads
    // that, selector, pipeline_cache and most_memory of the options.
    Device(Instance& instance, const DeviceOptions& options, VkSurfaceKHR surface = VK_NULL_HANDLE);
    // Waits until the device is idle and saves the pipeline cache (a failure to save is not an error).
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] Instance& instance() const { return instance_; }
    [[nodiscard]] const Capabilities& capabilities() const { return capabilities_; }
    [[nodiscard]] VkDevice handle() const { return device_; }
    [[nodiscard]] VkPhysicalDevice physical() const { return physical_; }
    [[nodiscard]] VkQueue queue() const { return queue_; }
    [[nodiscard]] uint32_t queue_family() const { return queue_family_; }
    [[nodiscard]] VmaAllocator allocator() const { return allocator_; }
    [[nodiscard]] VkPipelineCache pipeline_cache() const { return pipeline_cache_; }
    [[nodiscard]] bool shader_statistics() const { return shader_statistics_; }

    [[nodiscard]] MemoryUsage memory_usage() const;

    // Names a Vulkan object for captures and validation messages. Nothing happens without debug utils.
    void set_name(VkObjectType type, uint64_t object, std::string_view name) const;
    // A label between submissions. Nothing happens without debug utils.
    void label_queue(const char* name);
    template <class Handle>
    void set_name(VkObjectType type, Handle object, std::string_view name) const {
        if constexpr (std::is_pointer_v<Handle>) {
            set_name(type, static_cast<uint64_t>(reinterpret_cast<uintptr_t>(object)), name);
        } else {
            set_name(type, static_cast<uint64_t>(object), name);
        }
    }

    // Submits and returns the submission's number on the timeline (1, 2, ...). `doing` goes into the Error of a lost
    // device.
    uint64_t submit(VkCommandBuffer commands, const SubmitSync& sync, std::string_view doing);
    // Waits until that submission is over. Throws Error when the device is lost, or after 60 s without progress (a
    // hang).
    void wait(uint64_t submission, std::string_view doing) const;
    [[nodiscard]] uint64_t last_submission() const { return last_submission_.load(); }
    // Presents a swapchain's image after what was submitted; the result is vkQueuePresentKHR's.
    VkResult present(const VkPresentInfoKHR& info);
    // For a library that submits by itself: other threads' submissions wait while the result lives.
    [[nodiscard]] std::unique_lock<std::mutex> lock_queue() { return std::unique_lock(queue_mutex_); }
    [[nodiscard]] uint64_t completed_submission() const;
    // Waits for all submissions, then destroys all that was retired.
    void wait_idle();

    // Takes over any movable resource (Buffer, Image, Pipeline, ...) and destroys it once the GPU can no longer use it:
    // after the frame being recorded now, or, between frames, after the last submission.
    template <class Resource>
    void retire(Resource&& resource) {
        static_assert(std::is_rvalue_reference_v<Resource&&>, "retire takes the resource over: std::move it");
        retire_erased(std::make_shared<std::remove_cvref_t<Resource>>(std::forward<Resource>(resource)));
    }

    // How often a pipeline was made, or recorded for the first time, since the device was opened: both may take a
    // driver as long as compiling it does, and what happens while a frame is recorded belongs to that frame's times.
    [[nodiscard]] uint64_t fresh_pipelines() const { return made_pipelines_ + recorded_pipelines_; }
    // Those made alone.
    [[nodiscard]] uint64_t made_pipelines() const { return made_pipelines_; }
    void count_made_pipeline() { ++made_pipelines_; }
    void count_recorded_pipeline() { ++recorded_pipelines_; }

    // For FrameRing: while a frame is open, what is retired waits for that frame's submission.
    void frame_opened();
    void frame_submitted(uint64_t submission);
    // Destroys what was retired and is over. FrameRing calls it once a frame.
    void collect_retired();

    // Makes a harmless mistake on purpose (two unordered writes to one small buffer), so that a test can see
    // synchronization validation listening: validation_messages() rises when it does.
    void provoke_validation_message();

  private:
    struct Retired {
        uint64_t submission;  // kOpenFrame: the frame being recorded
        std::shared_ptr<void> resource;
    };
    static constexpr uint64_t kOpenFrame = ~uint64_t{0};

    void retire_erased(std::shared_ptr<void> resource);
    void create_device(bool present);
    void create_allocator(uint64_t most_memory);
    void load_pipeline_cache();
    void save_pipeline_cache() const noexcept;
    void destroy() noexcept;

    Instance& instance_;
    Capabilities capabilities_;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    uint32_t queue_family_ = 0;
    VmaAllocator allocator_ = nullptr;
    VkPipelineCache pipeline_cache_ = VK_NULL_HANDLE;
    std::filesystem::path pipeline_cache_path_;
    bool shader_statistics_ = false;
    uint64_t loaded_cache_hash_ = 0;
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    std::mutex queue_mutex_;  // of submitting, presenting, and waiting for all of it
    std::atomic<uint64_t> last_submission_{0};
    mutable std::atomic<bool> hung_{
        false};  // a wait timed out: never wait for or destroy anything of this device again
    bool frame_open_ = false;
    std::atomic<uint64_t> made_pipelines_{0};
    std::atomic<uint64_t> recorded_pipelines_{0};
    std::mutex retired_mutex_;
    std::vector<Retired> retired_;
};

}  // namespace sublet::gpu
