// Specialization constants, and shaders without what they switch off.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sublet::gpu {

// layout(constant_id = id) const uint/int/bool/float: the value's 32 bits.
struct Specialization {
    std::uint32_t id = 0;
    std::uint32_t value = 0;
};

// SPIR-V without the branches that are never taken while its constants have these values, and without functions that
// are called nowhere else. A driver finds the same out, but some do so once they have inlined and gone through all of
// the code: that took them longer than what is left. Results are the same; so are all declarations, whether they are
// still used or not. Of a `switch` everything stays, and so it does of a loop's own condition.
// Throws Error on what is no SPIR-V.
[[nodiscard]] std::vector<std::uint32_t> specialized(std::span<const std::uint32_t> spirv,
                                                     std::span<const Specialization> constants);

}  // namespace sublet::gpu
