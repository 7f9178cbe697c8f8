// The readers of pictures of light on any bytes. What they return is finite and not negative.
#include <cstdlib>

#include "base/error.h"
#include "scene/environment_map.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sublet;
    constexpr std::uint64_t kQuickly = 8U << 20U;  // larger ones would only slow the search down
    try {
        const scene::EnvironmentMap map =
            scene::decode_environment_map(std::as_bytes(std::span(data, size)), "picture", kQuickly);
        if (map.width != 2 * map.height) std::abort();
        const std::uint16_t* const halves = map.rgba.get();
        for (std::size_t i = 0; i < std::size_t{4} * map.width * map.height; ++i) {
            if (halves[i] > 0x7BFF) std::abort();
        }
    } catch (const Error&) {
    }
    return 0;
}
