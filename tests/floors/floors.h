#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sublet::test {

struct FloorsReport {
    std::size_t file_count = 0;           // sources and headers that were read
    std::vector<std::string> violations;  // "src/mesh/view.h:12: mesh must not include gpu/device.h (gpu)", sorted
};

/// Reads every #include of src/ and shaders/shared/ under `root` and reports those that point up or across the floors
/// of the architecture, up the rooms of src/render, or at a library that the floor must know nothing of; and lines that
/// know a system outside of the folders for that.
FloorsReport check_floors(const std::filesystem::path& root);

}  // namespace sublet::test
