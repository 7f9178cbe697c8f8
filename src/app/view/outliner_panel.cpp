#include "app/view/outliner_panel.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/text.h"

namespace sublet::app {

namespace {

constexpr float kLeastName = 10.0F;          // font sizes: a narrow panel gives up numbers for it
constexpr std::uint32_t kMostIndented = 24;  // deeper nodes are not indented further: their names stay in sight

bool is_set(const std::vector<char>* flags, std::uint32_t number) {
    return flags != nullptr && number < flags->size() && (*flags)[number] != 0;
}

std::string counts_text(const OutlineCounts& counts, OutlineKind kind) {
    const char* const bytes = kind == OutlineKind::kNode   ? " of its own mesh in the file"
                              : kind == OutlineKind::kMesh ? " in the file"
                                                           : " of its images";
    return counted(counts.instances, "instance") + "\n" + counted(counts.triangles, "triangle") + "\n" +
           counted(counts.meshlets, "meshlet") + "\n" + byte_text(counts.bytes) + bytes;
}

void number_cell(std::uint64_t number) {
    ImGui::TableNextColumn();
    if (number == 0) return;
    const std::string shown = short_count(number);
    const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(shown.c_str()).x;
    if (space > 0.0F) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space);
    dim_text(shown);
}

}  // namespace

OutlinerRequest OutlinerPanel::draw(const OutlinerModel& model, WidgetMap& widgets) {
    OutlinerRequest request;
    if (model.outline == nullptr) return request;
    if (model.grid) {
        wrapped_dim_text("The first mesh is drawn on a grid (--grid), which has no nodes.");
        return request;
    }
    ImGui::SetNextItemWidth(-1.0F);
    ImGui::InputTextWithHint("##search", "search for a name", &search_);
    widgets.note("outliner search");
    model.outline->search(search_);
    draw_buttons(model, request, widgets);
    if (!ImGui::BeginTabBar("kinds")) return request;
    const std::array<std::pair<OutlineKind, const char*>, 3> kinds{
        {{OutlineKind::kNode, "Nodes"}, {OutlineKind::kMesh, "Meshes"}, {OutlineKind::kMaterial, "Materials"}}};
    for (const auto& [kind, title] : kinds) {
        const bool asked = kind == OutlineKind::kNode && revealed_;
        const bool open = ImGui::BeginTabItem(title, nullptr, asked ? ImGuiTabItemFlags_SetSelected : 0);
        widgets.note(std::string("outliner ") + title);
        if (!open) continue;
        draw_list(model, kind, request, widgets);
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
    return request;
}

void OutlinerPanel::draw_buttons(const OutlinerModel& model, OutlinerRequest& request, WidgetMap& widgets) {
    const bool node = model.selected && model.selected->kind == OutlineKind::kNode;
    const std::uint32_t number = node ? model.selected->number : 0;
    const auto button = [&](const char* label, const char* help, bool enabled) {
        ImGui::BeginDisabled(!enabled);
        const bool pressed = ImGui::Button(label);
        ImGui::EndDisabled();
        widgets.note(std::string("outliner ") + label, help);
        return pressed;
    };
    const bool named = node && is_set(model.named, number);
    if (button(named ? "Show" : "Hide", "What is picked, with all below it (H).", node)) {
        (named ? request.show : request.hide) = number;
    }
    ImGui::SameLine();
    if (button("Isolate", "Draw what is picked alone, with all below it (Shift+H).", node)) request.isolate = number;
    ImGui::SameLine();
    if (button("Show all", "Nothing is hidden or isolated any more (Alt+H).", model.any_hidden)) {
        request.show_all = true;
    }
    ImGui::SameLine();
    if (button("Frame", "Move the camera to what is picked (F).", node)) request.frame = number;
}

void OutlinerPanel::draw_list(const OutlinerModel& model, OutlineKind kind, OutlinerRequest& request,
                              WidgetMap& widgets) {
    std::optional<std::size_t> shown;
    if (kind == OutlineKind::kNode && revealed_) {
        const std::uint32_t node = *std::exchange(revealed_, std::nullopt);
        if (model.outline->has({kind, node})) shown = model.outline->reveal(node);
        if (model.outline->searched().empty()) search_.clear();
    }
    const std::vector<OutlineRow>& rows = model.outline->rows(kind);
    if (rows.empty()) {
        dim_text(search_.empty() ? "There are none." : "None is called so.");
        return;
    }
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable | ImGuiTableFlags_RowBg |
                                       ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_Hideable;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {2.0F, ImGui::GetStyle().CellPadding.y});
    const bool table = ImGui::BeginTable("rows", 5, kFlags);
    ImGui::PopStyleVar();
    if (!table) return;
    const float width = ImGui::GetFontSize() * 2.65F;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_NoHide);
    float room = ImGui::GetWindowSize().x - ImGui::GetFontSize() * kLeastName;
    for (const char* column : {"tri.", "mlets", "inst.", "bytes"}) {
        room -= width + 4.0F;
        const bool fits = room >= 0.0F;  // the tooltip has all of them
        ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthFixed | (fits ? 0 : ImGuiTableColumnFlags_Disabled),
                                width);
    }
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    if (shown) clipper.IncludeItemByIndex(static_cast<int>(*shown));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const OutlineRow row = rows[static_cast<std::size_t>(i)];
            ImGui::TableNextRow();
            draw_row(model, kind, row, request, widgets);
            if (shown == static_cast<std::size_t>(i)) ImGui::SetScrollHereY(0.5F);
        }
    }
    ImGui::EndTable();
}

