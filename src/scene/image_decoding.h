// Decodes the images of a scene on all cores, beside the thread that takes them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "scene/images.h"

namespace sublet::scene {

// What decode_image() is to do.
struct ImageJob {
    const Image* image = nullptr;
    ImageHeader header;
    MipFilter filter;
    unsigned halvings = 0;
};

struct DecodedImage {
    std::vector<TexelLevel> levels;  // none where there is an error
    std::string error;
};

class ImageDecoding {
  public:
    // Begins at once. Images that are being decoded, and those that were not taken yet, take `most_bytes` together, or
    // are one alone. `threads`: 0 means one per hardware thread. The images of the jobs must stay until all are taken,
    // or this ends. Throws Error where the system grants no thread.
    ImageDecoding(const std::vector<ImageJob>& jobs, std::uint64_t most_bytes, unsigned threads = 0);
    // Begins no other image, and waits for those that are being decoded.
    ~ImageDecoding();
    ImageDecoding(const ImageDecoding&) = delete;
    ImageDecoding& operator=(const ImageDecoding&) = delete;

    // One more, behind all others. Throws Error as the constructor does.
    void add(const ImageJob& job);

    // Images that were not taken yet.
    [[nodiscard]] std::size_t left() const;

    // What images take now that are being decoded or were not taken.
    [[nodiscard]] std::uint64_t held_bytes() const;

    // The next one, in the order of the jobs; nothing where it is not ready, or all are taken.
    [[nodiscard]] std::optional<DecodedImage> take();
    // The same, once it is ready. There must be one left. Nothing once stop() was called.
    [[nodiscard]] std::optional<DecodedImage> wait();
    // Begins no other image, and wakes who waits. Any thread may call it.
    void stop();

  private:
    struct Slot {
        ImageJob job;
        std::uint64_t bytes = 0;  // that it takes now
        bool ready = false;
        DecodedImage result;
    };

    void start_threads();
    void work();
    [[nodiscard]] bool may_begin() const;
    [[nodiscard]] DecodedImage take_locked();

    const std::uint64_t most_bytes_;
    const unsigned most_threads_;
    mutable std::mutex mutex_;
    std::condition_variable work_, ready_;  // for threads, and for who takes what they made
    std::deque<Slot> slots_;                // that were not taken; they stay where they are
    std::size_t begun_ = 0;                 // of them
    std::uint64_t held_bytes_ = 0;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace sublet::scene
