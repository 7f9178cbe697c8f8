#include "app/view/scene_menu.h"

#include <imgui.h>

#include <cstddef>
#include <string>
#include <utility>

#include "app/view/help.h"

namespace sublet::app {

namespace {

// `pick(i)` for the entry that was clicked on.
template <typename Name, typename Pick>
void draw_list(const char* title, std::size_t count, const Name& entry, const Pick& pick, WidgetMap& widgets) {
    const bool open = ImGui::BeginMenu(title, count > 0);
    widgets.note(std::string("menu ") + title);
    if (!open) return;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [name, chosen] = entry(i);
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::MenuItem(name.c_str(), nullptr, chosen)) pick(i);
        widgets.note(std::string(title) + " " + name);
        ImGui::PopID();
    }
    ImGui::EndMenu();
}

}  // namespace

void draw_scene_menu(const UiModel& model, render::Settings& settings, UiEvents& events, WidgetMap& widgets) {
    const bool open = ImGui::BeginMenu("Scene", model.has_scene);
    widgets.note("menu Scene");
    if (!open) return;
    if (model.file_scenes != nullptr) {
        const auto of_file = [&](std::size_t i) {
            return std::pair(model.file_scenes->shown_name(i), i == model.file_scene);
        };
        draw_list(
            "Scene of the file", model.file_scenes->names.size(), of_file,
            [&](std::size_t i) { events.file_scene = i; }, widgets);
    }
    const auto values = [&](const char* title, const char* name, std::span<const SceneValue> all) {
        const render::Setting& setting = *render::find_setting(name);
        const std::string now = setting.get(settings);
        const auto entry = [&](std::size_t i) { return std::pair(all[i].name, all[i].value == now); };
        const auto pick = [&](std::size_t i) {
            setting.set(settings, all[i].value);
            events.changed = &setting;
        };
        draw_list(title, all.size(), entry, pick, widgets);
    };
    values("Variant", "variant", model.settings.variants);
    values("Animation", "animation", model.settings.animations);
    if (ImGui::MenuItem("Play or pause", key_of(Command::kPlayAnimation), false, !model.settings.animations.empty())) {
        events.commands.push_back(Command::kPlayAnimation);
    }
    const auto camera = [&](std::size_t i) {
        const render::SceneCamera& of_file = model.camera->cameras()[i];
        return std::pair(of_file.name, of_file.view.node && of_file.view.node == model.camera->followed_node());
    };
    draw_list(
        "Camera of the file", model.camera->cameras().size(), camera,
        [&](std::size_t i) { events.camera.file_camera = i; }, widgets);
    ImGui::EndMenu();
}

}  // namespace sublet::app
