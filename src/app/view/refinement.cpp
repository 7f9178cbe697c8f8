#include "app/view/refinement.h"

#include "render/shade/average.h"

namespace sublet::app {

void Refinement::set_samples(std::uint32_t samples) {
    if (samples == samples_) return;
    samples_ = samples;
    restart();
}

Refinement::Frame Refinement::next(const PictureSubject& subject) {
    if (!refines(subject) || subject_ != subject) {
        subject_ = subject;
        count_ = 0;
        return {};
    }
    const bool repeated = count_ == samples_;
    if (!repeated) ++count_;
    return {.shift = render::sample_shift(samples_ - count_, subject.size), .averaged = count_, .repeated = repeated};
}

}  // namespace sublet::app
