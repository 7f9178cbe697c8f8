// Values of a few bits each, packed without gaps into 32-bit words, least significant bit first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sublet::mesh {

// Appends values to `words`. The words it completes are appended as it goes; flush() appends the last, partial one.
class BitWriter {
  public:
    explicit BitWriter(std::vector<std::uint32_t>& words) : words_(words) {}

    // The low `bits` (0 to 32) of `value`; the bits above them must be 0.
    void write(std::uint32_t value, std::uint32_t bits) {
        pending_ |= static_cast<std::uint64_t>(value) << pending_bits_;
        pending_bits_ += bits;
        if (pending_bits_ >= 32) {
            words_.push_back(static_cast<std::uint32_t>(pending_));
            pending_ >>= 32;
            pending_bits_ -= 32;
        }
    }

    // Fills the last word with zeros.
    void flush() {
        if (pending_bits_ > 0) words_.push_back(static_cast<std::uint32_t>(pending_));
        pending_ = 0;
        pending_bits_ = 0;
    }

  private:
    std::vector<std::uint32_t>& words_;
    std::uint64_t pending_ = 0;
    std::uint32_t pending_bits_ = 0;
};

// The 64 bits of two neighbouring words from the word that holds bit `bit` on, shifted so that `bit` comes first. Reads
// words[bit / 32] and the word after it, whatever is asked of the result.
inline std::uint64_t read_two_words(std::span<const std::uint32_t> words, std::size_t bit) {
    const std::uint64_t low = words[bit / 32];
    const std::uint64_t high = words[bit / 32 + 1];
    return (low | high << 32) >> (bit % 32);
}

// The low `bits` (0 to 32) of `value`.
inline std::uint32_t low_bits(std::uint64_t value, std::uint32_t bits) {
    return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << bits) - 1));
}

// Words that `count` values of `bits` bits each fill.
inline std::uint32_t words_for(std::uint32_t count, std::uint32_t bits) {
    return (count * bits + 31) / 32;
}

}  // namespace sublet::mesh
