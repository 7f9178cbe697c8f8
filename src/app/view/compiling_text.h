// What the status line says while pipelines are being compiled.
#pragma once

#include <string>

#include "gpu/pipelines.h"

namespace sublet::app {

// What stands in for the picture meanwhile.
enum class StandIn : std::uint8_t {
    kNone,
    kPlainPicture,    // Renderer::plain()
    kSettingsBefore,  // the picture of the settings that were there before
};

// 'plain picture: 5 of 21 pipelines are still being compiled: "shade"'; empty without a stand-in.
[[nodiscard]] std::string compiling_text(StandIn stand_in, const gpu::Compiling& compiling);

}  // namespace sublet::app
