// The views of a scene, by number, and which of them the frame that is being recorded has drawn.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "render/backends/backends.h"
#include "render/view/view_state.h"

namespace sublet::render {

// Beside the numbers that callers give: the view that another is compared with, and the views of its shadow maps. Those
// two go together.
inline constexpr std::uint32_t kReferenceView = 0x80000000U;
[[nodiscard]] std::uint32_t shadow_view(std::uint32_t view, const ShadowMapView& map);
// What the span of a view's passes is called: gpu::Profiler::span().
[[nodiscard]] std::string view_name(std::uint32_t view);

struct KeptView : ViewState {
    explicit KeptView(gpu::Device& device) : ViewState(device), backends(device) {}

    Backends backends;  // that have drawn it
};

class Views {
  public:
    explicit Views(gpu::Device& device) : device_(device) {}

    // A view, drawn or not; made when there is none.
    [[nodiscard]] KeptView& get(std::uint32_t number) { return views_.try_emplace(number, device_).first->second; }
    // The frame that used this slot before is over: what it found out about pixels is taken.
    void begin_frame(std::uint32_t slot) {
        drawn_.clear();
        for (auto& [number, state] : views_) state.picture.inspector.collect(slot);
    }
    // All frames are over.
    void finish() {
        for (auto& [number, state] : views_) state.picture.inspector.collect_all();
    }
    // A frame of a view is over: it recorded so many rounds and took so many.
    void note_rounds(std::uint32_t number, std::uint32_t recorded, double taken) {
        const auto view = views_.find(number);
        if (view != views_.end()) view->second.geometry.round_count.note(recorded, taken);
    }
    // Inspector::newest() of that view; nothing where there is none.
    [[nodiscard]] std::optional<InspectionResult> inspected(std::uint32_t number) const {
        const auto view = views_.find(number);
        return view == views_.end() ? std::nullopt : view->second.picture.inspector.newest();
    }
    // The view of that number, to be drawn; made when there is none. `pictured`: it will have a picture. Throws Error
    // when this frame has drawn it before.
    [[nodiscard]] KeptView& take(std::uint32_t number, bool pictured);
    // The last view that was taken for a picture, or one by its number. Throws Error where it has no picture.
    [[nodiscard]] const ViewState& drawn(std::optional<std::uint32_t> number) const;
    // Of one by its number. Throws Error where it has no targets.
    [[nodiscard]] const GeometryState& geometry(std::uint32_t number) const;
    // After a frame that could not be recorded to its end and will not run: what it was to fill is not filled.
    void forget_frame();
    // Nothing that is kept of a view holds for another scene.
    void scene_changed();
    // VRAM bytes.
    [[nodiscard]] std::uint64_t target_bytes() const;
    [[nodiscard]] std::uint64_t layer_bytes() const;
    [[nodiscard]] std::uint64_t light_bytes() const;
    [[nodiscard]] std::uint64_t visibility_bytes() const;
    [[nodiscard]] std::uint64_t shadow_bytes() const;
    [[nodiscard]] TransientBytes transient_bytes() const;

  private:
    gpu::Device& device_;
    std::map<std::uint32_t, KeptView> views_;
    std::vector<KeptView*> drawn_;  // in this frame
    KeptView* last_ = nullptr;
};

}  // namespace sublet::render
