#include "app/view/compared_times.h"

#include <algorithm>
#include <cmath>

namespace sublet::app {

bool is_compared(const render::Setting& setting) {
    return setting.scope == render::SettingScope::kFrame && setting.name != "time" && setting.name != "speed";
}

render::FrameSettings at_time_of(render::FrameSettings settings, const render::FrameSettings& now) {
    settings.time = now.time;
    settings.speed = now.speed;
    return settings;
}

std::vector<ComparedTime> compare_times(const FrameSummary& a, const FrameSummary& b) {
    if (!a.gpu_ms || !b.gpu_ms) return {};
    std::vector<ComparedTime> all{{"whole frame", a.gpu_ms, b.gpu_ms}};
    for (const FrameSummary::Pass& pass : a.passes) all.push_back({pass.name, pass.ms, std::nullopt});
    // A pass that A lacks goes behind the one that it follows in B.
    std::size_t after = 0;
    for (const FrameSummary::Pass& pass : b.passes) {
        const auto known =
            std::find_if(all.begin(), all.end(), [&](const ComparedTime& time) { return time.name == pass.name; });
        if (known != all.end()) {
            known->b = pass.ms;
            after = static_cast<std::size_t>(known - all.begin());
        } else {
            ++after;
            all.insert(all.begin() + static_cast<std::ptrdiff_t>(after), {pass.name, std::nullopt, pass.ms});
        }
    }
    constexpr double kApart = 0.05;
    const auto same = [](const ComparedTime& time) {
        return time.a && time.b && std::abs(*time.a - *time.b) <= kApart * std::max(*time.a, *time.b);
    };
    all.erase(std::remove_if(all.begin() + 1, all.end(), same), all.end());
    return all;
}

Json compared_json(const std::vector<ComparedTime>& times) {
    const auto ms = [](const std::optional<double>& time) { return time ? Json(*time) : Json(nullptr); };
    Json list = Json::array();
    for (const ComparedTime& time : times) {
        list.push_back({{"name", time.name}, {"a_ms", ms(time.a)}, {"b_ms", ms(time.b)}});
    }
    return list;
}

}  // namespace sublet::app
