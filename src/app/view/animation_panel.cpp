#include "app/view/animation_panel.h"

#include <imgui.h>

#include <algorithm>

#include "app/text.h"
#include "app/view/scene_animations.h"

namespace sublet::app {
namespace {

constexpr std::size_t kMostRows = 6;  // without scrolling

bool plays_all(std::span<const char> chosen) {
    return std::find(chosen.begin(), chosen.end(), 0) == chosen.end();
}

// A tick, and a name: a click on it plays that one alone, with Ctrl or Shift it joins those that play.
void draw_row(const std::string& id, const std::string& name, std::optional<std::size_t> animation, bool plays,
              const SceneAnimations& animations, AnimationRequest& request, WidgetMap& widgets) {
    ImGui::PushID(id.c_str());
    const bool plays_already = plays;
    if (ImGui::Checkbox("##plays", &plays)) request.choose = {animation, plays};
    widgets.note("plays " + id);
    ImGui::SameLine();
    const auto marked = marked_row(animations.chosen(), animations.selected());
    if (ImGui::Selectable(name.c_str(), marked && *marked == animation)) {
        const bool joins = ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyShift;
        request.select = animation;
        if (!joins || !plays_already) request.choose = {animation, true, !joins};
    }
    tooltip("A click plays it alone. With Ctrl or Shift, or by its tick, it joins those that play.");
    widgets.note("animation " + id);
    ImGui::PopID();
}

void draw_list(const SceneAnimations& animations, AnimationRequest& request, WidgetMap& widgets) {
    if (animations.names().size() > 1)
        draw_row("all", "all", {}, plays_all(animations.chosen()), animations, request, widgets);
    const float row = ImGui::GetFrameHeightWithSpacing();
    const auto rows = static_cast<float>(std::min(animations.names().size(), kMostRows));
    if (ImGui::BeginChild("animations", {0.0F, rows * row})) {
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(animations.names().size()), row);
        while (clipper.Step()) {
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                const auto number = static_cast<std::size_t>(i);
                draw_row(std::to_string(i), animations.names()[number], number, animations.chosen()[number] != 0,
                         animations, request, widgets);
            }
        }
    }
    ImGui::EndChild();
    widgets.note("animation names");
}

}  // namespace

std::vector<std::size_t> chosen_after(const AnimationRequest::Choice& choice, std::span<const char> chosen) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const bool named = choice.animation.value_or(i) == i;
        if (named ? choice.plays : chosen[i] != 0 && !choice.alone) out.push_back(i);
    }
    return out;
}

std::optional<std::optional<std::size_t>> marked_row(std::span<const char> chosen,
                                                     std::optional<std::size_t> selected) {
    if (selected) return selected;
    if (chosen.size() > 1 && plays_all(chosen)) return std::optional<std::size_t>();
    if (std::count(chosen.begin(), chosen.end(), 1) != 1) return std::nullopt;
    return static_cast<std::size_t>(std::find(chosen.begin(), chosen.end(), 1) - chosen.begin());
}

AnimationRequest draw_animation_panel(const SceneAnimations& animations, WidgetMap& widgets) {
    AnimationRequest request;
    if (animations.names().empty()) {
        wrapped_dim_text("The scene has no animations.");
        return request;
    }
    draw_list(animations, request, widgets);
    static const AnimationPlayer kNone;
    const AnimationPlayer* const found = animations.players().of(animations.selected());
    const AnimationPlayer& player = found != nullptr ? *found : kNone;
    if (found == nullptr) {
        const bool none = animations.selected() ? animations.chosen()[*animations.selected()] == 0
                                                : std::find(animations.chosen().begin(), animations.chosen().end(),
                                                            1) == animations.chosen().end();
        wrapped_dim_text(none ? "Nothing plays." : "Nothing that is drawn moves.");
    }
    ImGui::BeginDisabled(found == nullptr);
    const bool playing = animations.selected() ? player.playing() : animations.players().playing();
    if (button(playing ? "Pause###play" : "Play###play", "play animation",
               animations.selected() ? "Plays, or pauses." : "Plays, or pauses (T).", widgets)) {
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
    auto seconds = static_cast<float>(player.place());
    ImGui::SetNextItemWidth(-1.0F);
    if (ImGui::SliderFloat("##time", &seconds, 0.0F, static_cast<float>(player.length()), "%.2f s")) {
        request.time = static_cast<double>(seconds);
    }
    request.held = ImGui::IsItemActive();
    widgets.note("animation time");
    auto speed = static_cast<float>(player.speed());
    ImGui::SetNextItemWidth(ImGui::GetFontSize() * 11.5F);
    if (ImGui::SliderFloat("Speed", &speed, -2.0F, 4.0F, "%.2f")) request.speed = static_cast<double>(speed);
    widgets.note("animation speed");
    ImGui::EndDisabled();
    return request;
}

}  // namespace sublet::app
