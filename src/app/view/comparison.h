// The settings B beside those of now: shown in their place while a key is held, or on the right side of the window.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/frame_history.h"
#include "app/view/compared_times.h"
#include "app/view/split_times.h"
#include "render/settings/frame_plan.h"
#include "render/settings/settings.h"

namespace sublet::app {

struct WindowGpu;

class Comparison {
  public:
    // B; null where none was kept.
    [[nodiscard]] const render::Settings* settings() const { return settings_ ? &*settings_ : nullptr; }
    void keep(const render::Settings& settings);
    // B's settings of frames, in exchange for these.
    void exchange(render::FrameSettings& frame) { std::swap(settings_->frame, frame); }

    // The plan that is shown in place of the settings'; null while it is not.
    [[nodiscard]] const render::FramePlan* shown() const { return shown_ ? &*shown_ : nullptr; }
    // From now on it is, or no longer. `times`: what frames took until now; `now`: the settings. Returns why B can't be
    // shown, and drops it then; else nothing.
    [[nodiscard]] std::string show(const FrameSummary& times, WindowGpu& gpu, const render::FrameSettings& now);
    void hide(const FrameSummary& times);
    // Both sides' times, once both were shown.
    [[nodiscard]] const std::vector<ComparedTime>& times() const { return times_; }

    // The window is to be split.
    [[nodiscard]] bool splits() const { return splits_; }
    // Or no longer. Where no settings were kept, those of now are B: both sides are the same until some are changed.
    void toggle_split(const render::Settings& now);
    // Once the settings, B, the scene or the window have changed. Returns what show() does.
    [[nodiscard]] std::string plan_split(WindowGpu& gpu, const render::FrameSettings& now);
    // The plan of the right side; null where the window is not split, or shows B alone.
    [[nodiscard]] const render::FramePlan* right() const { return right_ && !shown_ ? &*right_ : nullptr; }
    // Both sides have no times yet: they come some frames late.
    [[nodiscard]] bool times_due(bool timestamps) const {
        return right() != nullptr && timestamps && !split_times_.a_ms();
    }
    [[nodiscard]] SplitTimes& split_times() { return split_times_; }
    [[nodiscard]] const SplitTimes& split_times() const { return split_times_; }

    // Of another plan or window times say nothing of this one; of another scene plans neither.
    void forget_times();
    void forget_plans();

  private:
    [[nodiscard]] std::string plan(std::optional<render::FramePlan>& plan, WindowGpu& gpu,
                                   const render::FrameSettings& now);

    std::optional<render::Settings> settings_;
    std::optional<render::FramePlan> shown_, right_;
    bool splits_ = false;
    FrameSummary times_before_;  // of the settings, when B was shown
    std::vector<ComparedTime> times_;
    SplitTimes split_times_;
};

}  // namespace sublet::app
