// Decides which groups of levels of detail come and go, on a thread of its own beside the frames: makes room for what
// they wish for, and begins to read it. CPU alone, but for the memory that it reads into.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "gpu/device.h"
#include "render/scene/residency.h"
#include "render/stream/group_loader.h"
#include "render/stream/streamer.h"

namespace sublet::render {

// What the pass "wishes" found out (shaders/stream/wishes.comp), as it lies in a buffer.
struct StreamStamps {
    std::span<const std::uint32_t> words;
    std::uint32_t wish_room = 0;

    [[nodiscard]] std::uint32_t wished() const;  // groups
    [[nodiscard]] double demand() const;         // of the pool, what was wanted
    [[nodiscard]] float largest() const;         // how many times more than what is asked for the error seems at most
    // Those that have room in the list.
    [[nodiscard]] std::vector<GroupWish> wishes() const;
    // The last frame that used each group.
    [[nodiscard]] std::span<const std::uint32_t> last_use() const;
};

class StreamScheduler {
  public:
    struct Task {
        std::vector<GroupWish> wishes;
        Streamer::Options options;
    };
    // What was decided.
    struct Step {
        std::uint64_t number = 0;            // of those so far that evicted anything
        std::vector<std::uint32_t> evicted;  // they go before the next frame
        std::uint32_t begun = 0;             // groups that are to be read
        bool lacks_room = false;             // a wish found no room
    };

    // What is given must live as long. Throws Error where the system grants no thread.
    StreamScheduler(gpu::Device& device, const scene::EncodedScene& file, const Residency& residency);
    ~StreamScheduler();
    StreamScheduler(const StreamScheduler&) = delete;
    StreamScheduler& operator=(const StreamScheduler&) = delete;

    // Begins a step, whose wishes and last uses are those of `stamps`, which must stay until it is over. Only where
    // none is running.
    void start(Task task, const StreamStamps& stamps);
    // Whether a step was started whose result nobody has.
    [[nodiscard]] bool running() const { return running_; }
    // The result, once: nothing where none was started, or none is there yet and the caller does not `wait`. Throws
    // what the step threw, from then on: what it had decided is lost.
    [[nodiscard]] std::optional<Step> finished(bool wait);

    // The same at once. Only where none is running.
    [[nodiscard]] Step run(Task task);
    // The groups that are always there, so many, are what the next step begins to read.
    std::uint32_t choose_roots();
    // Groups that have a place wait for a block.
    [[nodiscard]] bool has_more() const { return !chosen_.empty(); }
    // That are there as far as steps were told. Only where none is running.
    [[nodiscard]] const Streamer& streamer() const { return streamer_; }

    // Blocks, as the loader has them; of what has been read, what goes where nothing lies that a step evicted whose
    // result was not given yet.
    [[nodiscard]] std::uint64_t free_words() { return loader_.free_words(); }
    [[nodiscard]] std::uint64_t ready_bytes() { return loader_.ready_bytes(given_); }
    [[nodiscard]] LoadedBlock* take(bool wait) { return loader_.take(wait, given_); }
    void give_back(LoadedBlock* block) { loader_.give_back(block); }
    // What became of a group in a block that was taken: it is there from now on, and its parents are; or it is not, and
    // is not to be tried again before the frame of this stamp. The next step is told.
    void came(const GroupArrival& arrival) { reports_.push_back({arrival, std::nullopt}); }
    void failed(const GroupArrival& arrival, std::uint32_t not_before) { reports_.push_back({arrival, not_before}); }

    // What all blocks lie in.
    [[nodiscard]] const gpu::Buffer& memory() const { return loader_.memory(); }
    // For tests: GroupLoader::set_gate().
    void set_gate(std::function<void()> gate) { loader_.set_gate(std::move(gate)); }

  private:
    struct Report {
        GroupArrival arrival;
        std::optional<std::uint32_t> not_before;
    };

    void work();
    Step decide(Task task, const std::vector<Report>& reports);

    Streamer streamer_;
    GroupLoader loader_;
    std::vector<GroupArrival> chosen_;  // that have a place, but no block yet
    std::uint64_t evicting_steps_ = 0;

    // The caller's alone:
    bool running_ = false;
    std::uint64_t given_ = 0;  // the last step whose result was, of those that evicted anything
    std::vector<Report> reports_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    // Between the caller and the thread:
    std::optional<Task> task_;
    StreamStamps stamps_;
    std::vector<Report> told_;
    std::optional<Step> step_;
    std::exception_ptr error_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace sublet::render
