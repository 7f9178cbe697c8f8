#include "app/keep/picture_command.h"

#include "base/console.h"
#include "base/files.h"
#include "base/path_text.h"

namespace sublet::app {

namespace {

namespace fs = std::filesystem;

std::string absolute_text(const fs::path& path) {
    return path_text(absolute_path(path));
}

// " --name value". A value that starts with a dash would be taken for an option.
std::string option(std::string_view name, const std::string& value) {
    const bool dash = value.starts_with('-');
    return " --" + std::string(name) + (dash ? "=" : " ") + shell_word(value);
}

// They look at how a picture is drawn, and leave it as it is.
bool changes_pictures(const render::Setting& setting) {
    return setting.name != "validation" && setting.name != "shader-statistics" && setting.name != "count-ties";
}

}  // namespace

std::string picture_command(const PictureSource& source) {
    render::Settings settings = source.settings;
    std::string text;
    if (source.frozen_elsewhere) {
        text = "# Culling was frozen from another camera, which no option names: this draws without that.\n";
        settings.frame.freeze_culling = -1;
    }
    if (source.clicked) {
        text += "# A click picked something, which no option names: this draws without its outline and bounds.\n";
    }
    if (source.times_apart) {
        text += "# Animations were at times of their own, which no option names: this draws all of them at one time.\n";
    }
    text += "sublet render";
    if (!source.scene.empty()) text += " " + shell_word(absolute_text(source.scene));
    text += " -o picture.png";
    const PictureSize usual;
    if (source.size.width != usual.width || source.size.height != usual.height) {
        text += option("size", std::to_string(source.size.width) + "x" + std::to_string(source.size.height));
    }
    if (!source.file_scene.empty()) text += option("scene", source.file_scene);
    if (source.allow_outside) text += " --allow-outside";
    if (!source.camera_path.empty()) text += option("camera-path", absolute_text(source.camera_path));
    // A path has a number of frames of its own.
    if (source.frames && (*source.frames != kRenderFrames || !source.camera_path.empty())) {
        text += option("frames", std::to_string(*source.frames));
    }
    if (source.fps != 0) text += option("fps", std::to_string(source.fps));
    if (source.samples > 1) text += option("samples", std::to_string(source.samples));
    const render::Settings defaults;
    for (const render::Setting& setting : render::settings_table()) {
        const std::string value = setting.get(settings);
        if (changes_pictures(setting) && value != setting.get(defaults)) text += option(setting.name, value);
    }
    return text;
}

}  // namespace sublet::app
