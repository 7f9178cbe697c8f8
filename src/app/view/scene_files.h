// The files of the scene that is shown, and which of a folder's it may be.
#pragma once

#include <filesystem>
#include <vector>

#include "base/files.h"

namespace sublet::app {

// Tells when files were changed by somebody else.
class SceneWatch {
  public:
    struct File {
        std::filesystem::path path;
        FileStamp stamp;
    };

    // From now on these, which had these stamps when the scene was read.
    void follow(std::vector<File> files);
    // Looks at them once a second. True once for each change, when nothing has changed for a second after it: whoever
    // writes is done then. While the first file is gone, the scene's own, it is waited for. `now` in seconds.
    [[nodiscard]] bool changed(double now);

  private:
    std::vector<File> files_;   // as the scene has them
    std::vector<File> latest_;  // as they were a second ago
    double looked_at_ = -1e9;
};

// The .gltf, .glb and .sublet files in a folder, in the order of their names; where it has none, those of its folders.
// Folders that can't be read have none.
[[nodiscard]] std::vector<std::filesystem::path> scenes_in(const std::filesystem::path& folder);

// Whether a file's name ends as a scene's does.
[[nodiscard]] bool named_as_scene(const std::filesystem::path& file);

// "; did you mean 'kitten.glb'?": scenes beside a file that is none, as the end of an error; empty when none is near.
[[nodiscard]] std::string similar_scene(const std::filesystem::path& file);
// Throws Error, with such a suggestion, when nothing is there.
void require_scene_there(const std::filesystem::path& file);

}  // namespace sublet::app
