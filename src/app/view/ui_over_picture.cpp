// What lies over the picture: the legend, the line of a split window, words on what is seen, loading.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/session.h"
#include "app/text.h"
#include "app/view/axis_cross.h"
#include "app/view/ui.h"
#include "base/count_text.h"
#include "render/view/legend.h"

namespace sublet::app {

namespace {

// To each side: over a smaller picture stands no legend.
constexpr float kLegendPicture = 45.0F;

// Over the picture, for reading only.
constexpr ImGuiWindowFlags kLabel = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                    ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus;

// "encode: 4,542,112 triangles".
std::string progress_text(const ProgressState& state) {
    if (state.stage.empty()) return "waiting";
    if (state.total == 0 || state.unit.empty()) return state.stage;
    return state.stage + ": " +
           (state.unit == "bytes" ? byte_text(state.total) : grouped(state.total) + " " + state.unit);
}

// What a person can do about it.
std::string_view blank_help(BlankReason reason) {
    switch (reason) {
        case BlankReason::kHidden:
            return "Alt+H shows all.";
        case BlankReason::kOutside:
        case BlankReason::kSmall:
            return "F frames it.";
        case BlankReason::kAway:
        case BlankReason::kAwayOrSmall:
            return "F frames it, R goes back to the start. Inside of a closed thing, go out.";
        case BlankReason::kNight:
            return "Raise the sun, or let the exposure be auto.";
        case BlankReason::kNothing:
        case BlankReason::kInvisible:
            break;
    }
    return {};
}

}  // namespace

void Ui::draw_legend_entries(render::Show show, float wrap) {
    const float unit = ImGui::GetFontSize();
    const render::Legend legend = render::legend_of(show);
    ImGui::PushTextWrapPos(wrap);
    dim_text(legend.text);
    for (const render::LegendEntry& entry : legend.entries) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + unit * 0.15F},
                                                  {at.x + unit * 0.9F, at.y + unit * 1.05F},
                                                  IM_COL32(entry.color[0], entry.color[1], entry.color[2], 255));
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + unit * 1.3F);
        text(entry.name);
    }
    ImGui::PopTextWrapPos();
}

// Over a small picture a legend would hide most of it: it stands in the panel then, where there is one.
bool Ui::legend_beside() const {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    const bool small = (free_[2] - free_[0]) * screen.x < kLegendPicture * unit ||
                       (free_[3] - free_[1]) * screen.y < kLegendPicture * unit;
    return small && !hidden_;
}

// What the colours of the view mean, in the lower left corner of the picture.
void Ui::draw_legend(const UiModel& model) {
    const render::Show show = model.settings.plan->show;
    if (show == render::Show::kShaded || legend_beside()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    ImGui::SetNextWindowPos({free_[0] * screen.x + unit * 0.5F, free_[3] * screen.y - unit * 0.5F}, ImGuiCond_Always,
                            {0.0F, 1.0F});
    ImGui::SetNextWindowBgAlpha(0.85F);
    if (ImGui::Begin("Legend", nullptr, kLabel)) {
        text(render::find_setting("view")->get(model.settings.running));
        draw_legend_entries(show, unit * 22.0F);
    }
    widgets_.note("legend");
    ImGui::End();
}

void Ui::draw_over_picture(const UiModel& model) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 middle{(free_[0] + free_[2]) * 0.5F * screen.x, (free_[1] + free_[3]) * 0.5F * screen.y};
    const auto label = [&](const char* name, ImVec2 at, ImVec2 pivot, std::string_view words) {
        ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
        ImGui::SetNextWindowBgAlpha(0.8F);
        if (ImGui::Begin(name, nullptr, kLabel)) text(words);
        widgets_.note(name);
        ImGui::End();
    };
    if (model.has_scene) draw_legend(model);
    if (model.comparison->right() != nullptr) draw_split(model.comparison->split_times());
    if (model.has_scene && axes_) {
        const float unit = ImGui::GetFontSize();
        const float radius = 2.0F * unit;
        const float aside = radius + unit;  // from the picture's corner
        draw_axis_cross(*model.settings.running.frame.camera, free_[2] * screen.x - aside, free_[1] * screen.y + aside,
                        radius);
    }
    if (model.has_scene && model.blank) {
        ImGui::SetNextWindowPos(middle, ImGuiCond_Always, {0.5F, 0.5F});
        ImGui::SetNextWindowBgAlpha(0.8F);
        if (ImGui::Begin("Blank", nullptr, kLabel)) {
            const float room = (free_[2] - free_[0]) * screen.x - ImGui::GetFontSize() * 4.0F;
            ImGui::PushTextWrapPos(std::min(ImGui::GetFontSize() * 26.0F, std::max(room, ImGui::GetFontSize() * 8.0F)));
            text("Nothing to see: " + std::string(blank_text(*model.blank)) + ".");
            dim_text(blank_help(*model.blank));
            ImGui::PopTextWrapPos();
        }
        widgets_.note("Blank");
        ImGui::End();
    }
    if (ImGui::GetTime() > said_until_) said_.clear();
    if (!said_.empty()) {
        label("Said", {middle.x, free_[1] * screen.y + ImGui::GetFontSize()}, {0.5F, 0.0F}, said_);
    }
    if (!said_.empty() || model.loading != nullptr) return;
    const ImVec2 above{middle.x, free_[1] * screen.y + ImGui::GetFontSize()};
    if (model.textures_left > 0) {
        label("Textures", above, {0.5F, 0.0F}, counted(model.textures_left, "texture") + " to come");
    } else if (hint_ || !model.has_scene) {
        label("Hint", above, {0.5F, 0.0F}, "Drop a .glb here. Press ? for keys.");
    } else if (hidden_at_start_) {
        label("Hint", above, {0.5F, 0.0F}, "Tab shows the panels.");
    }
}

