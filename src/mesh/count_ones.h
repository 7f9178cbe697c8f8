// How many bits of a number are 1.
#pragma once

#include <cstdint>

namespace sublet::mesh {

// As std::popcount(), which is a call where processors need not have an instruction for it: in loops that shows.
[[nodiscard]] constexpr std::uint32_t count_ones(std::uint64_t bits) {
    // Sums of two bits, of four, and of eight.
    bits -= bits >> 1U & 0x5555555555555555U;
    bits = (bits & 0x3333333333333333U) + (bits >> 2U & 0x3333333333333333U);
    bits = (bits + (bits >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
    return static_cast<std::uint32_t>(bits * 0x0101010101010101U >> 56U);
}

}  // namespace sublet::mesh
