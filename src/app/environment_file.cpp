#include "app/environment_file.h"

#include <memory>

#include "base/log.h"
#include "base/path_text.h"
#include "render/scene/textures.h"

namespace sublet::app {

void read_environment(render::Settings& settings) {
    render::EnvironmentSource& source = settings.frame.environment;
    if (source.kind != render::EnvironmentKind::kPicture || source.picture) return;
    const std::uint64_t most_bytes = render::memory_limit_bytes(settings.scene.image_limit);
    source.picture =
        std::make_shared<const scene::EnvironmentMap>(scene::read_environment_map(text_path(source.file), most_bytes));
    for (const std::string& message : source.picture->notes) note_once(message);
}

}  // namespace sublet::app
