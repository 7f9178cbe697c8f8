// What the tests that count in hundreds of thousands do less of under the address sanitizer.
#pragma once

#include <cstddef>

namespace sublet::test {

// The address sanitizer slows such tests down several times; they then run on so many times fewer cases.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr std::size_t kSanitizerDivisor = 10;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr std::size_t kSanitizerDivisor = 10;
#else
inline constexpr std::size_t kSanitizerDivisor = 1;
#endif
#else
inline constexpr std::size_t kSanitizerDivisor = 1;
#endif

}  // namespace sublet::test
