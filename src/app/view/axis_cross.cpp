#include "app/view/axis_cross.h"

#include <imgui.h>

#include <algorithm>
#include <glm/mat4x4.hpp>

#include "render/settings/camera_text.h"
#include "render/view/camera.h"

namespace sublet::app {

std::array<SeenAxis, 3> seen_axes(const render::CameraPose& pose) {
    const render::View view = render::make_view(pose, 1.0F, render::Projection::kPerspective, 1.0F);
    std::array<SeenAxis, 3> out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        out.at(i) = {i, glm::vec3(view.view[static_cast<glm::length_t>(i)])};
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const SeenAxis& a, const SeenAxis& b) { return a.direction.z < b.direction.z; });
    return out;
}

void draw_axis_cross(const render::CameraPose& pose, float x, float y, float radius) {
    constexpr std::array<std::uint32_t, 3> kColors{0x6971ebU, 0x6ec87dU, 0xf0a05aU};
    constexpr std::array<const char*, 3> kLetters{"X", "Y", "Z"};
    if (render::pose_fault(pose)) return;  // a motion led there: the next picture is of another
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const float dot = 0.5F * ImGui::GetFontSize();
    for (const SeenAxis& axis : seen_axes(pose)) {
        const ImVec2 end{x + axis.direction.x * radius, y - axis.direction.y * radius};
        const ImU32 color = kColors.at(axis.axis) | 0xff000000U;
        list.AddLine({x, y}, end, color, 2.0F);
        list.AddCircleFilled(end, dot, color);
        const ImVec2 size = ImGui::CalcTextSize(kLetters.at(axis.axis));
        list.AddText({end.x - 0.5F * size.x, end.y - 0.5F * size.y}, IM_COL32_BLACK, kLetters.at(axis.axis));
    }
}

}  // namespace sublet::app
