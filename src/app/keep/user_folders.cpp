#include "app/keep/user_folders.h"

#include "base/system.h"

namespace sublet::app {

namespace {

std::filesystem::path own_folder(UserFolder kind) {
    const std::filesystem::path folder = user_folder(kind);
    return folder.empty() ? folder : folder / "sublet";
}

}  // namespace

std::filesystem::path user_cache_folder() {
    return own_folder(UserFolder::kCache);
}

std::filesystem::path user_state_folder() {
    return own_folder(UserFolder::kState);
}

}  // namespace sublet::app
