#include "app/setting_notes.h"

#include <utility>

#include "base/log.h"

namespace sublet::app {

SettingNotes::SettingNotes(const std::vector<const render::Setting*>& written) {
    for (const render::Setting* setting : written) written_.push_back({setting, false, {}});
}

void SettingNotes::add(const render::Settings& chosen, const render::FramePlan& plan,
                       const render::Situation& situation) {
    for (Written& written : written_) {
        auto reason = render::no_effect(written.setting->name, chosen, plan, situation);
        // One run with an effect is enough: no later one brings a reason back.
        if (!written.ran || !reason) written.useless = std::move(reason);
        written.ran = true;
    }
}

std::vector<std::string> SettingNotes::lines() const {
    std::vector<std::string> lines;
    for (const Written& written : written_) {
        if (!written.useless) continue;
        lines.push_back("--" + std::string(written.setting->name) + " has no effect. " + *written.useless);
    }
    return lines;
}

void SettingNotes::write() const {
    for (const std::string& line : lines()) note(line);
}

}  // namespace sublet::app
