// Which nodes of a scene a person does not want to see: what the settings `hide` and `isolate` come to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace sublet::scene {

// Numbers of the nodes that `choice` names, ascending: all nodes of that name, else numbers and ranges of them
// ("0,4-17"). Empty: none. A name goes before numbers. Throws Error, naming `setting`, where there is no such node.
[[nodiscard]] std::vector<std::size_t> chosen_nodes(const Scene& scene, std::string_view choice,
                                                    std::string_view setting);

// What chooses just these, which are ascending: a name where it is theirs alone, else numbers. Linear in the nodes.
[[nodiscard]] std::string node_choice(const Scene& scene, const std::vector<std::size_t>& nodes);

// One for each node: its meshes are not drawn, since `hide` names it or a node above it, or since `isolate` names some
// nodes, but neither it nor one above it. Throws what chosen_nodes() does.
[[nodiscard]] std::vector<char> hidden_nodes(const Scene& scene, std::string_view hide, std::string_view isolate);

}  // namespace sublet::scene
