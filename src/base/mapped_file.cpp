#include "base/mapped_file.h"

#include <utility>

namespace sublet {

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)), bytes_(OpenFile(path_).map()) {}

MappedFile::MappedFile(std::filesystem::path path, const OpenFile& file) : path_(std::move(path)), bytes_(file.map()) {}

MappedFile::MappedFile(std::filesystem::path path, const std::filesystem::path& folder)
    : path_(std::move(path)), bytes_(OpenFile(path_, folder).map()) {}

MappedFile::~MappedFile() {
    unmap();
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    if (this != &other) {
        unmap();
        path_ = std::move(other.path_);
        bytes_ = std::exchange(other.bytes_, {});
    }
    return *this;
}

void MappedFile::unmap() noexcept {
    unmap_file(bytes_);
    bytes_ = {};
}

}  // namespace sublet
