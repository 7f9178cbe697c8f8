// What two-phase occlusion culling keeps of one view from frame to frame: which meshlets were visible, and which of
// their sublets or triangles (OcclusionDetail); and the pyramid.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/test_hooks.h"
#include "render/view/camera.h"
#include "render/view/hiz.h"
#include "render/view/output.h"

namespace sublet::render {

// Which part of a frame is recorded: PhaseData::number.
enum class CullPhase : std::uint8_t {
    kOnly,     // no occlusion culling: everything at once
    kFirst,    // what was visible in the last frame
    kSecond,   // everything again; what became visible is drawn
    kBlended,  // once all that is drawn: what blends
};

// What culling shaders read and write in a phase. Under kOnly none of it is touched.
struct PhaseBuffers {
    OcclusionDetail detail;             // what bits are kept of
    const gpu::Buffer* details_before;  // kPrimitives: BitTables::sublets words; kSublets: a byte for each bit of
    const gpu::Buffer* details_after;   // visible_before
    const gpu::Buffer* visible_before;  // BitTables::tasks words
    const gpu::Buffer* visible_after;
    const gpu::Buffer* occlusion;  // OcclusionView
    const gpu::Buffer* pyramid;
};

class Visibility {
  public:
    explicit Visibility(gpu::Device& device);

    // Everything is taken for invisible from now on: the next frame's second phase looks at all of it.
    void reset();
    // The same, and no pyramid is kept: the frame that made them will not run.
    void forget();

    // Begins a frame: the view that culls, in a window of these targets' size; or, `keep_pyramid`, in that of the
    // pyramid that there is.
    void begin(const gpu::Frame& frame, const View& cull_view, const Targets& targets, bool keep_pyramid);
    // Goes on to two phases: buffers for tables of this size, and the pyramid. `detail`: what its passes keep bits of,
    // beside meshlets. The caller orders the transfers it records before all passes.
    void begin_phases(const gpu::Frame& frame, const BitTables& tables, const View& cull_view, const Targets& targets,
                      OcclusionDetail detail, Fault fault);
    // Between the phases: the pyramid of what the first drew to the targets of begin() (Hiz::record).
    void build_pyramid(const FrameContext& context, const Targets& targets, std::uint32_t group_tiling);
    // After all is drawn, for looking at it, where there are no two phases: the pyramid of it all.
    void build_final_pyramid(const FrameContext& context, const Targets& targets, std::uint32_t group_tiling);
    // The last one built; any buffer, and no levels, where none was.
    [[nodiscard]] const gpu::Buffer& pyramid() const { return has_pyramid() ? hiz_->pyramid() : unused_; }
    [[nodiscard]] shared::HizLayout pyramid_layout() const {
        return has_pyramid() ? hiz_->layout() : shared::HizLayout{};
    }
    // Ends a frame: what its second phase saw is what the next one's first draws.
    void end();

    // Of the frame begun, or under kOnly.
    [[nodiscard]] PhaseBuffers buffers(const gpu::Frame& frame) const;
    // PhaseData of these, for kBindPhase. `classes`: one of kClassSets.
    [[nodiscard]] gpu::Descriptor phase_data(std::uint32_t number, std::uint32_t classes) const;
    // VRAM bytes.
    [[nodiscard]] std::uint64_t bytes() const;

  private:
    // The pyramid of a frame of such Targets::pixel_words().
    void use_pyramid(std::uint32_t pixel_words);
    [[nodiscard]] bool has_pyramid() const { return hiz_ != nullptr && hiz_->pyramid(); }
    // Of the frame begun: bounds are tested in it.
    void write_view(const gpu::Frame& frame, const View& cull_view, const shared::HizLayout& layout) const;

    gpu::Device& device_;
    std::array<std::optional<Hiz>, 3> pyramids_;               // by Targets::pixel_words()
    Hiz* hiz_ = nullptr;                                       // that of the last frame begun
    std::array<gpu::Buffer, 2> visible_;                       // a word for each task
    std::array<gpu::Buffer, 2> details_;                       // PhaseBuffers::details_before
    BitTables tables_;                                         // of those
    OcclusionDetail detail_ = OcclusionDetail::kMeshlets;      // of the last frame begun
    std::uint32_t before_ = 0;                                 // which of the two holds the last frame's
    std::array<gpu::Buffer, gpu::kFramesInFlight> occlusion_;  // OcclusionView
    gpu::Buffer phases_;                                       // PhaseData of every kind
    gpu::Buffer unused_;
};

}  // namespace sublet::render
