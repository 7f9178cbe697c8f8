// The viewer's camera: where it starts, bookmarks, paths, and what is copied and pasted.
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <utility>
#include <vector>

#include "app/placed_scene.h"
#include "app/view/camera_rules.h"
#include "app/view/viewer.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "render/settings/camera_text.h"
#include "scene/animation.h"

namespace sublet::app {

std::filesystem::path free_file_name(const std::string& stem, const std::string& extension) {
    std::filesystem::path file = text_path(stem + extension);
    for (int i = 2; path_exists(file); ++i) file = text_path(stem + "-" + std::to_string(i) + extension);
    return file;
}

namespace {

constexpr double kSecondsBetweenBookmarks = 3.0;

}  // namespace

void Viewer::reset_camera() {
    render::FrameSettings automatic = settings_.frame;
    automatic.projection.reset();
    const auto placed = placed_scene(*scene_, settings_.scene, animations_.times());
    const render::DefaultView view = render::default_view(*placed, settings_.scene.grid, automatic, aspect());
    scene_bounds_ = render::scene_bounds(*placed, settings_.scene.grid);
    scene_radius_ = scene_bounds_.w > 0.0F ? scene_bounds_.w : 1.0F;
    const render::Box box = render::scene_box(*placed, settings_.scene.grid);
    floor_grid_ = render::floor_grid(box);
    camera_.reset(view.pose, scene_radius_, start_mode(view.pose, box, view.framed));
    near_plane_ = start_near_plane_ = view.near_plane;
    fit_to_panels_ = view.framed;
    scene_projection_ = view.projection;
    player_.pause();
    recorder_.cut();
    follow(view.node);
}

// Where none was asked for by name.
void Viewer::adapt_near_plane(float seconds) {
    if (settings_.frame.near_plane) {
        near_plane_ = *settings_.frame.near_plane;
        return;
    }
    std::optional<float> nearest;
    // Frames that refine a picture look a little aside: what they see is not to change it.
    if (seen_ && seen_->nearest_depth && seen_->view.shift == glm::vec2(0.0F))
        nearest = render::surface_distance(seen_->view, *seen_->nearest_depth);
    near_plane_ = app::near_plane(nearest, start_near_plane_, scene_radius_, near_plane_, seconds);
}

void Viewer::apply_camera(const CameraRequest& request) {
    if (request.toggle_flying) toggle_camera_mode();
    if (request.frame) frame_scene();
    if (request.reset) reset_camera();
    if (request.copy) copy_camera();
    if (request.paste) paste_camera();
    if (request.keep != 0) keep_bookmark(request.keep);
    if (request.recall != 0) recall(request.recall);
    if (request.file_camera) go_to(scene_cameras_[*request.file_camera].view);
    if (request.record) toggle_recording();
    if (request.play) toggle_playing();
    if (request.save) save_path();
    if (request.through_bookmarks) make_path_of_bookmarks();
    if (request.loop) player_.set_loop(*request.loop);
    if (request.scrub) {
        take_camera_over();
        player_.scrub(*request.scrub);
        camera_.show(player_.pose());
        changed_ = true;
    }
}

// A camera of the file's, with all that it has. One that moves is followed from now on.
void Viewer::go_to(const render::DefaultView& view) {
    player_.pause();
    camera_.move_to(view.pose);
    follow(view.node);
    start_near_plane_ = view.near_plane;
    scene_projection_ = view.projection;
    settings_.frame.projection.reset();
    changed_ = true;
}

// The camera at this node of the scene that is shown; nothing: none.
void Viewer::follow(std::optional<std::size_t> node) {
    followed_.reset();
    followed_node_ = settings_.scene.grid.empty() ? node : std::nullopt;
    if (!followed_node_) return;
    followed_.emplace(*scene_, settings_.scene, *followed_node_, scene_bounds_);
    if (!followed_->moves()) followed_.reset();
}

// To where it is by now.
void Viewer::follow_camera() {
    if (!followed_) return;
    if (const auto view = followed_->at(animations_.times())) camera_.show(view->pose);
}

// From a path or a camera that was followed: the user or a command moves it.
void Viewer::take_camera_over() {
    player_.pause();
    follow({});
}

// The projection stays: 5 changes that.
void Viewer::look_along(AxisView view) {
    take_camera_over();
    camera_.move_to(axis_pose(camera_.pose(), camera_.pivot(), view));
    changed_ = true;
}

void Viewer::toggle_camera_mode() {
    changed_ = true;
    const bool orbit = camera_.mode() == CameraMode::kFirstPerson;
    ui_.say(orbit ? "a drag turns around the object" : "first person: a drag looks about, the wheel sets the speed");
    camera_.set_mode(camera_.mode() == CameraMode::kOrbit ? CameraMode::kFirstPerson : CameraMode::kOrbit);
}

// The default camera shows the scene in all of the window: this one in what the panels leave of it, at once.
void Viewer::fit_start_to_panels() {
    frame_scene();
    CameraInput later;
    later.seconds = 1.0F;
    camera_.apply(later);
}

// Of what is picked, else of the scene.
void Viewer::frame_scene() {
    const std::array<float, 4> part = ui_.free_rectangle();
    const auto placed = placed_scene(*scene_, settings_.scene, animations_.times());
    glm::vec4 sphere = render::scene_bounds(*placed, settings_.scene.grid);
    if (picked_ && animations_.any()) picked_ = describe(*scene_, settings_.scene, selection_, animations_.times());
    if (const std::optional<glm::vec4> nodes = bounds_of_nodes()) {
        sphere = *nodes;
    } else if (picked_) {
        const PickedPart& of = selection_.level == render::SelectionLevel::kInstance  ? picked_->of_mesh
                               : selection_.level == render::SelectionLevel::kMeshlet ? picked_->of_meshlet
                                                                                      : picked_->of_sublet;
        sphere = glm::vec4(of.bound.world_center, of.bound.world_radius);
    }
    take_camera_over();
    camera_.frame(sphere, aspect(), {part[0], part[1], part[2], part[3]});
}

// What shows the same from the command line: a camera that is named has its own near plane and projection.
void Viewer::copy_camera() {
    render::Settings settings;
    settings.frame.camera = camera_.pose();
    const render::DefaultView named = render::default_view(*placed_scene(*scene_, settings_.scene, animations_.times()),
                                                           settings_.scene.grid, settings.frame, aspect());
    if (near_plane_ != named.near_plane) settings.frame.near_plane = near_plane_;
    if (projection() != named.projection) settings.frame.projection = projection();
    const std::string arguments = render::camera_arguments(settings);
    window_.set_clipboard(arguments);
    ui_.say("copied: " + arguments);
    std::cout << arguments << std::endl;
}

// Goes where the clipboard's camera is. Nothing else changes but a near plane and a projection that it names.
void Viewer::paste_camera() {
    render::Settings pasted = settings_;
    pasted.frame.camera.reset();
    try {
        render::set_camera_text(pasted, window_.clipboard());
        if (!pasted.frame.camera) throw Error("the clipboard holds no camera: C copies one");
    } catch (const Error& error) {
        ui_.toasts().show("camera", error.what());
        return;
    }
    ui_.toasts().clear("camera");
    take_camera_over();
    camera_.move_to(*pasted.frame.camera);
    settings_.frame.near_plane = pasted.frame.near_plane;
    settings_.frame.projection = pasted.frame.projection;
    near_plane_ = settings_.frame.near_plane.value_or(near_plane_);
}

void Viewer::keep_bookmark(int slot) {
    bookmarks_.set(slot, Bookmark{{}, camera_.pose(), projection()});
    ui_.say("kept: Alt+" + std::to_string(slot) + " comes back here");
    changed_ = true;
}

void Viewer::recall(int slot) {
    const std::optional<Bookmark>& bookmark = bookmarks_.at(slot);
    if (!bookmark) {
        const std::string key = std::to_string(slot);
        ui_.say("there is no bookmark " + key + " yet: Ctrl+" + key + " keeps this camera as one");
        return;
    }
    take_camera_over();
    if (bookmark->projection != projection()) settings_.frame.projection = bookmark->projection;
    camera_.move_to(bookmark->pose);
}

// What was recorded is played next, and kept in a file of its own.
void Viewer::toggle_recording() {
    changed_ = true;
    if (!recorder_.recording()) {
        player_.pause();
        recorder_.start();
        return;
    }
    CameraPath path = recorder_.finish();
    if (path.keys.empty()) return;
    player_.set_path(std::move(path));
    save_path();
}

void Viewer::save_path() {
    const std::filesystem::path file = free_file_name("camera-path", ".json");
    try {
        write_camera_path(file, player_.path());
        ui_.toasts().clear("path");
        ui_.say("written: " + path_text(absolute_path(file)));
    } catch (const Error& error) {
        ui_.toasts().show("path", error.what());
    }
}

void Viewer::make_path_of_bookmarks() {
    const std::vector<render::CameraPose> poses = bookmarks_.poses();
    if (poses.empty()) return;
    player_.set_path(path_through(poses, kSecondsBetweenBookmarks));
    player_.play();
    changed_ = true;
}

void Viewer::toggle_playing() {
    if (!player_.has_path() && !recorder_.recording()) {
        ui_.say("there is no path yet: K records one");
    } else if (player_.playing()) {
        player_.pause();
    } else if (!recorder_.recording()) {
        player_.play();
    }
}

// `of`: what the controls are of; nothing: all that play.
void Viewer::apply_animation(const AnimationRequest& request, std::optional<std::size_t> of) {
    if (request.choose) {
        set_setting(*render::find_setting("animation"), animations_.choice(*request.choose, scene_->scene));
    }
    if (request.toggle && animations_.players().of(of) == nullptr) ui_.say("nothing in the scene moves");
    if (animations_.apply(request, of)) changed_ = true;
}

void Viewer::open_path(const std::filesystem::path& file) {
    try {
        player_.set_path(read_camera_path(file));
        player_.play();
        ui_.toasts().clear("path");
    } catch (const Error& error) {
        ui_.toasts().show("path", error.what());
    }
}

}  // namespace sublet::app
