#include "base/error.h"

#include <system_error>

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

void throw_errno(const std::filesystem::path& path, const char* what, int error) {
    throw Error(path.string(), what, std::generic_category().message(error));
}

}  // namespace sublet
