// Says which settings of a command line changed nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/settings/setting_guide.h"

namespace sublet::app {

class SettingNotes {
  public:
    // Of these alone, the ones that the user wrote.
    explicit SettingNotes(const std::vector<const render::Setting*>& written);

    // A run went by these settings.
    void add(const render::Settings& chosen, const render::FramePlan& plan, const render::Situation& situation);
    // A line for each that had no effect in any run, with why it had none in the first one.
    [[nodiscard]] std::vector<std::string> lines() const;
    // Notes them on stderr.
    void write() const;

  private:
    struct Written {
        const render::Setting* setting = nullptr;
        bool ran = false;
        std::optional<std::string> useless;
    };
    std::vector<Written> written_;
};

}  // namespace sublet::app
