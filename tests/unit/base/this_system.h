// What tests for all systems have to know of the one that they run on.
#pragma once

#include "base/system.h"

namespace sublet::test {

#ifdef _WIN32
inline constexpr bool kWindows = true;
#else
inline constexpr bool kWindows = false;
#endif

// Errors, as system_message() takes them.
inline constexpr int kNoFile = 2;
inline constexpr int kNoFolder = kWindows ? 3 : 2;  // on the way to it

// A path that nobody can make anything at.
inline constexpr const char* kNowhere = kWindows ? "NUL:/nowhere" : "/proc/nowhere";

// Wine stands in for Windows, but for some of it.
inline bool under_wine() {
    return kWindows && library_function("ntdll.dll", "wine_get_version", false) != nullptr;
}

}  // namespace sublet::test
