#include "scene/image_decoding.h"

#include <exception>
#include <new>
#include <utility>

namespace sublet::scene {

ImageDecoding::ImageDecoding(std::vector<ImageJob> jobs, std::uint64_t most_bytes, unsigned threads)
    : most_bytes_(most_bytes) {
    slots_.resize(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) slots_[i].job = jobs[i];
    if (!slots_.empty()) thread_ = std::thread([this, threads] { run(threads); });
}

ImageDecoding::~ImageDecoding() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void ImageDecoding::run(unsigned threads) {
    ThreadPool pool(threads);
    pool.parallel_for(slots_.size(), 1, [this](std::size_t begin, std::size_t) { decode(begin); });
}

void ImageDecoding::decode(std::size_t i) {
    Slot& slot = slots_[i];
    {
        std::unique_lock lock(mutex_);
        // They begin in order: the one that is taken next never waits for memory that later ones hold.
        changed_.wait(lock, [&] {
            const bool room = held_bytes_ == 0 || held_bytes_ + slot.job.header.decode_bytes <= most_bytes_;
            return stopping_ || (begun_ == i && room);
        });
        if (stopping_) return;
        ++begun_;
        slot.bytes = slot.job.header.decode_bytes;
        held_bytes_ += slot.bytes;
    }
    changed_.notify_all();
    DecodedImage result;
    try {
        result.levels = decode_image(*slot.job.image, slot.job.header, slot.job.filter, slot.job.halvings);
    } catch (const std::bad_alloc&) {
        result.error = "out of memory";
    } catch (const std::exception& error) {
        result.error = error.what();
    }
    std::uint64_t bytes = 0;
    for (const TexelLevel& level : result.levels) bytes += level.bytes().size();
    {
        const std::lock_guard lock(mutex_);
        held_bytes_ = held_bytes_ - slot.bytes + bytes;
        slot.bytes = bytes;
        slot.result = std::move(result);
        slot.ready = true;
    }
    changed_.notify_all();
}

std::uint64_t ImageDecoding::held_bytes() const {
    const std::lock_guard lock(mutex_);
    return held_bytes_;
}

DecodedImage ImageDecoding::take_locked() {
    Slot& slot = slots_[taken_++];
    held_bytes_ -= slot.bytes;
    return std::move(slot.result);
}

std::optional<DecodedImage> ImageDecoding::take() {
    std::optional<DecodedImage> result;
    {
        const std::lock_guard lock(mutex_);
        if (left() == 0 || !slots_[taken_].ready) return std::nullopt;
        result = take_locked();
    }
    changed_.notify_all();
    return result;
}

DecodedImage ImageDecoding::wait() {
    DecodedImage result;
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return slots_[taken_].ready; });
        result = take_locked();
    }
    changed_.notify_all();
    return result;
}

}  // namespace sublet::scene
