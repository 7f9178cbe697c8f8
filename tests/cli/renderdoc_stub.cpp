// In RenderDoc's place: a library of its name with its one entry point. Writes down what it is asked for, in the file
// that STUB_LOG names. Functions stand where RenderDoc's documentation of its API 1.1.2 has them.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr const char* kFile = "/tmp/frame.rdc";

std::uint32_t captures = 0;
bool capturing = false;

void log(const char* what, const void* device, const void* window) {
    std::FILE* file = std::fopen(std::getenv("STUB_LOG"), "a");
    if (file == nullptr) std::abort();
    std::fprintf(file, "%s%s%s\n", what, device != nullptr ? "" : ", no device", window != nullptr ? ", a window" : "");
    std::fclose(file);
}

void unexpected() {
    log("unexpected", nullptr, nullptr);
}

std::uint32_t number_of_captures() {
    return captures;
}

std::uint32_t capture(std::uint32_t index, char* path, std::uint32_t* length, std::uint64_t* /*time*/) {
    if (index >= captures) return 0;
    *length = static_cast<std::uint32_t>(std::strlen(kFile)) + 1;
    if (path != nullptr) std::memcpy(path, kFile, *length);
    return 1;
}

void start(void* device, void* window) {
    log(capturing ? "start again" : "start", device, window);
    capturing = true;
}

std::uint32_t end(void* device, void* window) {
    log(capturing ? "end" : "end of nothing", device, window);
    capturing = false;
    if (std::getenv("STUB_FAILS") != nullptr) return 0;
    ++captures;
    return 1;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that RenderDoc gave it
extern "C" int RENDERDOC_GetAPI(int version, void** api) {
    if (version != 10102) return 0;
    static std::array<void*, 22> table{};
    table.fill(reinterpret_cast<void*>(&unexpected));
    table[13] = reinterpret_cast<void*>(&number_of_captures);
    table[14] = reinterpret_cast<void*>(&capture);
    table[19] = reinterpret_cast<void*>(&start);
    table[21] = reinterpret_cast<void*>(&end);
    *api = table.data();
    return 1;
}
