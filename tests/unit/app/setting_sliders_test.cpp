#include "app/view/setting_sliders.h"

#include <gtest/gtest.h>

#include "setting_values.h"

namespace sublet::app {
namespace {

TEST(SettingSliders, ReachNoValueThatTheSettingRefuses) {
    for (const SettingSliders& sliders : setting_sliders()) {
        SCOPED_TRACE(sliders.setting);
        const render::Setting* const setting = render::find_setting(sliders.setting);
        ASSERT_NE(setting, nullptr);
        EXPECT_EQ(sliders_of(sliders.setting), &sliders);
        std::vector<float> low, high;
        for (const SliderPart& part : sliders.parts) {
            EXPECT_LE(part.low, part.usual);
            EXPECT_GE(part.high, part.usual);
            low.push_back(part.low);
            high.push_back(part.high);
        }
        for (const std::vector<float>& numbers : {low, high}) {
            render::Settings settings;
            ASSERT_NO_THROW(setting->set(settings, slider_value(numbers)));
            EXPECT_EQ(slider_numbers(sliders, setting->get(settings)), numbers) << "and they come back";
        }
        for (const SliderWord& word : sliders.words) {
            render::Settings settings;
            ASSERT_NO_THROW(setting->set(settings, word.value));
            EXPECT_EQ(setting->get(settings), word.value);
        }
        for (const auto& [value, expected] : test::good_values(*setting)) {
            EXPECT_EQ(slider_numbers(sliders, expected).size(), sliders.parts.size()) << value;
        }
    }
    EXPECT_EQ(sliders_of("grid"), nullptr);
}

TEST(SettingSliders, AWordStandsAtTheUsualNumbers) {
    const SettingSliders& sun = *sliders_of("sun");
    EXPECT_EQ(slider_numbers(sun, "off"), (std::vector<float>{53.0F, 48.0F}));
    EXPECT_EQ(slider_numbers(sun, ""), (std::vector<float>{53.0F, 48.0F}));
    EXPECT_EQ(slider_numbers(sun, "10,-20.5"), (std::vector<float>{10.0F, -20.5F}));
}

}  // namespace
}  // namespace sublet::app
