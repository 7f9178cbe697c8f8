// Which levels of a scene's images are there, where not all have room: those that frames sample. CPU alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scene/texels.h"

namespace sublet::render {

// What texture streaming did, for people.
struct TextureFigures {
    std::uint32_t images = 0;
    std::uint32_t whole = 0;    // of them: with all levels that are to be had
    std::uint32_t loading = 0;  // that become finer, or coarser
    std::uint32_t lacking = 0;  // that should, and wait for others
    std::uint32_t coarser = 0;  // levels by which all are coarser than what is sampled, since that has no room
    std::uint64_t budget = 0;   // bytes
    std::uint64_t bytes = 0;    // what they take, those that come included
    // Images, since the scene was set: that became finer, that gave room, that could not be made.
    std::uint64_t refined = 0, coarsened = 0, failed = 0;

    // Pixels take turns in saying what they sample: so many frames know it of all, and it is forgotten after at most
    // twice as many.
    static constexpr std::uint32_t kFramesToKnow = 16;
    // Whether frames to come may show more than those before them.
    [[nodiscard]] bool goes_on() const { return loading != 0 || lacking != 0; }
    // Changes of what is sampled.
    [[nodiscard]] std::uint64_t changes() const { return refined + coarsened; }
};

// Levels of up to so many texels each way are always there, where there is room for them all.
inline constexpr std::uint32_t kTailSide = 64;

// Of an image its levels are there from one to the last: that one is called its level. Level 0 is the image itself.
class TextureLevels {
  public:
    struct Image {
        std::uint32_t width = 0, height = 0;  // of level 0
        scene::TexelFormat format = scene::TexelFormat::kRgba8;
        unsigned finest = 0;  // that a device has room for at all
        unsigned level = 0;   // to begin with
        bool stays = false;   // at that level
    };
    struct Change {
        std::size_t image = 0;
        unsigned level = 0;
    };
    static constexpr unsigned kNotSampled = ~0U;

    // `budget`: bytes of all of them together. `frames_kept`: see choose().
    TextureLevels(std::span<const Image> images, std::uint64_t budget, std::uint32_t frames_kept);

    // After a frame. `sampled`: the finest level that it read of each image, or kNotSampled. An image becomes as fine
    // as the finest that this one sampled, and those before: `frames_kept` of them at least, twice as many at most.
    // What is finer than that gives room where others need it, the longest unused first. Where all that is sampled has
    // no room it is coarser by as many levels as that takes, all alike. `most`: images that become finer at a time.
    // What is returned is to be made, in this order: then arrived() or failed().
    [[nodiscard]] std::vector<Change> choose(std::span<const unsigned> sampled, std::uint32_t most);

    // What all images would take at the levels that were sampled; those that stay count whole.
    [[nodiscard]] std::uint64_t wanted_bytes() const;

    void arrived(std::size_t image);
    // It stays as it is, for good: its data can't be read, or the device has no memory. Where none of it is there it
    // counts as before.
    void failed(std::size_t image);

    // That is there.
    [[nodiscard]] unsigned level(std::size_t image) const { return states_[image].level; }
    [[nodiscard]] const TextureFigures& figures() const { return figures_; }

  private:
    struct State {
        std::vector<std::uint64_t> bytes;  // from each level on
        unsigned finest = 0;
        unsigned level = 0;   // that is there
        unsigned coming = 0;  // that is being made; `level` where none is
        // The finest that was sampled: in the last full window of frames, and in the one at hand.
        unsigned older = 0, newer = 0;
        std::uint64_t used_at = 0;  // at any level
        bool stays = false;
        [[nodiscard]] unsigned last() const { return static_cast<unsigned>(bytes.size()) - 1; }
    };

    void note(std::span<const unsigned> sampled);
    // The level that an image should have where all are coarser by some levels.
    [[nodiscard]] static unsigned target(const State& of, unsigned coarser);
    [[nodiscard]] std::uint64_t bytes_by(unsigned coarser) const;
    void fit();
    void change(std::size_t image, unsigned level, std::vector<Change>& out);

    std::uint32_t frames_kept_;
    std::vector<State> states_;
    std::uint64_t frame_ = 0;
    TextureFigures figures_;
};

}  // namespace sublet::render
