// What is picked: in the picture, where it is outlined, and in the outliner.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/pick_report.h"
#include "app/placed_scene.h"
#include "app/view/outline.h"
#include "render/view/inspection.h"

namespace sublet::app {

class Picked {
  public:
    // Nothing any more.
    void clear();
    // What a picture showed, or a panel stepped on to; in the outliner it is a node.
    void select(const render::Selection& selection, const SceneNow& scene);
    // An item of the outliner; in the picture it is all that the item places.
    void pick(const OutlineItem& item, const Outline& outline, const SceneNow& scene);
    // Where it is now, by `seconds` of a clock. Large meshes take longer to pose than a frame has: while they play,
    // they are posed so rarely that it takes a small share of the time, and those that would hold up a frame for all to
    // see are not. Whether the report is another than it was.
    bool place(const SceneNow& scene, bool playing, double seconds);
    // Posing it would hold up frames.
    [[nodiscard]] bool slow() const;
    // A sphere around it, else around what of the scene is not hidden; `hidden`: of each node. Places it.
    [[nodiscard]] glm::vec4 bounds(const SceneNow& scene, const std::vector<char>& hidden);

    // What the picture outlines, and what is known of it.
    [[nodiscard]] const render::Selection& selection() const { return selection_; }
    [[nodiscard]] const std::optional<PickReport>& report() const { return report_; }
    [[nodiscard]] const std::optional<OutlineItem>& item() const { return item_; }
    [[nodiscard]] std::optional<std::uint32_t> node() const;  // of the item, where it is one

  private:
    [[nodiscard]] std::optional<glm::vec4> node_bounds(const SceneNow& scene, const std::vector<char>& hidden) const;

    render::Selection selection_;
    std::optional<PickReport> report_;
    std::optional<OutlineItem> item_;
    scene::AnimationTimes times_;  // that the report is of
    double placed_at_ = 0;         // seconds of the clock
    double placing_takes_ = 0;     // seconds
};

}  // namespace sublet::app
