// What each pass of a frame does, in a sentence.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sublet::app {

// All passes that there are, without their phases.
[[nodiscard]] std::vector<std::string_view> pass_names();

// Before the names of passes that draw the right side of a window that is split.
inline constexpr std::string_view kOtherPasses = "B: ";

// Of a pass by its name, with or without its phase ("cull meshlets 2"). Empty: not known.
[[nodiscard]] std::string_view pass_sentence(std::string_view pass);

// Its colour in graphs (0xAABBGGRR): the same in every frame and for every backend; a second phase is brighter.
[[nodiscard]] std::uint32_t pass_color(std::string_view pass);

}  // namespace sublet::app
