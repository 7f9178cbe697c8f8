#include "app/view/picked.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/stopwatch.h"
#include "render/view/camera.h"

namespace sublet::app {

namespace {

constexpr double kMostOfPlacing = 0.02;  // seconds
constexpr double kRests = 20.0;          // for each second that placing takes

// Nothing where what is picked can't be read, with a note.
std::optional<PickReport> try_describe(const SceneNow& scene, const render::Selection& selection) {
    try {
        return describe(scene.scene, scene.settings, selection, scene.times);
    } catch (const Error& error) {
        note_once(error.what());
        return std::nullopt;
    }
}

// A sphere around what these nodes do not leave out, as it is posed now; nothing where that is all.
std::optional<glm::vec4> bounds_without(const SceneNow& scene, const std::vector<char>& left_out) {
    const std::vector<std::size_t> playing = scene::chosen_animations(scene.scene.scene, scene.settings.animation);
    scene::EncodedScene posed = scene::posed_placement(scene.scene, playing, scene.times);
    bool any = false;
    for (std::size_t i = 0; i < posed.scene.nodes.size(); ++i) {
        scene::Node& node = posed.scene.nodes[i];
        if (left_out[i] != 0) node.mesh_group = -1;
        any = any || node.mesh_group >= 0;
    }
    if (!any) return std::nullopt;
    return render::scene_bounds(posed, {});
}

}  // namespace

void Picked::clear() {
    selection_ = {};
    report_.reset();
    item_.reset();
}

void Picked::select(const render::Selection& selection, const SceneNow& scene) {
    selection_ = selection;
    report_ = try_describe(scene, selection);
    times_ = scene.times;
    placing_takes_ = 0;
    item_.reset();
    if (report_ && report_->node) item_ = OutlineItem{OutlineKind::kNode, *report_->node};
}

void Picked::pick(const OutlineItem& item, const Outline& outline, const SceneNow& scene) {
    const InstanceRange range = outline.instances(item);
    clear();
    if (range.count != 0) {
        select({.level = render::SelectionLevel::kInstance, .instance = range.first, .instances = range.count}, scene);
    }
    item_ = item;
}

bool Picked::place(const SceneNow& scene, bool playing, double seconds) {
    if (!report_ || scene.times == times_) return false;
    if (playing && (slow() || seconds < placed_at_ + kRests * placing_takes_)) return false;
    const ThreadStopwatch watch;
    place_again(*report_, scene.scene, scene.settings, scene.times);
    placing_takes_ = watch.milliseconds() / 1e3;
    placed_at_ = seconds;
    times_ = scene.times;
    return true;
}

bool Picked::slow() const {
    return placing_takes_ > kMostOfPlacing;
}

glm::vec4 Picked::bounds(const SceneNow& scene, const std::vector<char>& hidden) {
    if (report_) report_ = try_describe(scene, selection_);
    if (const std::optional<glm::vec4> nodes = node_bounds(scene, hidden)) return *nodes;
    if (!report_) return placed_bounds(scene);
    const PickedPart& of = selection_.level == render::SelectionLevel::kInstance  ? report_->of_mesh
                           : selection_.level == render::SelectionLevel::kMeshlet ? report_->of_meshlet
                                                                                  : report_->of_sublet;
    return {of.bound.world_center, of.bound.world_radius};
}

// Where it is a node without a place of its own in the picture, or with several; where nothing is picked, around what
// is not hidden.
std::optional<glm::vec4> Picked::node_bounds(const SceneNow& scene, const std::vector<char>& hidden) const {
    if (!scene.settings.grid.empty()) return std::nullopt;
    if (node() && (selection_.level == render::SelectionLevel::kNone || selection_.instances > 1)) {
        const std::vector<scene::Node>& nodes = scene.scene.scene.nodes;
        std::vector<char> others(nodes.size(), 1);
        for (std::size_t i = 0; i < others.size(); ++i) {
            const int parent = nodes[i].parent;
            if (i == *node() || (parent >= 0 && others[static_cast<std::size_t>(parent)] == 0)) others[i] = 0;
        }
        return bounds_without(scene, others);
    }
    const bool some = std::any_of(hidden.begin(), hidden.end(), [](char is_hidden) { return is_hidden != 0; });
    return !report_ && some ? bounds_without(scene, hidden) : std::nullopt;
}

std::optional<std::uint32_t> Picked::node() const {
    return item_ && item_->kind == OutlineKind::kNode ? std::optional(item_->number) : std::nullopt;
}

}  // namespace sublet::app