void OutlinerPanel::draw_row(const OutlinerModel& model, OutlineKind kind, const OutlineRow& row,
                             OutlinerRequest& request, WidgetMap& widgets) {
    const OutlineItem item{kind, row.number};
    const OutlineCounts& counts = model.outline->counts(item);
    const std::string name = model.outline->name(item);
    const bool node = kind == OutlineKind::kNode;
    const float unit = ImGui::GetFontSize();
    ImGui::PushID(static_cast<int>(row.number));
    ImGui::TableNextColumn();
    if (node) {
        bool visible = !is_set(model.named, row.number);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.0F, 0.0F});
        if (ImGui::Checkbox("##visible", &visible)) (visible ? request.show : request.hide) = row.number;
        ImGui::PopStyleVar();
        widgets.note("outliner box " + name, "Draw it, and what is below it.");
        ImGui::SameLine(0.0F, unit * 0.55F * static_cast<float>(std::min(row.depth, kMostIndented)));
    }
    ImGuiTreeNodeFlags flags =
        ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_OpenOnArrow | ImGuiTreeNodeFlags_SpanAvailWidth;
    if (!row.branch) flags |= ImGuiTreeNodeFlags_Leaf;
    if (model.selected == item) flags |= ImGuiTreeNodeFlags_Selected;
    const bool dim = !row.found || counts.instances == 0 || (node && is_set(model.hidden, row.number));
    if (dim) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::SetNextItemOpen(row.open);
    ImGui::TreeNodeEx("##row", flags, "%s", name.c_str());
    if (dim) ImGui::PopStyleColor();
    widgets.note("outliner row " + name);
    if (ImGui::IsItemToggledOpen()) {
        model.outline->set_open(row.number, !row.open);
    } else if (ImGui::IsItemClicked()) {
        request.pick = item;
        if (node && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) request.frame = row.number;
    }
    if (node && ImGui::BeginPopupContextItem("row menu")) {
        const bool named = is_set(model.named, row.number);
        if (ImGui::MenuItem(named ? "Show" : "Hide")) (named ? request.show : request.hide) = row.number;
        if (ImGui::MenuItem("Isolate")) request.isolate = row.number;
        if (ImGui::MenuItem("Frame")) request.frame = row.number;
        if (ImGui::MenuItem("Show all", nullptr, false, model.any_hidden)) request.show_all = true;
        ImGui::EndPopup();
    } else if (ImGui::IsItemHovered()) {
        const char* const numbered = node ? "node " : kind == OutlineKind::kMesh ? "mesh " : "material ";
        tooltip(name + "\n" + numbered + std::to_string(row.number) + "\n" + counts_text(counts, kind));
    }
    number_cell(counts.triangles);
    number_cell(counts.meshlets);
    number_cell(counts.instances);
    number_cell(counts.bytes);
    ImGui::PopID();
}

}  // namespace sublet::app
