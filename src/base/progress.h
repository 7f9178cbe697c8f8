#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace sublet {

/// Thrown out of work that nobody wants any more.
class Cancelled : public std::exception {
  public:
    [[nodiscard]] const char* what() const noexcept override { return "cancelled"; }
};

/// How far a stage of work is.
struct ProgressState {
    std::string stage;  // "encode"
    std::string unit;   // of `total`: "triangles", "bytes"; empty: none worth telling
    std::uint64_t total = 0;
    double fraction = 0;  // 0 to 1, and 0 without a total
};

/// Follows the stages of work (Progress) that a thread begins while a Scope of it lives there, and can stop them. Any
/// thread may ask and cancel.
class ProgressWatch {
  public:
    using Observer = std::function<void(const ProgressState&)>;

    /// `observer` is called for each stage as it begins and at every step of it, by the thread that works.
    explicit ProgressWatch(Observer observer = {});
    ~ProgressWatch();
    ProgressWatch(const ProgressWatch&) = delete;
    ProgressWatch& operator=(const ProgressWatch&) = delete;

    /// The newest stage that is going on; without a name where there is none.
    [[nodiscard]] ProgressState state() const;

    /// The work throws Cancelled when it next begins or advances a stage.
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }

    /// That of the calling thread's Scope; null without one.
    [[nodiscard]] static ProgressWatch* current();

    /// Stages that this thread begins while it lives report to `watch`. Scopes may lie within one another.
    class Scope {
      public:
        explicit Scope(ProgressWatch& watch);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        ProgressWatch* before_;
    };

  private:
    friend class Progress;
    struct Stage;

    const Observer observer_;
    mutable std::mutex mutex_;
    std::shared_ptr<Stage> stage_;
    std::atomic<bool> cancelled_{false};
};

/// A stage of work, from construction to destruction: a bar on stderr where that is a terminal, and what the thread's
/// ProgressWatch tells. `unit` names what `total` counts; each of them is done in so many `steps`.
class Progress {
  public:
    /// A total of 0 shows the stage's name alone. Throws Cancelled.
    Progress(std::string stage, std::uint64_t total, std::string unit = {}, std::uint64_t steps = 1);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Counts `amount` steps as done. Any thread may call it. Throws Cancelled.
    void advance(std::uint64_t amount = 1);

  private:
    void draw();

    std::shared_ptr<ProgressWatch::Stage> state_;
    ProgressWatch* watch_;  // of the thread that began it; may be null
    bool shown_;
    std::mutex mutex_;
    std::chrono::steady_clock::time_point last_drawn_;
};

}  // namespace sublet
