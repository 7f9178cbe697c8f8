// The outliner: nodes, meshes and materials of the scene, to be searched, picked, hidden, isolated and framed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/view/outline.h"
#include "app/view/widgets.h"

namespace sublet::app {

struct OutlinerModel {
    Outline* outline = nullptr;                 // null: there is no scene
    const std::vector<char>* named = nullptr;   // of each node: it is among those that are hidden, by itself
    const std::vector<char>* hidden = nullptr;  // of each node: it is not drawn, for whatever a person chose
    bool isolated = false;                      // some nodes are
    bool any_hidden = false;                    // by either
    bool grid = false;                          // which has no nodes
    std::optional<OutlineItem> selected;        // what is picked
};

struct OutlinerRequest {
    std::optional<OutlineItem> pick = {};
    std::optional<std::uint32_t> hide = {}, show = {};  // a node, with what is below it
    std::optional<std::uint32_t> isolate = {};          // likewise, in place of those that are
    std::optional<std::uint32_t> frame = {};
    bool show_all = false;  // nothing is hidden any more, nor isolated

    [[nodiscard]] bool hides() const { return hide || show || isolate || show_all; }
};

class OutlinerPanel {
  public:
    // Within a window. What it takes goes by the rows that are seen.
    [[nodiscard]] OutlinerRequest draw(const OutlinerModel& model, WidgetMap& widgets);
    // In the next frame the node is in sight, among what is above it.
    void reveal(std::uint32_t node) { revealed_ = node; }

  private:
    void draw_buttons(const OutlinerModel& model, OutlinerRequest& request, WidgetMap& widgets);
    void draw_list(const OutlinerModel& model, OutlineKind kind, OutlinerRequest& request, WidgetMap& widgets);
    void draw_row(const OutlinerModel& model, OutlineKind kind, const OutlineRow& row, OutlinerRequest& request,
                  WidgetMap& widgets);

    std::string search_;
    std::optional<std::uint32_t> revealed_;
};

}  // namespace sublet::app
