#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <system_error>

#include "base/path_text.h"

namespace sublet::test {

/// Makes an empty folder where temporary files are kept; its name begins so.
inline std::filesystem::path new_temporary_folder(const std::string& name) {
    std::random_device random;
    std::error_code error;
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::filesystem::path path =
            std::filesystem::temp_directory_path() / (name + std::to_string(random()) + std::to_string(random()));
        if (std::filesystem::create_directory(path, error)) return path;
    }
    ADD_FAILURE() << "cannot make a folder " << name << ": " << error.message();
    return {};
}

/// A new empty folder, removed with all that is in it.
class TemporaryFolder {
  public:
    TemporaryFolder() : path_(new_temporary_folder("sublet-test-")) {}
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / text_path(name); }

    /// How many files and folders are in it, at its top.
    std::ptrdiff_t entry_count() const {
        return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
    }

  private:
    std::filesystem::path path_;
};

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

/// The message of the exception of type E that `call` throws; a test failure and an empty string when it throws none.
template <typename E, typename Call>
std::string message_of(Call&& call) {
    try {
        call();
    } catch (const E& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

}  // namespace sublet::test
