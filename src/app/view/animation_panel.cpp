#include "app/view/animation_panel.h"

#include <imgui.h>

#include <algorithm>

#include "app/text.h"
#include "scene/animation.h"

namespace sublet::app {
namespace {

bool button(const char* label, const char* id, std::string_view help, WidgetMap& widgets) {
    const bool pressed = ImGui::Button(label);
    widgets.note(id);
    tooltip(help);
    return pressed;
}

// Names may be those of others, or look like numbers: numbers choose.
void draw_names(const AnimationModel& model, AnimationRequest& request, WidgetMap& widgets) {
    const std::string shown(model.chosen);
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 11.5F);
    const bool open = ImGui::BeginCombo("Plays", shown.c_str());
    widgets.note("animation names");
    tooltip("The animation that plays. All play at once, each at its own length.");
    if (!open) return;
    for (const std::string_view one : {scene::kAllAnimations, scene::kNoAnimation}) {
        if (ImGui::Selectable(std::string(one).c_str(), model.chosen == one)) request.choose = std::string(one);
    }
    for (std::size_t i = 0; i < model.names.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(model.names[i].c_str(), model.chosen == model.names[i])) {
            const bool first = std::find(model.names.begin(), model.names.end(), model.names[i]) ==
                               model.names.begin() + static_cast<std::ptrdiff_t>(i);
            const bool unnamed = model.names[i] == "animation " + std::to_string(i);
            request.choose = first && !unnamed ? model.names[i] : std::to_string(i);
        }
        ImGui::PopID();
    }
    ImGui::EndCombo();
}

}  // namespace

AnimationRequest draw_animation_panel(const AnimationModel& model, WidgetMap& widgets) {
    AnimationRequest request;
    if (model.names.empty()) {
        wrapped_dim_text("The scene has no animations.");
        return request;
    }
    draw_names(model, request, widgets);
    const AnimationPlayer& player = *model.player;
    const bool moves = player.length() > 0.0;
    if (!moves) {
        wrapped_dim_text(model.chosen == scene::kNoAnimation ? "Nothing plays." : "Nothing that is drawn moves.");
    }
    ImGui::BeginDisabled(!moves);
    if (button(player.playing() ? "Pause###play" : "Play###play", "play animation", "Plays, or pauses (T).", widgets)) {
        request.toggle = true;
    }
    ImGui::SameLine();
    if (button("<", "step back", "A sixtieth of a second back.", widgets)) request.step = -1;
    ImGui::SameLine(0.0F, 3.0F);
    if (button(">", "step forward", "A sixtieth of a second forward.", widgets)) request.step = 1;
    ImGui::SameLine();
    bool loop = player.loop();
    if (ImGui::Checkbox("Loop", &loop)) request.loop = loop;
    widgets.note("loop animation");
    auto seconds = static_cast<float>(player.place(model.time));
    ImGui::SetNextItemWidth(-1.0F);
    if (ImGui::SliderFloat("##time", &seconds, 0.0F, static_cast<float>(player.length()), "%.2f s")) {
        request.time = static_cast<double>(seconds);
    }
    widgets.note("animation time");
    auto speed = static_cast<float>(model.speed);
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 11.5F);
    if (ImGui::SliderFloat("Speed", &speed, -2.0F, 4.0F, "%.2f")) request.speed = static_cast<double>(speed);
    widgets.note("animation speed");
    ImGui::EndDisabled();
    return request;
}

}  // namespace sublet::app
