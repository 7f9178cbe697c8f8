#include "base/system.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <system_error>

#include "base/error.h"

namespace sublet {

namespace fs = std::filesystem;

std::string system_message(int error) {
    return std::generic_category().message(error);
}

std::optional<std::string> environment_variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::uint64_t process_number() {
    return static_cast<std::uint64_t>(::getpid());
}

std::uint64_t physical_memory_bytes() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

std::uint64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

double thread_cpu_milliseconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

fs::path executable_path() {
    std::error_code error;
    fs::path path = fs::read_symlink(executable_bytes_path(), error);
    return error ? fs::path() : path;
}

fs::path executable_bytes_path() {
    return "/proc/self/exe";
}

fs::path user_folder(UserFolder folder) {
    const bool cache = folder == UserFolder::kCache;
    // A relative path is no folder: so the standard says.
    fs::path named = environment_variable(cache ? "XDG_CACHE_HOME" : "XDG_STATE_HOME").value_or("");
    if (named.is_absolute()) return named;
    const fs::path home = environment_variable("HOME").value_or("");
    if (!home.is_absolute()) return {};
    return home / (cache ? ".cache" : ".local/state");
}

void* library_function(const char* library, const char* function, bool load) {
    void* const handle = ::dlopen(library, load ? RTLD_LAZY | RTLD_LOCAL : RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr) return nullptr;
    void* const found = ::dlsym(handle, function);
    if (!load) ::dlclose(handle);  // it was there before, and stays
    return found;
}

const char* const kVulkanLoaderHelp =
    "(libvulkan.so.1) on this machine: install it (Debian: libvulkan1) and a driver for the GPU, or "
    "mesa-vulkan-drivers for one in software";
const char* const kRenderDocLibrary = "librenderdoc.so";

}  // namespace sublet
