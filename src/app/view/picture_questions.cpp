#include "app/view/picture_questions.h"

#include <glm/geometric.hpp>
#include <utility>

#include "render/view/camera.h"

namespace sublet::app {

namespace {

// Under the pointer, and in the middle; a click's comes after them.
constexpr std::size_t kOwnProbes = 2;

std::optional<glm::vec3> point_at(const render::InspectionResult& seen, const render::Probe& probe) {
    return render::surface_point(seen.view, (glm::vec2(probe.pixel) + 0.5F) / glm::vec2(seen.size), probe.depth);
}

}  // namespace

void PictureQuestions::ask_of(const Click& click) {
    if (click_ && click_->pivot) return;  // its second release
    click_ = click;
    frame_ = 0;
}

void PictureQuestions::asked(std::uint64_t frame, const scene::AnimationTimes& times) {
    if (!click_waits()) return;
    frame_ = frame;
    times_ = times;
}

std::optional<PictureQuestions::Answer> PictureQuestions::take(std::optional<render::InspectionResult> seen) {
    seen_ = std::move(seen);
    if (!click_ || !seen_ || frame_ == 0 || seen_->frame < frame_) return std::nullopt;
    if (seen_->probes.size() <= kOwnProbes) return std::nullopt;
    const render::Probe& probe = seen_->probes[kOwnProbes];
    return Answer{*std::exchange(click_, std::nullopt), probe, point_at(*seen_, probe), times_};
}

void PictureQuestions::forget() {
    seen_.reset();
    click_.reset();
    inspection_.frozen_bounds.reset();
}

std::optional<render::Probe> PictureQuestions::under(const std::optional<glm::uvec2>& pixel) const {
    if (!seen_ || seen_->probes.size() < kOwnProbes || !pixel || !seen_->probes[0].covered) return std::nullopt;
    // Where the picture that was asked about it had the pointer there too.
    constexpr float kSamePlace = 12.0F;
    const render::Probe& under = seen_->probes[0];
    if (glm::distance(glm::vec2(under.pixel), glm::vec2(*pixel)) >= kSamePlace) return std::nullopt;
    return under;
}

void PictureQuestions::tell(CameraInput& input, const std::optional<glm::uvec2>& pixel) const {
    if (!seen_ || seen_->probes.size() < kOwnProbes) return;
    if (const std::optional<render::Probe> probe = under(pixel)) input.surface = point_at(*seen_, *probe);
    input.ahead = render::surface_distance(seen_->view, seen_->probes[1].depth);
}

bool PictureQuestions::seen_from(const render::CameraPose& pose) const {
    constexpr float kSame = 1e-6F;
    if (!seen_ || seen_->view.eye != pose.eye) return false;
    return glm::distance(seen_->view.forward, glm::normalize(pose.target - pose.eye)) < kSame;
}

std::optional<float> PictureQuestions::nearest(bool moving) const {
    // Frames that look a little aside are not to change a picture at rest, which they smooth.
    if (!seen_ || !seen_->nearest_depth || (!moving && seen_->view.shift != glm::vec2(0.0F))) return std::nullopt;
    return render::surface_distance(seen_->view, *seen_->nearest_depth);
}

void PictureQuestions::ask(const glm::uvec2& pixel, const glm::uvec2& size) {
    inspection_.probes = {pixel, size / 2U};
    if (click_) inspection_.probes.push_back(click_->pixel);
    inspection_.nearest_depth = true;
}

}  // namespace sublet::app