// The line between both sides, which can be dragged, and what the GPU takes for each, beside it.
void Ui::draw_split(const SplitTimes& times) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    const float top = free_[1] * screen.y;
    const float bottom = free_[3] * screen.y;
    float place = split_at_ * screen.x / unit;
    splitter("split", split_at_ * screen.x, top, std::max(bottom - top, 1.0F), 1.0F, place);
    split_at_ = std::clamp(place * unit / screen.x, std::min(free_[0] + 0.02F, 1.0F), std::max(free_[2] - 0.02F, 0.0F));
    const float x = std::round(split_at_ * screen.x);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddLine({x, top}, {x, bottom}, IM_COL32(0, 0, 0, 160), 3.0F);
    list.AddLine({x, top}, {x, bottom}, IM_COL32_WHITE, 1.0F);
    const auto label = [&](const char* name, float side, const std::optional<double>& ms) {
        ImGui::SetNextWindowPos({x + side * unit * 0.5F, bottom - unit * 0.5F}, ImGuiCond_Always,
                                {side < 0.0F ? 1.0F : 0.0F, 1.0F});
        ImGui::SetNextWindowBgAlpha(0.8F);
        if (ImGui::Begin(name, nullptr, kLabel)) {
            text(std::string(name) + (ms ? "   GPU " + fixed(*ms, 2) + " ms" : ""));
        }
        widgets_.note(std::string("side ") + name);
        ImGui::End();
    };
    label("A", -1.0F, times.a_ms());
    label("B", 1.0F, times.b_ms());
}

// What is being loaded and how far it is: in the middle of an empty window, else above the scene that is still shown.
void Ui::draw_loading(const LoadStatus& loading, UiEvents& events) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float unit = ImGui::GetFontSize();
    ImGui::SetNextWindowPos({(free_[0] + free_[2]) * 0.5F * screen.x, free_[1] * screen.y + unit}, ImGuiCond_Always,
                            {0.5F, 0.0F});
    ImGui::SetNextWindowSize({std::min(unit * 30.0F, screen.x - unit * 2.0F), 0.0F});
    ImGui::SetNextWindowBgAlpha(0.92F);
    if (ImGui::Begin("Loading", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing)) {
        text("Loading " + scene_name(loading.path));
        const ProgressState& state = loading.progress;
        ImGui::ProgressBar(static_cast<float>(state.fraction), {-1.0F, 0.0F});
        dim_text(progress_text(state));
        ImGui::SameLine();
        const float width = ImGui::CalcTextSize("Cancel").x + ImGui::GetStyle().FramePadding.x * 2.0F;
        ImGui::SetCursorPosX(ImGui::GetWindowSize().x - width - ImGui::GetStyle().WindowPadding.x);
        if (ImGui::Button("Cancel")) events.cancel_loading = true;
        widgets_.note("cancel loading");
    }
    ImGui::End();
}

}  // namespace sublet::app
