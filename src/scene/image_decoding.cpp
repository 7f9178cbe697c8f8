#include "scene/image_decoding.h"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace sublet::scene {
namespace {

DecodedImage decoded(const ImageJob& job) {
    DecodedImage result;
    try {
        result.levels = decode_image(*job.image, job.header, job.filter, job.halvings);
    } catch (const std::bad_alloc&) {
        result.error = "out of memory";
    } catch (const std::exception& error) {
        result.error = error.what();
    }
    return result;
}

}  // namespace

ImageDecoding::ImageDecoding(const std::vector<ImageJob>& jobs, std::uint64_t most_bytes, unsigned threads)
    : most_bytes_(most_bytes),
      most_threads_(threads != 0 ? threads : std::max(std::thread::hardware_concurrency(), 1U)) {
    for (const ImageJob& job : jobs) slots_.push_back({.job = job, .result = {}});
    start_threads();
}

// As many as there are images, at most.
void ImageDecoding::start_threads() {
    const std::size_t wanted = std::min<std::size_t>(most_threads_, left());
    try {
        while (threads_.size() < wanted) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // those there are decode all
        if (threads_.empty()) throw Error("scene", "images", "the system grants no thread");
    }
}

ImageDecoding::~ImageDecoding() {
    stop();
    for (std::thread& thread : threads_) thread.join();
}

void ImageDecoding::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    ready_.notify_all();
    work_.notify_all();
}

void ImageDecoding::add(const ImageJob& job) {
    {
        const std::lock_guard lock(mutex_);
        slots_.push_back({.job = job, .result = {}});
    }
    start_threads();
    work_.notify_one();
}

// They begin in order: the one that is taken next never waits for memory that later ones hold.
bool ImageDecoding::may_begin() const {
    if (begun_ == slots_.size()) return false;
    return held_bytes_ == 0 || held_bytes_ + slots_[begun_].job.header.decode_bytes <= most_bytes_;
}

void ImageDecoding::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        work_.wait(lock, [this] { return stopping_ || may_begin(); });
        if (stopping_) return;
        Slot& slot = slots_[begun_++];
        slot.bytes = slot.job.header.decode_bytes;
        held_bytes_ += slot.bytes;
        lock.unlock();
        DecodedImage result = decoded(slot.job);
        std::uint64_t bytes = 0;
        for (const TexelLevel& level : result.levels) bytes += level.bytes().size();
        lock.lock();
        held_bytes_ = held_bytes_ - slot.bytes + bytes;
        slot.bytes = bytes;
        slot.result = std::move(result);
        slot.ready = true;
        ready_.notify_all();
        work_.notify_all();
    }
}

std::size_t ImageDecoding::left() const {
    const std::lock_guard lock(mutex_);
    return slots_.size();
}

std::uint64_t ImageDecoding::held_bytes() const {
    const std::lock_guard lock(mutex_);
    return held_bytes_;
}

DecodedImage ImageDecoding::take_locked() {
    DecodedImage result = std::move(slots_.front().result);
    held_bytes_ -= slots_.front().bytes;
    slots_.pop_front();
    --begun_;
    return result;
}

std::optional<DecodedImage> ImageDecoding::take() {
    std::optional<DecodedImage> result;
    {
        const std::lock_guard lock(mutex_);
        if (slots_.empty() || !slots_.front().ready) return std::nullopt;
        result = take_locked();
    }
    work_.notify_all();
    return result;
}

std::optional<DecodedImage> ImageDecoding::wait() {
    std::optional<DecodedImage> result;
    {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return stopping_ || slots_.front().ready; });
        if (stopping_) return std::nullopt;
        result = take_locked();
    }
    work_.notify_all();
    return result;
}

}  // namespace sublet::scene
