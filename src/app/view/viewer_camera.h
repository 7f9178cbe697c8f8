// The viewer's camera as a whole: where it starts in a scene, what moves it, where its near plane is, and the views and
// paths that a person keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/camera_path.h"
#include "app/followed_camera.h"
#include "app/keep/viewer_state.h"
#include "app/placed_scene.h"
#include "app/view/bookmarks.h"
#include "app/view/camera_control.h"
#include "app/view/camera_rules.h"
#include "app/view/path_player.h"
#include "app/view/path_recorder.h"
#include "render/settings/settings.h"
#include "render/view/camera.h"
#include "render/view/floor_grid.h"

namespace sublet::app {

// What a user asks for of the camera that is no command.
struct CameraRequest {
    int keep = 0, recall = 0;  // slots of bookmarks; 0: none
    std::optional<std::size_t> file_camera = {};
    std::optional<AxisView> axis = {};
    int next_axis = 0;  // front, right side and top in turn; -1: backwards
    std::optional<bool> loop = {};
    std::optional<double> scrub = {};  // seconds

    bool operator==(const CameraRequest&) const = default;
};

// It is moved by a person, by a path that is played, or by a camera of the file that moves: whoever comes last. What
// returns a text returns what is to be said to the person; empty: nothing. `settings` are those that were asked for.
class ViewerCamera {
  public:
    // Goes to the start: to the camera that the settings name, else to the default one. `aspect`: of the window.
    void reset(const SceneNow& scene, render::FrameSettings settings, float aspect);
    // Goes to where this scene was left, with a near plane and a projection that it was asked for then.
    void restore(const render::CameraPose& pose, const SceneState& left, render::FrameSettings& settings);
    // Writes how the scene is left.
    void leave(SceneState& scene, const render::FrameSettings& settings) const;
    // Another scene has bookmarks and a path of its own.
    void forget_kept();
    void set_bookmarks(const Bookmarks& bookmarks) { bookmarks_ = bookmarks; }
    // Whether it frames the whole scene since reset(), and is to leave room for panels once they are laid out: true
    // once, and while no path plays.
    [[nodiscard]] bool take_fit_to_panels();

    // The file's cameras, where they are now.
    void find_cameras(const SceneNow& scene);
    [[nodiscard]] std::span<const render::SceneCamera> cameras() const { return cameras_; }
    // From now on the camera at this node of the scene moves it, where that moves; nothing: none does.
    void follow(std::optional<std::size_t> node, const SceneNow& scene);
    void follow_none();
    [[nodiscard]] bool follows() const { return followed_.has_value(); }
    // The node of the camera that is shown, of one that stands still too; until the person moves it.
    [[nodiscard]] std::optional<std::size_t> followed_node() const { return followed_node_; }
    // Goes to where the camera that it follows is at these times.
    void follow_to(const scene::AnimationTimes& times);

    // A frame later: as a person moved it, or a path that is played, or the file. `seconds`: that passed for paths.
    void advance(const CameraInput& input, double seconds, const render::FrameSettings& settings,
                 const scene::AnimationTimes& times);
    // Moves the near plane, where none was asked for by name. `nearest`: what near_plane() takes.
    void adapt_near_plane(const render::FrameSettings& settings, std::optional<float> nearest, float seconds);
    // From a path or a camera that was followed: the person or a command moves what is returned.
    CameraControl& take_over();
    [[nodiscard]] std::string apply(const CameraRequest& request, const SceneNow& scene,
                                    render::FrameSettings& settings);
    [[nodiscard]] std::string toggle_mode();
    // The projection stays.
    void look_along(AxisView view);
    // Ends a motion that is under way, where it leads to.
    void jump();
    // What shows the same from the command line: a camera that is named has its own near plane and projection.
    [[nodiscard]] std::string arguments(const SceneNow& scene, const render::FrameSettings& settings,
                                        float aspect) const;
    // Goes where the camera of such a text is. Nothing else changes but a near plane and a projection that it names.
    // Throws Error.
    void paste(const std::string& text, render::Settings& settings);

    // Begins to record a path, or ends that. Whether there is a new path now, which is played next.
    [[nodiscard]] bool toggle_recording();
    [[nodiscard]] std::string toggle_playing();
    void play(CameraPath path);
    void play_bookmarks();
    void set_loop(bool loop) { player_.set_loop(loop); }

    [[nodiscard]] const CameraControl& control() const { return control_; }
    [[nodiscard]] const PathPlayer& player() const { return player_; }
    [[nodiscard]] const PathRecorder& recorder() const { return recorder_; }
    [[nodiscard]] const Bookmarks& bookmarks() const { return bookmarks_; }
    [[nodiscard]] const render::CameraPose& pose() const { return control_.pose(); }
    [[nodiscard]] float near_plane() const { return near_plane_; }
    [[nodiscard]] render::Projection projection(const render::FrameSettings& settings) const {
        return settings.projection.value_or(projection_);
    }
    // What it shows, to be drawn with a picture's shift. Throws Error from where nothing can be seen.
    [[nodiscard]] render::View view(const render::FrameSettings& settings, float aspect,
                                    const glm::vec2& shift = glm::vec2(0.0F)) const;
    // Of the picture to come. Motions may lead where nothing can be computed any more: so far out that eye and target
    // become one, say. Then it goes back to where it was, and `fault` says why.
    [[nodiscard]] render::View next_view(const render::FrameSettings& settings, float aspect, const glm::vec2& shift,
                                         std::string& fault);
    // Makes these settings of frames name it.
    void name_in(render::FrameSettings& frame, const render::FrameSettings& settings) const;
    // Since the last call.
    [[nodiscard]] bool moved();
    // Nothing moves it but a person, or a camera that it follows.
    [[nodiscard]] bool resting() const { return !control_.animating() && !player_.playing(); }
    // On the scene's floor, as it was at reset().
    [[nodiscard]] const render::FloorGrid& floor_grid() const { return floor_grid_; }

  private:
    void go_to(const render::DefaultView& view, const SceneNow& scene, render::FrameSettings& settings);
    [[nodiscard]] std::string keep_bookmark(int slot, const render::FrameSettings& settings);
    [[nodiscard]] std::string recall(int slot, render::FrameSettings& settings);

    CameraControl control_;
    PathPlayer player_;
    PathRecorder recorder_;
    Bookmarks bookmarks_;
    std::vector<render::SceneCamera> cameras_;
    std::optional<FollowedCamera> followed_;
    std::optional<std::size_t> followed_node_;
    render::Projection projection_ = render::Projection::kPerspective;  // what auto comes to
    float near_plane_ = 0.1F;                                           // of the next picture
    float start_near_plane_ = 0.1F;                                     // the camera's own
    glm::vec4 bounds_{0.0F, 0.0F, 0.0F, 1.0F};                          // of the scene, as it was at reset()
    float radius_ = 1.0F;                                               // likewise
    render::FloorGrid floor_grid_;
    bool fit_to_panels_ = false;
    int next_axis_ = 2;                            // that was shown last: the front comes first
    render::CameraPose last_pose_;                 // at moved()
    std::optional<render::CameraPose> good_pose_;  // that a frame was drawn with
};

}  // namespace sublet::app
