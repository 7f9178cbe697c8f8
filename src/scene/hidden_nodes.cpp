#include "scene/hidden_nodes.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/suggest.h"

namespace sublet::scene {
namespace {

// "7", or "4-17"; nothing where it is neither, or beyond the last node.
struct NodeRange {
    std::size_t first = 0, last = 0;
};

std::optional<NodeRange> as_range(std::string_view text, std::size_t count) {
    NodeRange out;
    const char* const end = text.data() + text.size();
    auto [after, error] = std::from_chars(text.data(), end, out.first);
    if (error != std::errc{}) return std::nullopt;
    out.last = out.first;
    if (after != end && *after == '-') {
        const auto last = std::from_chars(after + 1, end, out.last);
        if (last.ec != std::errc{}) return std::nullopt;
        after = last.ptr;
    }
    if (after != end || out.first > out.last || out.last >= count) return std::nullopt;
    return out;
}

std::optional<std::vector<std::size_t>> as_node_numbers(std::string_view text, std::size_t count) {
    std::vector<char> named(count, 0);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<NodeRange> range = as_range(text.substr(begin, end - begin), count);
        if (!range) return std::nullopt;
        std::fill(named.begin() + static_cast<std::ptrdiff_t>(range->first),
                  named.begin() + static_cast<std::ptrdiff_t>(range->last) + 1, 1);
        begin = end + 1;
    }
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < count; ++i) {
        if (named[i] != 0) out.push_back(i);
    }
    return out;
}

std::vector<std::size_t> nodes_of_name(const Scene& scene, std::string_view name) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].name == name) out.push_back(i);
    }
    return out;
}

// One for each node: it is one of these, or below one.
std::vector<char> with_those_below(const Scene& scene, const std::vector<std::size_t>& nodes) {
    std::vector<char> out(scene.nodes.size(), 0);
    for (const std::size_t node : nodes) out[node] = 1;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int parent = scene.nodes[i].parent;
        if (parent >= 0 && out[static_cast<std::size_t>(parent)] != 0) out[i] = 1;
    }
    return out;
}

}  // namespace

std::vector<std::size_t> chosen_nodes(const Scene& scene, std::string_view choice, std::string_view setting) {
    if (choice.empty()) return {};
    if (std::vector<std::size_t> named = nodes_of_name(scene, choice); !named.empty()) return named;
    if (auto numbers = as_node_numbers(choice, scene.nodes.size())) return std::move(*numbers);
    constexpr std::size_t kMostOfText = 80;  // of a text that may be a list of thousands
    const bool cut = choice.size() > kMostOfText;
    std::vector<std::string_view> names;
    for (const Node& node : scene.nodes) names.emplace_back(node.name);
    throw Error("--" + std::string(setting) + ": the scene has no node '" + std::string(choice.substr(0, kMostOfText)) +
                (cut ? "..." : "") + "', which is to be a name, or numbers from 0 to " +
                std::to_string(std::max<std::size_t>(names.size(), 1) - 1) + (cut ? "" : did_you_mean(choice, names)));
}

std::string node_choice(const Scene& scene, const std::vector<std::size_t>& nodes) {
    if (nodes.empty()) return {};
    if (const std::string& name = scene.nodes[nodes.front()].name;
        !name.empty() && nodes_of_name(scene, name) == nodes) {
        return name;
    }
    std::string numbers;
    for (std::size_t i = 0; i < nodes.size();) {
        std::size_t last = i;
        while (last + 1 < nodes.size() && nodes[last + 1] == nodes[last] + 1) ++last;
        numbers += (numbers.empty() ? "" : ",") + std::to_string(nodes[i]);
        if (last != i) numbers += "-" + std::to_string(nodes[last]);
        i = last + 1;
    }
    while (!nodes_of_name(scene, numbers).empty()) numbers.insert(0, "0");  // a node has that name
    return numbers;
}

std::vector<char> hidden_nodes(const Scene& scene, std::string_view hide, std::string_view isolate) {
    std::vector<char> out = with_those_below(scene, chosen_nodes(scene, hide, "hide"));
    if (isolate.empty()) return out;
    const std::vector<char> kept = with_those_below(scene, chosen_nodes(scene, isolate, "isolate"));
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (kept[i] == 0) out[i] = 1;
    }
    return out;
}

}  // namespace sublet::scene
