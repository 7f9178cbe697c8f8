// Views that a user kept of a scene, one for each digit.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "render/settings/settings.h"

namespace sublet::app {

struct Bookmark {
    std::string name;
    render::CameraPose pose;
    render::Projection projection = render::Projection::kPerspective;

    bool operator==(const Bookmark&) const = default;
};

class Bookmarks {
  public:
    static constexpr int kFirstSlot = 1, kLastSlot = 9;

    // Instead of what the slot had; nothing empties it.
    void set(int slot, std::optional<Bookmark> bookmark);
    // Nothing where the slot is empty, or is none.
    [[nodiscard]] const std::optional<Bookmark>& at(int slot) const;
    // Of all slots that have one, in their order: what path_through() makes a path of.
    [[nodiscard]] std::vector<render::CameraPose> poses() const;

    // JSON: {"bookmarks": [{"slot", "name", "projection", "eye", "target", "fov", "roll"}]}, and back. Throws Error
    // naming `name` and the field.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] static Bookmarks parse(const std::string& text, const std::string& name);

    bool operator==(const Bookmarks&) const = default;

  private:
    std::array<std::optional<Bookmark>, kLastSlot - kFirstSlot + 1> slots_;
};

}  // namespace sublet::app
