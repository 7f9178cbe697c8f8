#include "base/signal_cleanup.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/posix/signals.h"

namespace sublet {
namespace {

constexpr std::size_t kSlots = 16;
constexpr std::array kSignals{SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

// All that the handler reads is here and has a fixed place: it may interrupt anything, the allocator too.
struct Slot {
    std::atomic<bool> taken{false};
    std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler reads it");

std::array<Slot, kSlots> slots;
std::mutex mutex;  // of what follows, and of taking slots
std::size_t slots_taken = 0;
std::array<bool, kSignals.size()> handled{};

extern "C" void remove_and_end(int number) {
    remove_unfinished_files();
    // Raised again with its default action, which the parent sees; it arrives when this handler returns.
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
    ::raise(number);
}

void install_handlers() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction action {};
        ::sigaction(kSignals[i], nullptr, &action);
        handled[i] = (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
        if (!handled[i]) continue;
        action = {};
        action.sa_handler = remove_and_end;
        sigfillset(&action.sa_mask);
        ::sigaction(kSignals[i], &action, nullptr);
    }
}

void remove_handlers() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction action {};
        ::sigaction(kSignals[i], nullptr, &action);
        if (!handled[i] || action.sa_handler != remove_and_end) continue;
        action = {};
        action.sa_handler = SIG_DFL;
        ::sigaction(kSignals[i], &action, nullptr);
    }
}

}  // namespace

RemoveOnSignal::RemoveOnSignal(const std::filesystem::path& path) {
    const std::lock_guard lock(mutex);
    if (path.native().size() >= PATH_MAX) return;
    for (std::size_t i = 0; i < kSlots; ++i) {
        Slot& slot = slots[i];
        if (slot.taken.load(std::memory_order_relaxed)) continue;
        std::memcpy(slot.path.data(), path.c_str(), path.native().size() + 1);
        slot.taken.store(true, std::memory_order_release);
        slot_ = static_cast<int>(i);
        if (slots_taken++ == 0) install_handlers();
        return;
    }
}

RemoveOnSignal::~RemoveOnSignal() {
    if (slot_ < 0) return;
    const std::lock_guard lock(mutex);
    slots[static_cast<std::size_t>(slot_)].taken.store(false, std::memory_order_release);
    if (--slots_taken == 0) remove_handlers();
}

RemoveOnSignal::RemoveOnSignal(RemoveOnSignal&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

RemoveOnSignal& RemoveOnSignal::operator=(RemoveOnSignal&& other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
}

void remove_unfinished_files() noexcept {
    for (const Slot& slot : slots) {
        if (slot.taken.load(std::memory_order_acquire)) ::unlink(slot.path.data());
    }
}

void survive_size_limits() {
    std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace sublet
