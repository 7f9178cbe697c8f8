#include "app/view/selection_panel.h"

#include <imgui.h>

#include <array>
#include <string>
#include <string_view>

#include "app/text.h"
#include "mesh/morphs.h"
#include "mesh/stream.h"
#include "shaders/shared/mesh_format.h"

namespace sublet::app {

namespace {

std::string vector_text(const glm::vec3& v) {
    return significant(v.x, 3) + ", " + significant(v.y, 3) + ", " + significant(v.z, 3);
}

std::string named(std::uint32_t number, const std::string& name) {
    return name.empty() ? grouped(number) : grouped(number) + "  " + name;
}

// Numbers are the GPU's: they begin with 0.
std::string of_count(std::uint64_t number, std::uint64_t count) {
    return grouped(number) + " (0 to " + grouped(count == 0 ? 0 : count - 1) + ")";
}

void draw_part(const char* name, const PickedPart& part, bool deforms) {
    if (!ImGui::TreeNode(name)) return;
    if (ImGui::BeginTable(name, 2, ImGuiTableFlags_SizingStretchProp)) {
        row("Triangles", grouped(part.triangles));
        row("Vertices", grouped(part.vertices), "As they are encoded: those that sublets share count in each.");
        row("Centre", vector_text(part.bound.world_center), "Of its bounding sphere, in the world.");
        row("Radius", significant(part.bound.world_radius, 4), "Of its bounding sphere, in the world.");
        if (part.bound.cone) {
            row("Cone axis", vector_text(part.bound.cone->world_axis), "Where its triangles face, in the world.");
            row("Cone cutoff", significant(part.bound.cone->cutoff, 3), "The smaller, the more often it is culled.");
        } else {
            row("Cone", "can't cull",
                deforms ? "It deforms: none holds in every pose." : "Its triangles face too many ways.");
        }
        row("Bytes", grouped(part.bytes));
        for (std::size_t i = 0; i < part.stream_bytes.size(); ++i) {
            if (part.stream_bytes[i] > 0)
                row(std::string("   ") + mesh::kStreams[i].name, grouped(part.stream_bytes[i]));
        }
        for (std::size_t i = 0; i < part.morph_bytes.size(); ++i) {
            if (part.morph_bytes[i] > 0) {
                row(std::string("   ") + mesh::kMorphs[i].stream_name, grouped(part.morph_bytes[i]));
            }
        }
        row("   stream headers", grouped(part.header_bytes));
        row("   bounds", grouped(part.bounds_bytes));
        ImGui::EndTable();
    }
    ImGui::TreePop();
}

}  // namespace

render::Selection stepped(const PickReport& report, render::SelectionLevel level, int step) {
    render::Selection out = report.at;
    out.level = level;
    const auto turn = [step](std::uint32_t at, std::uint32_t count) {
        if (count == 0) return at;
        return step > 0 ? (at + 1) % count : (at + count - 1) % count;
    };
    switch (level) {
        case render::SelectionLevel::kInstance:
            out.instance = turn(report.at.instance, report.instances);
            out.sublet = out.triangle = 0;
            break;
        case render::SelectionLevel::kMeshlet:
            out.sublet = turn(report.meshlet, report.meshlets) * shared::kSubletsPerMeshlet;
            out.triangle = 0;
            break;
        case render::SelectionLevel::kSublet:
            out.sublet = turn(report.at.sublet, report.sublets);
            out.triangle = 0;
            break;
        case render::SelectionLevel::kTriangle:
            out.triangle = turn(report.at.triangle, static_cast<std::uint32_t>(report.of_sublet.triangles));
            break;
        case render::SelectionLevel::kNone:
            break;
    }
    return out;
}

std::optional<render::Selection> draw_selection(const PickReport& report, WidgetMap& widgets) {
    std::optional<render::Selection> out;
    const auto line = [&](const char* name, const std::string& value, render::SelectionLevel level) {
        ImGui::PushID(name);
        if (ImGui::SmallButton("<")) out = stepped(report, level, -1);
        tooltip("The one before.");
        ImGui::SameLine(0.0F, 2.0F);
        if (ImGui::SmallButton(">")) out = stepped(report, level, 1);
        widgets.note(std::string("next ") + name, "The next one.");
        ImGui::SameLine();
        if (ImGui::RadioButton(name, report.at.level == level)) {
            out = report.at;
            out->level = level;
        }
        widgets.note(std::string("pick ") + name, "Outline this much of it.");
        ImGui::SameLine(ImGui::GetFontSize() * 10.0F);
        text(value);
        ImGui::PopID();
    };
    line("instance", named(report.at.instance, report.node_name), render::SelectionLevel::kInstance);
    line("meshlet", of_count(report.meshlet, report.meshlets), render::SelectionLevel::kMeshlet);
    line("sublet", of_count(report.at.sublet, report.sublets), render::SelectionLevel::kSublet);
    line("triangle", of_count(report.at.triangle, report.of_sublet.triangles), render::SelectionLevel::kTriangle);
    if (ImGui::BeginTable("names", 2, ImGuiTableFlags_SizingStretchProp)) {
        row("Mesh", named(report.mesh, report.mesh_name));
        row("Material", named(report.material, report.material_name));
        if (report.level) {
            row("Level of detail", grouped(report.level->level), "How often its meshlet was simplified.");
            row("Group", grouped(report.level->group), "Of meshlets that are simplified as one.");
            row("Wrong by", significant(report.level->error, 3), "At most, in units of the scene.");
        }
        ImGui::EndTable();
    }
    draw_part("Of the sublet", report.of_sublet, report.deforms);
    draw_part("Of the meshlet", report.of_meshlet, report.deforms);
    draw_part("Of the mesh", report.of_mesh, report.deforms);
    return out;
}

}  // namespace sublet::app
