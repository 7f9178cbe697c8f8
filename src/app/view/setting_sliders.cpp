#include "app/view/setting_sliders.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "base/number_text.h"
#include "render/settings/value_text.h"

namespace sublet::app {

namespace {

constexpr std::array kExposure{SliderPart{"Exposure", -8.0F, 8.0F, 0.0F, "%.2f stops"}};
constexpr std::array kExposureWords{SliderWord{"auto", "auto"}};
constexpr std::array kSun{SliderPart{"Sun, elevation", -90.0F, 90.0F, 53.0F, "%.1f°"},
                          SliderPart{"Sun, azimuth", -180.0F, 180.0F, 48.0F, "%.1f°"}};
constexpr std::array kSunWords{SliderWord{"sun off", "off"}, SliderWord{"auto", ""}};
constexpr std::array kSunStrength{SliderPart{"Sun's strength", 0.0F, 4.0F, 1.0F, "%.2f"}};
constexpr std::array kTurn{SliderPart{"Environment's turn", -180.0F, 180.0F, 0.0F, "%.1f°"}};
constexpr std::array kBlur{SliderPart{"Background blur", 0.0F, 1.0F, 0.0F, "%.2f"}};
constexpr std::array kLodError{SliderPart{"Error of levels", 0.0F, 16.0F, 1.0F, "%.2f pixels"}};
constexpr std::array kLodErrorWords{SliderWord{"Error that has room", "auto"}};
constexpr std::array kSpeed{SliderPart{"Speed", -2.0F, 4.0F, 1.0F, "%.2f"}};
constexpr std::array kStagger{SliderPart{"Stagger", -2.0F, 2.0F, 0.0F, "%.2f s"}};

constexpr std::array kSliders{
    SettingSliders{"ev", kExposure, kExposureWords},  SettingSliders{"environment-turn", kTurn, {}},
    SettingSliders{"environment-blur", kBlur, {}},    SettingSliders{"sun", kSun, kSunWords},
    SettingSliders{"sun-strength", kSunStrength, {}}, SettingSliders{"speed", kSpeed, {}},
    SettingSliders{"stagger", kStagger, {}},          SettingSliders{"lod-error", kLodError, kLodErrorWords},
};

// Whether the panel has room for one behind the last item.
bool checkbox_fits(const char* label) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::GetFrameHeight() + style.ItemInnerSpacing.x + ImGui::CalcTextSize(label).x;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    return ImGui::GetItemRectMax().x + style.ItemSpacing.x + width <= right;
}

}  // namespace

std::span<const SettingSliders> setting_sliders() {
    return kSliders;
}

const SettingSliders* sliders_of(std::string_view setting) {
    const auto* const found = std::find_if(kSliders.begin(), kSliders.end(),
                                           [&](const SettingSliders& sliders) { return sliders.setting == setting; });
    return found == kSliders.end() ? nullptr : found;
}

std::vector<float> slider_numbers(const SettingSliders& sliders, std::string_view value) {
    std::vector<float> numbers;
    for (const SliderPart& part : sliders.parts) {
        const std::size_t end = std::min(value.find(','), value.size());
        numbers.push_back(parse_number<float>(value.substr(0, end)).value_or(part.usual));
        value.remove_prefix(std::min(end + 1, value.size()));
    }
    return numbers;
}

std::string slider_value(std::span<const float> numbers) {
    std::string text;
    for (const float number : numbers) text += (text.empty() ? "" : ",") + number_text(number);
    return text;
}

std::string draw_sliders(const SettingSliders& sliders, std::string_view chosen, std::string_view running, float width,
                         WidgetMap& widgets) {
    std::string asked(chosen);
    std::vector<float> numbers = slider_numbers(sliders, running);
    ImGui::BeginGroup();  // one item, which the setting's help belongs to
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const SliderPart& part = sliders.parts[i];
        ImGui::SetNextItemWidth(width);
        if (ImGui::SliderFloat(part.label, &numbers[i], part.low, part.high, part.format))
            asked = slider_value(numbers);
        widgets.note(part.label);
    }
    if (sliders.parts.size() == 1 && !sliders.words.empty() && checkbox_fits(sliders.words[0].label)) ImGui::SameLine();
    for (std::size_t i = 0; i < sliders.words.size(); ++i) {
        const SliderWord& word = sliders.words[i];
        if (i > 0) ImGui::SameLine();
        bool is_word = word.value == chosen;
        if (ImGui::Checkbox(word.label, &is_word)) asked = is_word ? std::string(word.value) : slider_value(numbers);
        widgets.note(std::string(sliders.setting) + " " + word.label);
    }
    ImGui::EndGroup();
    return asked;
}

}  // namespace sublet::app
