// Names of the files of a sequence: frame-%04d.png.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sublet::app {

// A name with one number in it: %d, or %04d, which has zeros before it until it has so many digits (1 to 9). A name
// without a % has none. Throws UsageError for any other %, naming `option`.
class NumberedName {
  public:
    NumberedName(const std::string& option, const std::filesystem::path& file);

    [[nodiscard]] bool numbered() const { return numbered_; }
    // The name with this number; as it is where it has none.
    [[nodiscard]] std::filesystem::path of(std::uint32_t number) const;

  private:
    std::string before_, after_;
    std::size_t digits_ = 0;
    bool numbered_ = false;
};

}  // namespace sublet::app
