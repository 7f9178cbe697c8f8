// The scenes of one glTF file, of which one is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sublet::scene {

struct FileScenes {
    std::vector<std::string> names;  // of each; empty where it has none
    std::size_t usual = 0;           // which is read where none is asked for

    // Which a choice means: one's name, else its number, of 0 on; empty: the usual one. Nothing where it means none.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view choice) const;
    // The choice that means this one: its name where that does.
    [[nodiscard]] std::string choice(std::size_t scene) const;
    // "main", or "scene 2" where it has no name.
    [[nodiscard]] std::string shown_name(std::size_t scene) const;
    // Why a choice means none, and which there are: the end of an error.
    [[nodiscard]] std::string refusal(std::string_view choice) const;
};

}  // namespace sublet::scene
