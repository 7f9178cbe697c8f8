#include "render/scene/texture_levels.h"

#include <algorithm>
#include <utility>

namespace sublet::render {
namespace {

constexpr double kDeadBand = 0.85;  // of the budget: what may be finer again must take less

}  // namespace

TextureLevels::TextureLevels(std::span<const Image> images, std::uint64_t budget, std::uint32_t frames_kept)
    : frames_kept_(frames_kept) {
    for (const Image& image : images) {
        State state{.bytes = {}, .finest = image.finest, .level = image.level, .stays = image.stays};
        for (unsigned level = 0;; ++level) {
            const std::uint32_t width = scene::halved(image.width, level), height = scene::halved(image.height, level);
            state.bytes.push_back(scene::texture_bytes(width, height, image.format));
            if (std::max(width, height) <= kTailSide && level >= image.level) break;
        }
        state.finest = std::min(state.finest, state.last());
        state.level = state.coming = std::max(image.level, state.finest);
        state.older = state.newer = state.level;
        figures_.bytes += state.bytes[state.level];
        if (state.level == state.finest) ++figures_.whole;
        states_.push_back(std::move(state));
    }
    figures_.images = static_cast<std::uint32_t>(states_.size());
    figures_.budget = budget;
}

void TextureLevels::note(std::span<const unsigned> sampled) {
    ++frame_;
    const bool begins = frame_ % std::max(frames_kept_, 1U) == 0;
    for (std::size_t i = 0; i < states_.size(); ++i) {
        State& state = states_[i];
        const unsigned level = std::clamp(sampled[i], state.finest, state.last());
        if (sampled[i] != kNotSampled) state.used_at = frame_;
        if (begins) state.older = frames_kept_ == 0 ? level : std::exchange(state.newer, state.last());
        state.newer = std::min(state.newer, level);
        if (frames_kept_ == 0) state.newer = level;
    }
}

unsigned TextureLevels::target(const State& of, unsigned coarser) {
    return of.stays ? of.level : std::min(std::min(of.older, of.newer) + coarser, of.last());
}

std::uint64_t TextureLevels::bytes_by(unsigned coarser) const {
    std::uint64_t sum = 0;
    for (const State& state : states_) sum += state.bytes[target(state, coarser)];
    return sum;
}

std::uint64_t TextureLevels::wanted_bytes() const {
    std::uint64_t sum = 0;
    for (const State& state : states_) sum += state.bytes[state.stays ? state.finest : target(state, 0)];
    return sum;
}

// By how many levels all are coarser than what is sampled.
void TextureLevels::fit() {
    std::uint32_t& coarser = figures_.coarser;
    const double share = frames_kept_ == 0 ? 1.0 : kDeadBand;
    const auto less = static_cast<std::uint64_t>(share * static_cast<double>(figures_.budget));
    while (coarser > 0 && bytes_by(coarser - 1) <= less) --coarser;
    while (bytes_by(coarser) > figures_.budget && bytes_by(coarser + 1) < bytes_by(coarser)) ++coarser;
}

// Its bytes count from now on.
void TextureLevels::change(std::size_t image, unsigned level, std::vector<Change>& out) {
    State& state = states_[image];
    figures_.bytes += state.bytes[level];
    figures_.bytes -= state.bytes[state.level];
    state.coming = level;
    ++figures_.loading;
    out.push_back({image, level});
}

std::vector<TextureLevels::Change> TextureLevels::choose(std::span<const unsigned> sampled, std::uint32_t most) {
    note(sampled);
    fit();
    const auto target_of = [&](std::size_t i) { return target(states_[i], figures_.coarser); };
    std::vector<std::size_t> lacking, giving;
    std::uint32_t finer = 0;
    for (std::size_t i = 0; i < states_.size(); ++i) {
        const State& state = states_[i];
        if (state.coming < state.level) ++finer;
        if (state.coming != state.level) continue;
        if (target_of(i) < state.level) lacking.push_back(i);
        if (target_of(i) > state.level) giving.push_back(i);
    }
    // Those that lack most come first; what was unused for longest goes first, from the end.
    std::ranges::stable_sort(lacking, [&](std::size_t a, std::size_t b) {
        return states_[a].level - target_of(a) > states_[b].level - target_of(b);
    });
    std::ranges::stable_sort(giving,
                             [&](std::size_t a, std::size_t b) { return states_[a].used_at > states_[b].used_at; });
    std::vector<Change> out;
    figures_.lacking = static_cast<std::uint32_t>(lacking.size());
    for (const std::size_t i : lacking) {
        if (finer >= most) break;
        const State& state = states_[i];
        const std::uint64_t more = state.bytes[target_of(i)] - state.bytes[state.level];
        for (; figures_.bytes + more > figures_.budget && !giving.empty(); giving.pop_back()) {
            change(giving.back(), target_of(giving.back()), out);
        }
        if (figures_.bytes + more > figures_.budget) break;
        change(i, target_of(i), out);
        ++finer;
        --figures_.lacking;
    }
    return out;
}

void TextureLevels::arrived(std::size_t image) {
    State& state = states_[image];
    ++(state.coming < state.level ? figures_.refined : figures_.coarsened);
    if (state.level == state.finest) --figures_.whole;
    state.level = state.coming;
    if (state.level == state.finest) ++figures_.whole;
    --figures_.loading;
}

void TextureLevels::failed(std::size_t image) {
    State& state = states_[image];
    state.stays = true;
    state.finest = state.level;
    ++figures_.failed;
    if (state.coming == state.level) return;  // it was to come for the first time
    figures_.bytes += state.bytes[state.level];
    figures_.bytes -= state.bytes[state.coming];
    state.coming = state.level;
    --figures_.loading;
}

}  // namespace sublet::render
