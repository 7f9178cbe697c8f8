#include "app/view/compiling_text.h"

#include "base/count_text.h"

namespace sublet::app {

std::string compiling_text(StandIn stand_in, const gpu::Compiling& compiling) {
    if (stand_in == StandIn::kNone) return {};
    std::string text = stand_in == StandIn::kPlainPicture ? "plain picture" : "picture of the settings before";
    if (compiling.left == 0) return text;
    text += ": " + std::to_string(compiling.left) + " of " + counted(compiling.total, "pipeline") +
            (compiling.left == 1 ? " is" : " are") + " still being compiled";
    return compiling.name.empty() ? text : text + ": \"" + compiling.name + "\"";
}

}  // namespace sublet::app
