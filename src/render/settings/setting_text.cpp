#include "render/settings/setting_text.h"

#include <algorithm>
#include <cmath>

#include "base/suggest.h"
#include "gpu/capabilities.h"
#include "render/settings/value_text.h"

namespace sublet::render {
namespace {

// More instances than this are a mistyped --grid, not a scene.
constexpr std::uint64_t kMaxGridInstances = std::uint64_t{1} << 24;

// Stops of exposure, more and less.
constexpr float kMostEv = 30.0F;

}  // namespace

std::vector<std::string> parse_without(std::string_view value) {
    std::vector<std::string> names;
    if (value.empty()) return names;
    std::vector<std::string_view> known;
    std::string all;
    for (const gpu::Feature& feature : gpu::features()) {
        known.emplace_back(feature.name);
        all += (all.empty() ? "" : ", ") + std::string(feature.name);
    }
    for (const std::string_view name : split(value, ',')) {
        if (std::ranges::find(known, name) == known.end()) {
            reject("without", name, "a feature that can be left out: " + all + did_you_mean(name, known));
        }
        names.emplace_back(name);
    }
    return names;
}

std::string without_text(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
}

glm::uvec3 parse_grid(std::string_view value) {
    if (value.empty()) return glm::uvec3{0};
    const std::vector<std::string_view> parts = split(value, 'x');
    glm::uvec3 grid{0};
    std::uint64_t instances = 1;
    bool good = parts.size() == 3;
    for (int i = 0; good && i < 3; ++i) {
        const auto count = parse_number<std::uint32_t>(parts[static_cast<std::size_t>(i)]);
        good = count && *count > 0 && *count <= kMaxGridInstances / instances;
        if (good) {
            grid[i] = *count;
            instances *= *count;
        }
    }
    if (!good) {
        reject("grid", value, "three counts like 13x13x13, at most " + number_text(kMaxGridInstances) + " instances");
    }
    return grid;
}

std::string grid_text(const glm::uvec3& grid) {
    if (grid.x == 0) return {};
    return number_text(grid.x) + "x" + number_text(grid.y) + "x" + number_text(grid.z);
}

std::optional<glm::uvec2> parse_pixel(std::string_view value) {
    if (value.empty()) return std::nullopt;
    const std::vector<std::string_view> parts = split(value, ',');
    const auto x = parse_number<std::uint32_t>(parts[0]);
    const auto y = parts.size() == 2 ? parse_number<std::uint32_t>(parts[1]) : std::nullopt;
    if (!x || !y) reject("pick", value, "X,Y: a pixel, counted from the upper left");
    return glm::uvec2(*x, *y);
}

std::string pixel_text(const std::optional<glm::uvec2>& pixel) {
    return pixel ? number_text(pixel->x) + "," + number_text(pixel->y) : std::string();
}

std::optional<Sun> parse_sun(std::string_view value) {
    if (value.empty()) return std::nullopt;
    if (value == "off") return Sun{.on = false};
    const std::vector<std::string_view> parts = split(value, ',');
    const auto elevation = parse_number<float>(parts[0]);
    const auto azimuth = parts.size() == 2 ? parse_number<float>(parts[1]) : std::nullopt;
    if (!elevation || !azimuth || !(std::abs(*elevation) <= 90.0F) || !(std::abs(*azimuth) <= 360.0F)) {
        reject("sun", value, "off, or ELEVATION,AZIMUTH: degrees from -90 to 90 and from -360 to 360");
    }
    return Sun{.elevation = *elevation, .azimuth = *azimuth};
}

std::string sun_text(const std::optional<Sun>& sun) {
    if (!sun) return {};
    return sun->on ? number_text(sun->elevation) + "," + number_text(sun->azimuth) : std::string("off");
}

std::optional<float> parse_ev(std::string_view value) {
    if (value == "auto") return std::nullopt;
    const auto number = parse_number<float>(value);
    if (!number || !(std::abs(*number) <= kMostEv)) {
        reject("ev", value, "auto, or a number from -" + number_text(kMostEv) + " to " + number_text(kMostEv));
    }
    return number;
}

std::optional<float> parse_lod_error(std::string_view value) {
    if (value == "auto") return std::nullopt;
    const auto number = parse_number<float>(value);
    if (!number || !(*number >= 0.0F && *number <= kMostLodError)) {
        reject("lod-error", value, "auto, or a number from 0 to " + number_text(kMostLodError));
    }
    return number;
}

std::string mebibytes_text(std::uint64_t bytes) {
    return bytes == 0 ? std::string() : number_text(static_cast<double>(bytes) / (1U << 20U));
}

std::uint64_t parse_mebibytes(std::string_view name, std::string_view value) {
    if (value.empty()) return 0;
    const auto number = parse_number<double>(value);
    if (!number || *number <= 0.0 || *number > 1048576.0) reject(name, value, "a size in MiB above 0");
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(*number * (1U << 20U)), 1);
}

}  // namespace sublet::render
