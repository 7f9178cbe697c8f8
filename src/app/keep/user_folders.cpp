#include "app/keep/user_folders.h"

#include <cstdlib>

namespace sublet::app {

namespace {

namespace fs = std::filesystem;

// The folder that an environment variable names, or one in the user's home. A relative path is no folder: so the
// standard says.
fs::path user_folder(const char* variable, const char* in_home) {
    const char* const base = std::getenv(variable);
    if (base != nullptr && fs::path(base).is_absolute()) return fs::path(base) / "sublet";
    const char* const home = std::getenv("HOME");
    if (home == nullptr || !fs::path(home).is_absolute()) return {};
    return fs::path(home) / in_home / "sublet";
}

}  // namespace

fs::path user_cache_folder() {
    return user_folder("XDG_CACHE_HOME", ".cache");
}

fs::path user_state_folder() {
    return user_folder("XDG_STATE_HOME", ".local/state");
}

}  // namespace sublet::app
