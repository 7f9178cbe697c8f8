#include "base/path_text.h"

namespace sublet {

std::string path_text(const std::filesystem::path& path) {
    return path.native();
}

std::filesystem::path text_path(std::string_view text) {
    return std::filesystem::path::string_type(text);
}

}  // namespace sublet
