#include "app/view/scene_nodes.h"

#include "scene/hidden_nodes.h"

namespace sublet::app {

void SceneNodes::find_hidden(const scene::Scene& scene, const render::SceneSettings& settings) {
    hidden_ = scene::hidden_nodes(scene, settings.hide, settings.isolate);
    named_.assign(scene.nodes.size(), 0);
    for (const std::size_t node : scene::chosen_nodes(scene, settings.hide, "hide")) named_[node] = 1;
}

void SceneNodes::hide(const OutlinerRequest& request, const scene::Scene& scene,
                      render::SceneSettings& settings) const {
    if (request.hide || request.show) {
        std::vector<std::size_t> nodes;
        for (std::size_t i = 0; i < named_.size(); ++i) {
            if ((named_[i] != 0 || request.hide == i) && request.show != i) nodes.push_back(i);
        }
        settings.hide = scene::node_choice(scene, nodes);
    }
    if (request.isolate) settings.isolate = scene::node_choice(scene, {*request.isolate});
    if (!request.show_all) return;
    settings.hide.clear();
    settings.isolate.clear();
}

OutlinerModel SceneNodes::model(const render::SceneSettings& settings, const std::optional<OutlineItem>& selected) {
    return {.outline = &outline_,
            .named = &named_,
            .hidden = &hidden_,
            .isolated = !settings.isolate.empty(),
            .any_hidden = !settings.hide.empty() || !settings.isolate.empty(),
            .grid = !settings.grid.empty(),
            .selected = selected};
}

}  // namespace sublet::app
