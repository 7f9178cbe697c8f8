// Prefix sums of 32-bit unsigned integers on the GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/commands.h"
#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "shaders/shared/scan.h"

namespace sublet::render {

enum class ScanMethod : std::uint8_t {
    kAuto,        // the single pass where the device has what it needs
    kSinglePass,  // decoupled look-back: reads the elements once
    kMultiPass,   // three dispatches, reads them twice; needs nothing beyond Vulkan 1.3
};

enum class ScanKind : std::uint8_t {
    kExclusive,  // output[i] = input[0] + ... + input[i - 1]
    kInclusive,  // output[i] = input[0] + ... + input[i]
};

struct ScanOptions {
    ScanMethod method = ScanMethod::kAuto;
    // The largest sum there may be: kAuto takes the multi-pass where the single one has 30 bits, and it has more.
    std::uint64_t most_sum = 0;
    // The shape of a partition, which one workgroup takes: lanes (clamped to what the device has) times 16-byte vectors
    // a lane (at most 16). 0: a small shape for small scans, so that there are enough partitions, and a large one for
    // large scans, which are bound by what is in flight.
    std::uint32_t lanes = 0;
    std::uint32_t vectors = 0;
    // Reads of a predecessor's word that is not there yet, before its partition is summed up anew.
    std::uint32_t reads = 64;

    // For tests. Every so many partitions, one never publishes its sum, as if its workgroup had stopped (0: none); not
    // for scans in place.
    std::uint32_t withhold = 0;
    // Every partition's predecessor is summed up anew, even when its sum is there.
    bool distrust = false;
};

// `count` elements of a buffer, from `offset` (bytes, a multiple of the device's minStorageBufferOffsetAlignment).
struct ScanRange {
    const gpu::Buffer& buffer;
    VkDeviceSize offset = 0;
};

// How many elements there are, known when recording or, when `buffer` is given, only on the GPU: then `most` bounds it.
struct ScanCount {
    std::uint32_t most = 0;
    const gpu::Buffer* buffer = nullptr;
    VkDeviceSize offset = 0;  // of the uint in `buffer`, bytes, a multiple of 4
};

// A prefix sum on a device. What differs from call to call is in the arguments; one object serves any number of them.
// Sums wrap modulo 2^32, but in the single pass on a device without 64-bit atomics (limit_is_30_bits()), where
// they must stay below 2^30.
class Scan {
  public:
    // Throws Error with the reason when the device can't do options.method.
    explicit Scan(const gpu::Capabilities& capabilities, const ScanOptions& options = {});

    // What record() takes for so many elements.
    void add_pipelines(std::uint32_t elements, gpu::PipelineList& out) const;

    // Output may be the input (the same buffer and offset), else the two may not overlap. Elements of the output beyond
    // the count stay as they are.
    //
    // Before: the input and the count buffer must be visible to compute shaders (gpu::kComputeRead), and earlier uses
    // of the output done. Earlier scans with the same workspace need no barrier. After: the output and the workspace
    // are visible to shaders and indirect commands (gpu::kConsume), and ready to be copied.
    //
    // `workspace` is from make_workspace(), of this object or of another with the same method, for count.most elements
    // or more; nothing but scans writes to it. It starts with a shared::ScanState: the sum of all elements, and what
    // went wrong (kScanCountOverflow: the count in the buffer was above count.most, and count.most elements were done.
    // kScanSumOverflow: output and total are meaningless).
    //
    // Throws Error when there are more elements than max_elements(), when a buffer is too small for them, or when the
    // workspace is.
    void record(gpu::Commands commands, gpu::DescriptorArena& descriptors, gpu::Pipelines& pipelines,
                const ScanRange& input, const ScanRange& output, const ScanCount& count, ScanKind kind,
                const gpu::Buffer& workspace) const;

    // Most elements of one scan: what the device can bind at once.
    [[nodiscard]] std::uint32_t max_elements() const { return max_elements_; }
    [[nodiscard]] VkDeviceSize workspace_bytes(std::uint32_t elements) const;
    // A workspace for scans of up to so many elements, cleared: waits for the device.
    [[nodiscard]] gpu::Buffer make_workspace(gpu::Device& device, std::uint32_t elements) const;

    // Never kAuto.
    [[nodiscard]] ScanMethod method() const { return method_; }
    [[nodiscard]] bool limit_is_30_bits() const { return method_ == ScanMethod::kSinglePass && !wide_; }
    // Elements of one partition of a scan of so many.
    [[nodiscard]] std::uint32_t partition_elements(std::uint32_t elements) const {
        return form(elements).partition_elements;
    }

  private:
    // A shape of partitions, and the method's passes for it: one, or the three of several passes.
    struct Form {
        std::uint32_t partition_elements = 0;
        std::vector<gpu::ComputePipelineDesc> passes;
    };

    [[nodiscard]] Form make_form(const gpu::Capabilities& capabilities, const ScanOptions& options) const;
    [[nodiscard]] const Form& form(std::uint32_t elements) const;
    [[nodiscard]] std::uint32_t partition_count(std::uint32_t elements) const;

    ScanMethod method_;
    bool wide_;
    std::uint32_t max_elements_ = 0;
    Form small_;
    std::optional<Form> large_;  // of large scans, where they have their own
};

// Null when the device can do it; else one sentence that a user can act on.
[[nodiscard]] std::optional<std::string> scan_unavailable(ScanMethod method, const gpu::Capabilities& capabilities);

}  // namespace sublet::render
