// The outliner's part of the viewer: what is hidden, what is picked there, and how much of the scene that is.
#include <algorithm>
#include <utility>

#include "app/view/viewer.h"
#include "base/error.h"
#include "render/settings/camera_text.h"
#include "render/view/camera.h"
#include "scene/hidden_nodes.h"

namespace sublet::app {

// By the settings, of the scene that is shown. Throws Error where it does not have the nodes that they name.
void Viewer::find_hidden() {
    const scene::Scene& scene = scene_->scene;
    std::vector<char> hidden = scene::hidden_nodes(scene, settings_.scene.hide, settings_.scene.isolate);
    named_hidden_.assign(scene.nodes.size(), 0);
    for (const std::size_t node : scene::chosen_nodes(scene, settings_.scene.hide, "hide")) named_hidden_[node] = 1;
    hidden_ = std::move(hidden);
}

// The settings `hide` and `isolate` have changed: the scene on the device stays. Throws what find_hidden() does.
void Viewer::hide_again() {
    find_hidden();
    gpu_->renderer->set_hidden(hidden_);
    gpu_->renderer->prepare(plan_, true, preparing());
    refinement_.restart();
    measurements_.forget_times();
    changed_ = true;
}

// Of the newest frame that counted. The reason is looked for once where the camera rests, and stays until something of
// the scene is seen.
void Viewer::look_at_blank_picture() {
    const std::optional<render::Funnel>& funnel = gpu_->renderer->counters().funnel;
    const bool counted = measurements_.newest() != nullptr && !measurements_.newest()->plain && funnel && !plain_;
    if (!counted) return;
    if (funnel->pixels.covered != 0 || settings_.frame.freeze_culling >= 0) {
        changed_ = changed_ || blank_.has_value();
        blank_.reset();
        blank_seen_.clear();
        return;
    }
    if (!camera_.resting()) return;
    const VkExtent2D extent = gpu_->swapchain.extent();
    std::string from =
        render::camera_text(camera_.pose()) + " " + std::to_string(camera_.near_plane()) + " " +
        std::to_string(extent.width) + "x" + std::to_string(extent.height) +
        (camera_.projection(settings_.frame) == render::Projection::kOrthographic ? " orthographic " : " ") +
        scope_key(settings_, render::SettingScope::kScene);
    if (!animations_.playing()) from += std::to_string(settings_.frame.time);
    if (from == blank_seen_) return;
    blank_seen_ = std::move(from);
    const render::View view = camera_.view(settings_.frame, aspect());
    blank_ = why_blank(*scene_, settings_.scene, animations_.times(), view, {extent.width, extent.height});
    changed_ = true;
}

void Viewer::set_hidden_text(std::string hide, std::string isolate) {
    const render::Settings before = settings_;
    settings_.scene.hide = std::move(hide);
    settings_.scene.isolate = std::move(isolate);
    ui_.settings_panel().clear_error("hide");
    apply_change(*render::find_setting("hide"), before);
}

void Viewer::apply_outliner(const OutlinerRequest& request) {
    if (!scene_) return;
    const scene::Scene& scene = scene_->scene;
    if (request.pick) pick_item(*request.pick);
    if (request.hide || request.show) {
        std::vector<std::size_t> nodes;
        for (std::size_t i = 0; i < named_hidden_.size(); ++i) {
            if ((named_hidden_[i] != 0 || request.hide == i) && request.show != i) nodes.push_back(i);
        }
        set_hidden_text(scene::node_choice(scene, nodes), settings_.scene.isolate);
    }
    if (request.isolate) set_hidden_text(settings_.scene.hide, scene::node_choice(scene, {*request.isolate}));
    if (request.show_all) set_hidden_text({}, {});
    if (request.frame) {
        pick_item({OutlineKind::kNode, *request.frame});
        frame_scene();
    }
}

// What a key does to the node that is picked.
void Viewer::hide_picked(bool alone) {
    if (!picked_item_ || picked_item_->kind != OutlineKind::kNode || !settings_.scene.grid.empty()) {
        ui_.say("nothing is picked: click on something first");
        return;
    }
    const std::uint32_t node = picked_item_->number;
    apply_outliner(alone ? OutlinerRequest{.isolate = node} : OutlinerRequest{.hide = node});
    ui_.say(alone ? "the others are hidden: Alt+H shows all" : "hidden: Alt+H shows all");
}

// In the picture it is all that it places.
void Viewer::pick_item(const OutlineItem& item) {
    if (!outline_.has(item)) return;
    const InstanceRange range = outline_.instances(item);
    if (range.count == 0) {
        clear_selection();
    } else {
        select({.level = render::SelectionLevel::kInstance, .instance = range.first, .instances = range.count},
               animations_.times());
    }
    picked_item_ = item;
    changed_ = true;
}

// What a click in the picture picked, in the outliner.
void Viewer::show_picked_item() {
    picked_item_.reset();
    if (!picked_ || !picked_->node) return;
    picked_item_ = OutlineItem{OutlineKind::kNode, *picked_->node};
    ui_.outliner().reveal(*picked_->node);
}

// A sphere around what these nodes do not leave out, as it is posed now; nothing where that is all.
std::optional<glm::vec4> Viewer::bounds_without(const std::vector<char>& left_out) const {
    const std::vector<std::size_t> playing = scene::chosen_animations(scene_->scene, settings_.scene.animation);
    scene::EncodedScene posed = scene::posed_placement(*scene_, playing, animations_.times());
    bool any = false;
    for (std::size_t i = 0; i < posed.scene.nodes.size(); ++i) {
        scene::Node& node = posed.scene.nodes[i];
        if (left_out[i] != 0) node.mesh_group = -1;
        any = any || node.mesh_group >= 0;
    }
    if (!any) return std::nullopt;
    return render::scene_bounds(posed, {});
}

// A sphere around what the camera is moved to: what is picked, else what of the scene is not hidden.
std::optional<glm::vec4> Viewer::bounds_of_nodes() const {
    if (!settings_.scene.grid.empty()) return std::nullopt;
    if (picked_item_ && picked_item_->kind == OutlineKind::kNode &&
        (selection_.level == render::SelectionLevel::kNone || selection_.instances > 1)) {
        std::vector<char> others(scene_->scene.nodes.size(), 1);
        for (std::size_t i = 0; i < others.size(); ++i) {
            const int parent = scene_->scene.nodes[i].parent;
            if (i == picked_item_->number || (parent >= 0 && others[static_cast<std::size_t>(parent)] == 0)) {
                others[i] = 0;
            }
        }
        return bounds_without(others);
    }
    const bool some = std::any_of(hidden_.begin(), hidden_.end(), [](char hidden) { return hidden != 0; });
    return !picked_ && some ? bounds_without(hidden_) : std::nullopt;
}

OutlinerModel Viewer::outliner_model() {
    return {.outline = scene_ ? &outline_ : nullptr,
            .named = &named_hidden_,
            .hidden = &hidden_,
            .isolated = !settings_.scene.isolate.empty(),
            .any_hidden = !settings_.scene.hide.empty() || !settings_.scene.isolate.empty(),
            .grid = !settings_.scene.grid.empty(),
            .selected = picked_item_};
}

}  // namespace sublet::app
