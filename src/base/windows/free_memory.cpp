#include "base/free_memory.h"

#include "base/windows/native.h"

namespace sublet {

std::uint64_t free_memory_bytes(const std::filesystem::path& /*root*/) {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    // What may be promised, to be kept in memory or in the page file.
    return ::GlobalMemoryStatusEx(&status) != 0 ? status.ullAvailPageFile : ~std::uint64_t{0};
}

}  // namespace sublet
