#include "base/error.h"

#include "base/path_text.h"

namespace sublet {
namespace {

std::string join(std::string_view source, std::string_view field, std::string_view message) {
    std::string line;
    line.reserve(source.size() + field.size() + message.size() + 4);
    for (const std::string_view part : {source, field}) {
        if (!part.empty()) line.append(part).append(": ");
    }
    return line.append(message);
}

}  // namespace

Error::Error(std::string_view source, std::string_view field, std::string_view message)
    : std::runtime_error(join(source, field, message)), source_size_(source.size()), field_size_(field.size()) {}

void throw_system(const std::filesystem::path& path, const char* what, int error) {
    throw Error(path_text(path), what, system_message(error));
}

}  // namespace sublet
