// Brings what the shading pass found out about single pixels back to the CPU, late and without waiting.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/resources.h"
#include "render/view/inspection.h"

namespace sublet::render {

class Inspector {
  public:
    explicit Inspector(gpu::Device& device);

    // A frame asks: clears what the shading pass fills.
    void begin(const gpu::Frame& frame, const Inspection& inspection, const View& view, VkExtent2D extent);
    // After the shading pass, whose writes the caller made visible to transfers.
    void end(const gpu::Frame& frame) const;
    // The frame that used this slot is over.
    void collect(std::uint32_t slot);
    // All frames are over.
    void collect_all();
    // Frames that were begun will not run, or are of another scene.
    void forget();

    [[nodiscard]] const gpu::Buffer& buffer() const { return buffer_; }  // shared::Inspected
    // Of the newest frame that asked and is over.
    [[nodiscard]] const std::optional<InspectionResult>& newest() const { return newest_; }

  private:
    struct Slot {
        gpu::Buffer readback;
        std::optional<InspectionResult> asked;  // its probes still without answers
    };

    gpu::Buffer buffer_;
    std::array<Slot, gpu::kFramesInFlight> slots_;
    std::optional<InspectionResult> newest_;
};

}  // namespace sublet::render
