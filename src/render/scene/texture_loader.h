// Makes images of a scene on the GPU beside the frames: threads decode them, and one uploads what they give, or copies
// levels that the GPU has.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "gpu/device.h"
#include "gpu/resources.h"
#include "gpu/upload.h"
#include "scene/image_decoding.h"

namespace sublet::render {

// An image that is to be made.
struct TextureRequest {
    std::size_t image = 0;  // the caller's number
    unsigned level = 0;     // the finest that it gets
    gpu::ImageDesc desc;    // but for its size and mips
    // Decoded from its halvings on; or, where `from` is not null, the last levels of that image, which must stay.
    scene::ImageJob decode;
    const gpu::Image* from = nullptr;
    std::uint32_t fewer = 0;  // levels than `from` has
};

struct LoadedTexture {
    std::size_t image = 0;
    unsigned level = 0;
    gpu::Image texture;  // none where there is an error
    std::string error;
};

class TextureLoader {
  public:
    // `decoding`: bytes of images that are being decoded, or wait for their upload. `threads` decode them; 0: one per
    // hardware thread.
    TextureLoader(gpu::Device& device, std::uint64_t decoding, unsigned threads);
    // Ends its threads. Waits for what they upload, and for images that are being decoded.
    ~TextureLoader();
    TextureLoader(const TextureLoader&) = delete;
    TextureLoader& operator=(const TextureLoader&) = delete;

    // Images to be decoded must stay until they are loaded, or this ends. Throws Error where the system grants no
    // thread.
    void begin(TextureRequest request);
    // That were begun, and not taken.
    [[nodiscard]] std::size_t left() const { return left_; }
    // The next one, in the order in which they were begun; nothing where it is not there yet. What is submitted from
    // now on may read it.
    [[nodiscard]] std::optional<LoadedTexture> take();
    // The same, once it is there. There must be one left.
    [[nodiscard]] LoadedTexture wait();

    // For tests: it is called before each image that is made, on the thread that does it.
    void set_gate(std::function<void()> gate);

  private:
    void work();
    [[nodiscard]] LoadedTexture load(const TextureRequest& request);
    void decode(const TextureRequest& request, LoadedTexture& into);
    void copy(const TextureRequest& request, LoadedTexture& into);
    [[nodiscard]] LoadedTexture take_locked();

    gpu::Device& device_;
    std::deque<LoadedTexture> loaded_;
    gpu::Uploader uploader_;  // the thread's alone; it ends before what it uploads
    scene::ImageDecoding decoding_;
    std::size_t left_ = 0;  // the caller's alone

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<TextureRequest> requests_;  // that the thread has not begun
    std::function<void()> gate_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace sublet::render
