// Settings whose values are numbers within a usual range, as sliders. A click with Ctrl types a number.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/widgets.h"
#include "render/settings/settings.h"

namespace sublet::app {

struct SliderPart {
    const char* label;
    float low, high;     // what a drag reaches; what is typed may lie beyond
    float usual;         // where the value is a word
    const char* format;  // of printf
};

// A value that is a word, which a tick chooses.
struct SliderWord {
    const char* label;
    std::string_view value;
};

struct SettingSliders {
    std::string_view setting;
    std::span<const SliderPart> parts;  // of its value, between commas
    std::span<const SliderWord> words;
};

// All that there are.
[[nodiscard]] std::span<const SettingSliders> setting_sliders();
// Null where a setting has none.
[[nodiscard]] const SettingSliders* sliders_of(std::string_view setting);

// The numbers of a value, one for each part; the usual ones where it is a word.
[[nodiscard]] std::vector<float> slider_numbers(const SettingSliders& sliders, std::string_view value);
// And back.
[[nodiscard]] std::string slider_value(std::span<const float> numbers);

// Within a window, `width` pixels wide. `chosen`: the setting's value; `running`: what it comes to. Returns the value
// that the user asks for, or `chosen`.
[[nodiscard]] std::string draw_sliders(const SettingSliders& sliders, std::string_view chosen, std::string_view running,
                                       float width, WidgetMap& widgets);

}  // namespace sublet::app
