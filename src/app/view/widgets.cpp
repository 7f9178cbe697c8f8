#include "app/view/widgets.h"

#include <imgui.h>

namespace sublet::app {

void WidgetMap::note(std::string_view name) {
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    auto at = rectangles_.find(name);
    if (at == rectangles_.end()) at = rectangles_.emplace(std::string(name), std::array<float, 4>{}).first;
    at->second = {low.x, low.y, high.x - low.x, high.y - low.y};
}

void WidgetMap::clear() {
    for (auto& [name, rectangle] : rectangles_) rectangle = {};
}

Json WidgetMap::json() const {
    Json json = Json::object();
    for (const auto& [name, rectangle] : rectangles_) json[name] = rectangle;
    return json;
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

void tooltip(std::string_view words) {
    if (words.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_DelayShort)) {
        return;
    }
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28.0F);
    text(words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
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
