#include "app/view/viewer_camera.h"

#include <utility>

#include "base/error.h"
#include "render/settings/camera_text.h"

namespace sublet::app {

namespace {

constexpr double kSecondsBetweenBookmarks = 3.0;

}  // namespace

void ViewerCamera::reset(const SceneNow& scene, render::FrameSettings settings, float aspect) {
    settings.projection.reset();
    const auto placed = placed_scene(scene);
    const render::DefaultView view = render::default_view(*placed, scene.settings.grid, settings, aspect);
    bounds_ = render::scene_bounds(*placed, scene.settings.grid);
    radius_ = bounds_.w > 0.0F ? bounds_.w : 1.0F;
    const render::Box box = render::scene_box(*placed, scene.settings.grid);
    floor_grid_ = render::floor_grid(box);
    control_.reset(view.pose, radius_, start_mode(view.pose, box, view.framed));
    near_plane_ = start_near_plane_ = view.near_plane;
    fit_to_panels_ = view.framed;
    projection_ = view.projection;
    player_.pause();
    recorder_.cut();
    follow(view.node, scene);
}

void ViewerCamera::restore(const render::CameraPose& pose, const SceneState& left, render::FrameSettings& settings) {
    follow_none();
    control_.reset(pose, radius_, left.mode);
    if (left.projection) settings.projection = left.projection;
    if (left.near_plane) settings.near_plane = left.near_plane;
    fit_to_panels_ = false;
}

void ViewerCamera::leave(SceneState& scene, const render::FrameSettings& settings) const {
    scene.camera = pose();
    if (followed_) scene.camera.reset();  // it has its own place at every time
    scene.mode = control_.mode();
    scene.projection = settings.projection;
    scene.near_plane = settings.near_plane;
    scene.bookmarks = bookmarks_;
}

void ViewerCamera::forget_kept() {
    bookmarks_ = {};
    player_.set_path({});
}

bool ViewerCamera::take_fit_to_panels() {
    return std::exchange(fit_to_panels_, false) && !player_.playing();
}

void ViewerCamera::find_cameras(const SceneNow& scene) {
    cameras_ = render::scene_cameras(*placed_scene(scene));
}

void ViewerCamera::follow(std::optional<std::size_t> node, const SceneNow& scene) {
    follow_none();
    if (!node || !scene.settings.grid.empty()) return;
    followed_node_ = node;
    followed_.emplace(scene.scene, scene.settings, *node, bounds_);
    if (!followed_->moves()) followed_.reset();
}

void ViewerCamera::follow_none() {
    followed_.reset();
    followed_node_.reset();
}

void ViewerCamera::follow_to(const scene::AnimationTimes& times) {
    if (!followed_) return;
    if (const auto view = followed_->at(times)) control_.show(view->pose);
}

void ViewerCamera::advance(const CameraInput& input, double seconds, const render::FrameSettings& settings,
                           const scene::AnimationTimes& times) {
    control_.set_projection(projection(settings));
    if (control_.apply(input)) take_over();
    if (const auto pose = player_.advance(seconds)) {
        follow_none();
        control_.show(*pose);
    }
    follow_to(times);
    recorder_.add(pose(), seconds);
}

void ViewerCamera::adapt_near_plane(const render::FrameSettings& settings, std::optional<float> nearest,
                                    float seconds) {
    near_plane_ = settings.near_plane ? *settings.near_plane
                                      : app::near_plane(nearest, start_near_plane_, radius_, near_plane_, seconds);
}

CameraControl& ViewerCamera::take_over() {
    player_.pause();
    follow_none();
    return control_;
}

std::string ViewerCamera::apply(const CameraRequest& request, const SceneNow& scene, render::FrameSettings& settings) {
    if (request.loop) player_.set_loop(*request.loop);
    if (request.scrub) {
        take_over();
        player_.scrub(*request.scrub);
        control_.show(player_.pose());
    }
    if (request.file_camera) go_to(cameras_[*request.file_camera].view, scene, settings);
    if (request.axis) look_along(*request.axis);
    if (request.next_axis != 0) {
        next_axis_ = (next_axis_ + 3 + request.next_axis) % 3;
        look_along(static_cast<AxisView>(next_axis_));
    }
    if (request.keep != 0) return keep_bookmark(request.keep, settings);
    return request.recall != 0 ? recall(request.recall, settings) : std::string();
}

// A camera of the file's, with all that it has. One that moves is followed from now on.
void ViewerCamera::go_to(const render::DefaultView& view, const SceneNow& scene, render::FrameSettings& settings) {
    player_.pause();
    control_.move_to(view.pose);
    follow(view.node, scene);
    start_near_plane_ = view.near_plane;
    projection_ = view.projection;
    settings.projection.reset();
}

std::string ViewerCamera::keep_bookmark(int slot, const render::FrameSettings& settings) {
    bookmarks_.set(slot, Bookmark{{}, pose(), projection(settings)});
    return "kept: Alt+" + std::to_string(slot) + " comes back here";
}

std::string ViewerCamera::recall(int slot, render::FrameSettings& settings) {
    const std::optional<Bookmark>& bookmark = bookmarks_.at(slot);
    if (!bookmark) {
        const std::string key = std::to_string(slot);
        return "there is no bookmark " + key + " yet: Ctrl+" + key + " keeps this camera as one";
    }
    if (bookmark->projection != projection(settings)) settings.projection = bookmark->projection;
    take_over().move_to(bookmark->pose);
    return {};
}

std::string ViewerCamera::toggle_mode() {
    const bool orbit = control_.mode() == CameraMode::kFirstPerson;
    control_.set_mode(orbit ? CameraMode::kOrbit : CameraMode::kFirstPerson);
    return orbit ? "a drag turns around the object" : "first person: a drag looks about, the wheel sets the speed";
}

void ViewerCamera::look_along(AxisView view) {
    take_over().move_to(axis_pose(pose(), control_.pivot(), view));
}

void ViewerCamera::jump() {
    CameraInput later;
    later.seconds = 1.0F;
    control_.apply(later);
}

std::string ViewerCamera::arguments(const SceneNow& scene, const render::FrameSettings& settings, float aspect) const {
    render::Settings named;
    named.frame.camera = pose();
    const render::DefaultView usual =
        render::default_view(*placed_scene(scene), scene.settings.grid, named.frame, aspect);
    if (near_plane_ != usual.near_plane) named.frame.near_plane = near_plane_;
    if (projection(settings) != usual.projection) named.frame.projection = projection(settings);
    return render::camera_arguments(named);
}

void ViewerCamera::paste(const std::string& text, render::Settings& settings) {
    render::Settings pasted = settings;
    pasted.frame.camera.reset();
    render::set_camera_text(pasted, text);
    if (!pasted.frame.camera) throw Error("the clipboard holds no camera: C copies one");
    take_over().move_to(*pasted.frame.camera);
    settings.frame.near_plane = pasted.frame.near_plane;
    settings.frame.projection = pasted.frame.projection;
    near_plane_ = settings.frame.near_plane.value_or(near_plane_);
}

bool ViewerCamera::toggle_recording() {
    if (!recorder_.recording()) {
        player_.pause();
        recorder_.start();
        return false;
    }
    CameraPath path = recorder_.finish();
    if (path.keys.empty()) return false;
    player_.set_path(std::move(path));
    return true;
}

std::string ViewerCamera::toggle_playing() {
    if (!player_.has_path() && !recorder_.recording()) return "there is no path yet: K records one";
    if (player_.playing()) {
        player_.pause();
    } else if (!recorder_.recording()) {
        player_.play();
    }
    return {};
}

void ViewerCamera::play(CameraPath path) {
    player_.set_path(std::move(path));
    player_.play();
}

void ViewerCamera::play_bookmarks() {
    const std::vector<render::CameraPose> poses = bookmarks_.poses();
    if (!poses.empty()) play(path_through(poses, kSecondsBetweenBookmarks));
}

render::View ViewerCamera::view(const render::FrameSettings& settings, float aspect, const glm::vec2& shift) const {
    return render::make_view(pose(), near_plane_, projection(settings), aspect, shift);
}

render::View ViewerCamera::next_view(const render::FrameSettings& settings, float aspect, const glm::vec2& shift,
                                     std::string& fault) {
    try {
        const render::View next = view(settings, aspect, shift);
        good_pose_ = pose();
        return next;
    } catch (const Error& error) {
        if (!good_pose_) throw;
        fault = error.what() + std::string("; the camera is back where it was");
        take_over().reset(*good_pose_, radius_, control_.mode());
        return view(settings, aspect);
    }
}

void ViewerCamera::name_in(render::FrameSettings& frame, const render::FrameSettings& settings) const {
    frame.projection = projection(settings);
    frame.camera = pose();
    frame.near_plane = near_plane_;
}

bool ViewerCamera::moved() {
    return std::exchange(last_pose_, pose()) != pose();
}

}  // namespace sublet::app
