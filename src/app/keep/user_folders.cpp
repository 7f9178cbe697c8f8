#include "app/keep/user_folders.h"

#include "base/path_text.h"
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

std::filesystem::path home_folder() {
    for (const char* name : {"HOME", "USERPROFILE"}) {
        if (const auto home = environment_variable(name); home && !home->empty()) return text_path(*home);
    }
    return {};
}

}  // namespace sublet::app
