#include "app/view/toasts.h"

#include <algorithm>
#include <utility>

namespace sublet::app {

void Toasts::show(std::string cause, std::string text, std::string offer, ToastKind kind) {
    clear(cause);
    toasts_.push_back({std::move(cause), std::move(text), std::move(offer), kind});
}

void Toasts::clear(std::string_view cause) {
    std::erase_if(toasts_, [&](const Toast& toast) { return toast.cause == cause; });
}

bool Toasts::dismiss() {
    if (toasts_.empty()) return false;
    toasts_.pop_back();
    return true;
}

std::string Toasts::draw(ImVec2 at, float width, WidgetMap& widgets) {
    const float unit = ImGui::GetFontSize();
    std::string accepted;
    std::string dismissed;
    for (auto toast = toasts_.rbegin(); toast != toasts_.rend(); ++toast) {
        const bool error = toast->kind == ToastKind::kError;
        ImGui::PushStyleColor(ImGuiCol_WindowBg, error ? IM_COL32(70, 24, 20, 250) : IM_COL32(32, 42, 56, 250));
        ImGui::PushStyleColor(ImGuiCol_Button, error ? IM_COL32(150, 40, 30, 255) : IM_COL32(52, 92, 140, 255));
        constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                            ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing;
        ImGui::SetNextWindowPos(at, ImGuiCond_Always, {1.0F, 1.0F});
        ImGui::SetNextWindowSize({width, 0.0F});
        if (ImGui::Begin(("###toast " + toast->cause).c_str(), nullptr, kFlags)) {
            ImGui::PushTextWrapPos(0.0F);
            ImGui::TextUnformatted(toast->text.c_str());
            ImGui::PopTextWrapPos();
            if (!toast->offer.empty()) {
                if (ImGui::Button(toast->offer.c_str())) accepted = toast->cause;
                widgets.note("offer");
                ImGui::SameLine();
            }
            if (ImGui::Button("Dismiss")) dismissed = toast->cause;
            widgets.note("dismiss");
            at.y = ImGui::GetWindowPos().y - unit * 0.5F;
        }
        ImGui::End();
        ImGui::PopStyleColor(2);
    }
    if (!dismissed.empty()) clear(dismissed);
    if (!accepted.empty()) clear(accepted);
    return accepted;
}

}  // namespace sublet::app
