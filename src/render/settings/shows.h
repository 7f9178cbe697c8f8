// What a picture can show: the table of views.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/capabilities.h"
#include "render/settings/scene_facts.h"
#include "render/settings/settings.h"

namespace sublet::render {

struct ShowChoice {
    Show value;
    std::string_view name;
    std::string_view help;  // a line
};

// As the command line and the UI list them.
[[nodiscard]] std::span<const ShowChoice> all_shows();
// What a view shows, in a line.
[[nodiscard]] std::string_view view_help(Show show);
// Why a view can't be had; nothing when it can.
[[nodiscard]] std::optional<std::string> view_unavailable(Show show, const gpu::Capabilities& capabilities,
                                                          const SceneFacts& scene);

}  // namespace sublet::render
