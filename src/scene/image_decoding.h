// Decodes the images of a scene on all cores, beside the thread that takes them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/thread_pool.h"
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
    // are one alone. `threads` as ThreadPool has it. The images of the jobs must stay until all are taken, or this
    // ends.
    ImageDecoding(std::vector<ImageJob> jobs, std::uint64_t most_bytes, unsigned threads = 0);
    // Begins no other image, and waits for those that are being decoded.
    ~ImageDecoding();
    ImageDecoding(const ImageDecoding&) = delete;
    ImageDecoding& operator=(const ImageDecoding&) = delete;

    // Images that were not taken yet.
    [[nodiscard]] std::size_t left() const { return slots_.size() - taken_; }

    // What images take now that are being decoded or were not taken.
    [[nodiscard]] std::uint64_t held_bytes() const;

    // The next one, in the order of the jobs; nothing where it is not ready, or all are taken.
    [[nodiscard]] std::optional<DecodedImage> take();
    // The same, once it is ready. There must be one left.
    [[nodiscard]] DecodedImage wait();

  private:
    struct Slot {
        ImageJob job;
        std::uint64_t bytes = 0;  // that it takes now
        bool ready = false;
        DecodedImage result;
    };

    void run(unsigned threads);
    void decode(std::size_t i);
    [[nodiscard]] DecodedImage take_locked();

    std::vector<Slot> slots_;
    std::uint64_t most_bytes_;
    std::size_t taken_ = 0;  // the taking thread's alone

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t begun_ = 0;
    std::uint64_t held_bytes_ = 0;
    bool stopping_ = false;
    std::thread thread_;  // its pool does the work
};

}  // namespace sublet::scene
