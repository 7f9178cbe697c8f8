// While nothing moves, the viewer's picture becomes that of `render --samples`: the average of frames that look through
// other parts of the pixels.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>

#include "render/settings/frame_plan.h"
#include "render/view/camera.h"
#include "render/view/inspection.h"
#include "scene/animation.h"

namespace sublet::app {

// All that a picture of a scene follows from.
struct PictureSubject {
    render::CameraPose pose;
    float near_plane = 0.0F;
    render::Projection projection = render::Projection::kPerspective;
    glm::uvec2 size{0};  // in pixels
    render::FramePlan plan;
    render::Selection selection;
    scene::AnimationTimes times;  // of what moves

    bool operator==(const PictureSubject&) const = default;
};

class Refinement {
  public:
    // `samples`: of a whole picture; 1: pictures are not refined. Where frames are blended with those before them
    // (FramePlan::taa), one that stays is drawn once more, alone.
    explicit Refinement(std::uint32_t samples) : samples_(samples) {}

    void set_samples(std::uint32_t samples);
    // Of the whole picture.
    [[nodiscard]] std::uint32_t samples() const { return samples_; }

    // The next frame of this picture, which will be drawn. The first one is plain. Then come the samples, the last one
    // first: once all are there, the sum is the same as render's. From then on sample 0 is drawn again and again, and
    // adds nothing.
    struct Frame {
        glm::vec2 shift{0.0F};       // render::View::shift,
        std::uint32_t averaged = 0;  // averaged
        bool repeated = false;       // and repeated
    };
    [[nodiscard]] Frame next(const PictureSubject& subject);
    // The next frame is plain: this one is not wanted refined, or something that no subject tells of has changed.
    void restart() { subject_.reset(); }

    // Whether frames are still to come. False where none was drawn.
    [[nodiscard]] bool underway() const { return subject_ && count_ < samples_ && refines(*subject_); }
    // Samples in the picture that was drawn last: 1 for a plain one.
    [[nodiscard]] std::uint32_t reached() const { return subject_ && count_ > 0 ? count_ : 1; }
    [[nodiscard]] bool complete() const { return subject_ && count_ == samples_ && refines(*subject_); }

  private:
    [[nodiscard]] bool refines(const PictureSubject& subject) const { return samples_ > 1 || subject.plan.taa; }

    std::uint32_t samples_;
    std::optional<PictureSubject> subject_;  // of the last frame
    std::uint32_t count_ = 0;                // samples in the sum
};

}  // namespace sublet::app
