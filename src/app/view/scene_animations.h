// The animations of the scene that is shown: which of them the settings choose, and where each of them is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/output.h"
#include "app/view/animation_panel.h"
#include "app/view/animation_player.h"
#include "app/view/settings_panel.h"
#include "render/renderer.h"
#include "render/settings/settings.h"
#include "render/view/camera.h"
#include "scene/container.h"

namespace sublet::app {

// What lists offer for the settings that name a scene's variant and its animations.
struct SceneValues {
    std::vector<SceneValue> variants, animations;
};
[[nodiscard]] SceneValues scene_values(const scene::Scene& scene);

class SceneAnimations {
  public:
    // Those of the scene that these settings name play where they move what is drawn or one of its cameras. What was
    // there before goes on. Throws Error for one that the scene does not have.
    void take(const scene::Scene& scene, const render::SceneSettings& settings,
              std::span<const render::SceneCamera> cameras, const render::AnimationState& drawn);
    // So many seconds later. The settings have a time and a speed for all, which a person may change too.
    void advance(render::FrameSettings& settings, double seconds);
    // But for what it chooses, of one of them; nothing: all that play. Whether the picture may be another now.
    bool apply(const AnimationRequest& request, std::optional<std::size_t> of);
    // The value of the setting that chooses this, where it was asked for.
    [[nodiscard]] std::string choice(const AnimationRequest::Choice& asked, const scene::Scene& scene) const;

    [[nodiscard]] const AnimationPlayers& players() const { return players_; }
    [[nodiscard]] scene::AnimationTimes times() const { return players_.times(); }
    [[nodiscard]] bool playing() const { return players_.playing(); }
    // What is drawn moves, or could.
    [[nodiscard]] bool any() const { return players_.any(); }
    // Of all that the scene has, by their numbers.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    // Of each: the setting names it.
    [[nodiscard]] const std::vector<char>& chosen() const { return chosen_; }
    // What the controls are of; nothing: all that play.
    [[nodiscard]] std::optional<std::size_t> selected() const { return selected_; }
    [[nodiscard]] Json json() const;

  private:
    AnimationPlayers players_;
    std::vector<std::string> names_;
    std::vector<char> chosen_;
    std::optional<std::size_t> selected_;
};

}  // namespace sublet::app
