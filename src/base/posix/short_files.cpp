#include "base/posix/signals.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

#include "base/path_text.h"
#include "base/printable.h"
#include "base/signal_cleanup.h"

namespace sublet {
namespace {

// A list that only grows, of records that are used again: a signal handler may walk it at any time.
struct Mapping {
    std::atomic<std::uintptr_t> begin{0}, end{0};  // both 0: of nothing
    std::array<char, 1024> name{};
    Mapping* next = nullptr;
};

std::atomic<Mapping*> first_mapping{nullptr};
std::mutex mapping_mutex;  // of whoever writes

void write_error(const char* text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

extern "C" void end_by_bus_error(int number, siginfo_t* info, void* /*context*/) {
    if (info->si_code <= 0) {  // sent by a program: it does not come again by itself
        std::signal(number, SIG_DFL);
        std::raise(number);
        return;
    }
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (const Mapping* m = first_mapping.load(std::memory_order_acquire); m != nullptr; m = m->next) {
        if (at < m->begin.load(std::memory_order_acquire) || at >= m->end.load(std::memory_order_acquire)) continue;
        remove_unfinished_files();
        write_error("error: ");
        write_error(m->name.data());
        write_error(": the file became shorter while it was read\n");
        ::_exit(1);
    }
    std::signal(number, SIG_DFL);  // of something else: it comes again
}

}  // namespace

void note_mapping(std::span<const std::byte> bytes, const std::filesystem::path& path) {
    const std::string name = printable(path_text(path));
    const std::scoped_lock lock(mapping_mutex);
    Mapping* mapping = first_mapping.load();
    while (mapping != nullptr && mapping->end.load() != 0) mapping = mapping->next;
    const bool made = mapping == nullptr;
    if (made) mapping = new Mapping;
    name.copy(mapping->name.data(), mapping->name.size() - 1);
    mapping->name.at(std::min(name.size(), mapping->name.size() - 1)) = '\0';
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    mapping->begin.store(begin, std::memory_order_release);
    mapping->end.store(begin + bytes.size(), std::memory_order_release);
    if (!made) return;
    mapping->next = first_mapping.load();
    first_mapping.store(mapping, std::memory_order_release);
}

void forget_mapping(std::span<const std::byte> bytes) noexcept {
    const std::scoped_lock lock(mapping_mutex);
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    for (Mapping* m = first_mapping.load(); m != nullptr; m = m->next) {
        if (m->end.load() == 0 || m->begin.load() != begin) continue;
        m->end.store(0);
        return;
    }
}

void survive_short_files() {
    struct sigaction action {};
    action.sa_sigaction = end_by_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigfillset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace sublet
