// The command line that draws a picture again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/setting_options.h"
#include "render/settings/settings.h"

namespace sublet::app {

// How many frames `render` draws where nothing else is said.
inline constexpr std::uint32_t kRenderFrames = 2;
// The most frames that it averages.
inline constexpr std::uint32_t kMostSamples = 65'536;
// After so many frames of a resting camera on, no picture of any view changes any more: what culling remembers of the
// frames before has settled.
inline constexpr std::uint32_t kSettledFrames = 4;

// What a picture was drawn by.
struct PictureSource {
    std::filesystem::path scene;  // empty: the built-in scene
    PictureSize size;
    std::optional<std::uint32_t> frames;  // since the first; nothing: as many as `render` draws
    std::uint32_t samples = 1;            // that are averaged
    std::uint32_t fps = 0;                // of animations; 0: what `render` takes
    std::filesystem::path camera_path;    // empty: the settings' camera
    bool allow_outside = false;
    std::string file_scene = {};  // --scene
    // As they were asked for. What a window shows has the camera, the near plane and the projection in it.
    render::Settings settings;
    // Culling was frozen from a camera that is not the settings'. No option names two cameras.
    bool frozen_elsewhere = false;
    bool clicked = false;  // a click picked what is outlined, in a picture that may have been another
    // Animations are at times of their own. --time is one for all.
    bool times_apart = false;
};

// "sublet render SCENE -o picture.png …", quoted for a POSIX shell, with all that differs from the defaults: the same
// picture, to the bit, by the same program, scene and device. Files have absolute paths. Where that can't be, a line
// before it, a comment to the shell, says what is missing.
[[nodiscard]] std::string picture_command(const PictureSource& source);

}  // namespace sublet::app
