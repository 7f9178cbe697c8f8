#include "render/views.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "shaders/shared/shadow.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kShadowView = 0x40000000U;
constexpr std::uint32_t kViewsOfOne = shared::kShadowMaps + shared::kLightMaps;

}  // namespace

std::uint32_t shadow_view(std::uint32_t view, const ShadowMapView& map) {
    const std::uint32_t place = map.light == ShadowMapView::kOfSun ? map.layer : shared::kShadowMaps + map.layer;
    const std::uint32_t number = view * kViewsOfOne + place;
    return (view & kReferenceView) | kShadowView | (number & (kShadowView - 1));
}

std::string view_name(std::uint32_t view) {
    const std::uint32_t number = view & (kShadowView - 1);
    if ((view & kShadowView) == 0) return "view " + std::to_string(view);
    const std::string of = number < kViewsOfOne ? "" : "view " + std::to_string(number / kViewsOfOne) + " ";
    return ((view & kReferenceView) != 0 ? "reference " : "") + of + "shadow " + std::to_string(number % kViewsOfOne);
}

KeptView& Views::take(std::uint32_t number, bool pictured) {
    KeptView& state = get(number);
    if (pictured) last_ = &state;
    if (std::find(drawn_.begin(), drawn_.end(), &state) != drawn_.end()) {
        throw Error("renderer", "view " + std::to_string(number), "was drawn in this frame before");
    }
    drawn_.push_back(&state);
    return state;
}

const ViewState& Views::drawn(std::optional<std::uint32_t> number) const {
    const auto known = number ? views_.find(*number) : views_.end();
    const ViewState* state = known != views_.end() ? &known->second : number ? nullptr : last_;
    if (state == nullptr || !state->picture.color) throw Error("renderer", "picture", "no frame was rendered");
    return *state;
}

const GeometryState& Views::geometry(std::uint32_t number) const {
    const auto known = views_.find(number);
    if (known == views_.end() || !known->second.geometry.targets.depth) {
        throw Error("renderer", "view " + std::to_string(number), "was not drawn");
    }
    return known->second.geometry;
}

void Views::forget_frame() {
    for (KeptView* state : drawn_) {
        if (!state->geometry.was_frozen) state->geometry.frozen.reset();
        state->geometry.forget();
        state->backends.clear();
        state->picture.forget();
    }
    for (auto& [number, state] : views_) state.picture.shadows.forget();
    drawn_.clear();
}

void Views::scene_changed() {
    for (auto& [number, state] : views_) {
        state.geometry.forget();
        state.geometry.frozen.reset();
        state.geometry.frames = 0;
        state.backends.clear();
        state.picture.forget();
        state.picture.lights = {};  // not every view is drawn again
    }
}

std::uint64_t Views::target_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [number, state] : views_) bytes += state.geometry.targets.bytes() + state.picture.bytes();
    return bytes;
}

std::uint64_t Views::layer_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [number, state] : views_) {
        if (state.geometry.targets.layers) bytes += state.geometry.targets.layers.size();
    }
    return bytes;
}

std::uint64_t Views::light_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [number, state] : views_) bytes += state.picture.lights.bytes();
    return bytes;
}

TransientBytes Views::transient_bytes() const {
    TransientBytes bytes;
    for (const auto& [number, state] : views_) {
        const TransientBytes of_view = state.backends.transient_bytes();
        bytes.survivors += of_view.survivors;
        bytes.triangles += of_view.triangles;
    }
    return bytes;
}

std::uint64_t Views::shadow_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [number, state] : views_) bytes += state.picture.shadows.bytes();
    return bytes;
}

std::uint64_t Views::visibility_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [number, state] : views_) bytes += state.geometry.visibility.bytes();
    return bytes;
}

}  // namespace sublet::render
