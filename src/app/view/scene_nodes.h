// The nodes of the scene that is shown, as the outliner has them: a list, and which of them are hidden.
#pragma once

#include <optional>
#include <vector>

#include "app/view/outliner_panel.h"
#include "render/settings/settings.h"
#include "scene/container.h"

namespace sublet::app {

class SceneNodes {
  public:
    SceneNodes() = default;
    // Linear in the scene, which must live as long.
    explicit SceneNodes(const scene::EncodedScene& scene) : outline_(scene) {}

    // By the settings `hide` and `isolate`. Throws Error where the scene does not have the nodes that they name.
    void find_hidden(const scene::Scene& scene, const render::SceneSettings& settings);
    // Of each node: it is not drawn.
    [[nodiscard]] const std::vector<char>& hidden() const { return hidden_; }
    // Makes the settings hide what is asked for.
    void hide(const OutlinerRequest& request, const scene::Scene& scene, render::SceneSettings& settings) const;

    [[nodiscard]] const Outline& outline() const { return outline_; }
    [[nodiscard]] OutlinerModel model(const render::SceneSettings& settings,
                                      const std::optional<OutlineItem>& selected);

  private:
    Outline outline_;
    std::vector<char> hidden_, named_;  // of each node; named: the setting `hide` has it
};

}  // namespace sublet::app
