#include "app/view/numbers_panel.h"

#include <imgui.h>

#include "app/text.h"

namespace sublet::app {

void NumbersPanel::draw(const NumbersModel& model, WidgetMap& /*widgets*/) {
    if (ImGui::BeginTable("frame", 2)) {
        row("Frame", fixed(model.frame_ms, 2) + " ms");
        row("CPU", fixed(model.cpu_ms, 3) + " ms");
        row("GPU", fixed(model.times->ms, 3) + " ms");
        for (const gpu::PassTime& pass : model.times->passes) row(pass.name, fixed(pass.ms, 3));
        ImGui::EndTable();
    }
}

}  // namespace sublet::app
