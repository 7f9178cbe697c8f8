#include "app/view/widgets.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace sublet::app {

void WidgetMap::note(std::string_view name, std::string_view help) {
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    if (count_ == widgets_.size()) widgets_.emplace_back();
    Widget& widget = widgets_[count_++];
    widget.name = name;
    widget.rectangle = {low.x, low.y, high.x - low.x, high.y - low.y};
    tooltip(help);
}

void WidgetMap::clear() {
    count_ = 0;
}

Json WidgetMap::json() const {
    Json json = Json::object();
    for (std::size_t i = 0; i < count_; ++i) json[widgets_[i].name] = widgets_[i].rectangle;
    return json;
}

float field_width() {
    constexpr float kWidth = 11.5F;       // in font sizes
    constexpr float kMostOfPanel = 0.6F;  // of its width: the rest is the label's
    return std::min(ImGui::GetFontSize() * kWidth, ImGui::GetContentRegionAvail().x * kMostOfPanel);
}

void text(std::string_view line) {
    ImGui::TextUnformatted(line.data(), line.data() + line.size());
}

void dim_text(std::string_view line) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    text(line);
    ImGui::PopStyleColor();
}

void wrapped_text(std::string_view line) {
    ImGui::PushTextWrapPos(0.0F);
    text(line);
    ImGui::PopTextWrapPos();
}

void wrapped_dim_text(std::string_view line) {
    ImGui::PushTextWrapPos(0.0F);
    dim_text(line);
    ImGui::PopTextWrapPos();
}

bool button(const char* label, std::string_view name, std::string_view help, WidgetMap& widgets) {
    const bool pressed = ImGui::Button(label);
    widgets.note(name, help);
    return pressed;
}

void tooltip(std::string_view words) {
    if (words.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_DelayShort)) {
        return;
    }
    // Beside the panel, where there is one: over it, it would hide what one wants next.
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImGuiWindow& panel = *ImGui::GetCurrentWindow()->RootWindow;
    const ImVec2 at = panel.Pos;
    const float width = panel.Size.x;
    const float y = ImGui::GetItemRectMin().y;
    const float gap = ImGui::GetFontSize() * 0.5F;
    const ImVec2 pivot{0.0F, std::clamp(y / screen.y, 0.0F, 1.0F)};
    if (at.x == 0.0F && width < 0.6F * screen.x) {
        ImGui::SetNextWindowPos({width + gap, y}, ImGuiCond_Always, pivot);
    } else if (at.x > 0.4F * screen.x && at.x + width >= screen.x - 1.0F) {
        ImGui::SetNextWindowPos({at.x - gap, y}, ImGuiCond_Always, {1.0F, pivot.y});
    }
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28.0F);
    text(words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void splitter(const char* name, float x, float top, float height, float direction, float& width) {
    const float unit = ImGui::GetFontSize();
    const float grip = std::round(unit * 0.4F);
    ImGui::SetNextWindowPos({x - grip * 0.5F, top});
    ImGui::SetNextWindowSize({grip, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    if (ImGui::Begin(name, nullptr, kFixed | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav)) {
        ImGui::InvisibleButton("edge", {grip, height});
        if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        if (ImGui::IsItemActive()) width += direction * ImGui::GetIO().MouseDelta.x / unit;
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}

void dim_row(std::string_view name, std::string_view value) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    row(name, value);
    ImGui::PopStyleColor();
}

void row(std::string_view name, std::string_view value, std::string_view help) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    text(name);
    tooltip(help);
    ImGui::TableNextColumn();
    const float space =
        ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(value.data(), value.data() + value.size()).x;
    if (space > 0.0F) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space);
    text(value);
    tooltip(help);
}

}  // namespace sublet::app
