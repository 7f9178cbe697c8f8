// The decoders behind environment_map.h. What they throw does not name the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/error.h"

namespace sublet::scene {

// Half floats, as they come: some may be infinite, negative or none. Rows from the top; alpha is not set.
struct HalfTexels {
    std::uint32_t width = 0, height = 0;
    std::unique_ptr<std::uint16_t[]> rgba;
};

// What is wrong with a picture, and with which field of it.
class WrongPicture : public Error {
  public:
    WrongPicture(std::string field, const std::string& what) : Error(what), field_(std::move(field)) {}
    [[nodiscard]] const std::string& field() const { return field_; }

  private:
    std::string field_;
};

inline constexpr std::uint64_t kHalfTexelBytes = 8;

// Throws WrongPicture for a size that is not twice as wide as high, and for one that takes more than `most_bytes` to
// decode, at `texel_bytes` each.
void check_environment_size(std::int64_t width, std::int64_t height, std::uint64_t texel_bytes,
                            std::uint64_t most_bytes);

// Each takes at most `most_bytes`. Throws WrongPicture.
[[nodiscard]] HalfTexels decode_hdr(std::span<const std::byte> bytes, std::uint64_t most_bytes);
[[nodiscard]] HalfTexels decode_exr(std::span<const std::byte> bytes, std::uint64_t most_bytes);

}  // namespace sublet::scene
