#include "base/signal_cleanup.h"

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "base/windows/native.h"

namespace sublet {
namespace {

constexpr std::size_t kSlots = 16;

std::mutex mutex;
std::array<std::wstring, kSlots> slots;

// In a thread of the system's own. The program ends by what it returns, as it would without: nobody has handled it.
BOOL WINAPI remove_files(DWORD /*event*/) {
    const std::lock_guard lock(mutex);
    for (const std::wstring& path : slots) {
        if (!path.empty()) ::DeleteFileW(path.c_str());
    }
    return FALSE;
}

}  // namespace

RemoveOnSignal::RemoveOnSignal(const std::filesystem::path& path) {
    // It stays: with no file to remove it does nothing. Not under the lock, which it takes itself.
    static const BOOL handles = ::SetConsoleCtrlHandler(remove_files, TRUE);
    if (handles == 0) return;
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < kSlots; ++i) {
        if (!slots[i].empty()) continue;
        slots[i] = windows::native(path);
        slot_ = static_cast<int>(i);
        return;
    }
}

RemoveOnSignal::~RemoveOnSignal() {
    if (slot_ < 0) return;
    const std::lock_guard lock(mutex);
    slots[static_cast<std::size_t>(slot_)].clear();
}

RemoveOnSignal::RemoveOnSignal(RemoveOnSignal&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

RemoveOnSignal& RemoveOnSignal::operator=(RemoveOnSignal&& other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
}

void survive_size_limits() {}

void survive_short_files() {}

}  // namespace sublet
