#include "render/view/legend.h"

#include <cstddef>

#include "render/settings/shows.h"
#include "shaders/shared/view_colors.h"

namespace sublet::render {
namespace {

constexpr std::array<std::string_view, shared::kDensitySteps> kDensityNames{
    "less than 1/4 pixel", "1/4 to 1", "1 to 4", "4 to 16", "16 to 64", "64 and more"};
constexpr std::array<std::string_view, shared::kLodErrorSteps> kLodErrorNames{
    "exact: the finest level", "up to 1/4 of the error asked for", "1/2", "3/4", "all of it"};
constexpr std::array<std::string_view, shared::kResidencySteps> kResidencyNames{
    "as fine as asked for", "up to 2 times the error", "4 times", "16 times", "more"};
constexpr std::array<std::string_view, shared::kAgeSteps> kAgeNames{"from the beginning", "up to 4 frames ago",
                                                                    "32 frames", "256 frames", "longer ago"};
constexpr std::array<std::string_view, shared::kOverdrawSteps> kOverdrawNames{
    "1 triangle", "2", "3 to 4", "5 to 8", "9 to 16", "17 to 32", "33 to 64", "more than 64"};
constexpr std::array<std::string_view, shared::kBlendLayerSteps> kBlendLayerNames{
    "none", "1 layer", "2", "3", "4", "5", "6", "7", "8", "more than are kept"};
constexpr std::array<std::string_view, shared::kVerdicts> kVerdictNames{"",
                                                                        "instance: frustum",
                                                                        "",
                                                                        "instance: occlusion",
                                                                        "meshlet: frustum",
                                                                        "meshlet: cone",
                                                                        "meshlet: occlusion",
                                                                        "sublet: frustum",
                                                                        "sublet: cone",
                                                                        "sublet: occlusion",
                                                                        "no pixel centre"};

constexpr std::array<std::string_view, 5> kShadowMapNames{"the smallest map", "the second", "the third", "the largest",
                                                          "none: lit"};
constexpr std::array<std::string_view, shared::kShadowTexelSteps> kShadowTexelNames{
    "up to half a pixel", "up to 1 pixel", "up to 2", "up to 4", "more than 4"};

LegendEntry entry(std::string_view name, std::uint32_t color) {
    return {name,
            {static_cast<std::uint8_t>(color), static_cast<std::uint8_t>(color >> 8U),
             static_cast<std::uint8_t>(color >> 16U)}};
}

template <std::size_t Size>
std::vector<LegendEntry> scale(const std::array<std::string_view, Size>& names, const std::uint32_t (&colors)[Size]) {
    std::vector<LegendEntry> out;
    for (std::size_t i = 0; i < Size; ++i) {
        if (!names[i].empty()) out.push_back(entry(names[i], colors[i]));
    }
    return out;
}

std::vector<LegendEntry> entries_of(Show show) {
    using namespace shared;
    switch (show) {
        case Show::kPhase:
            return {entry("phase 1: visible in the last frame", kColorPhase1),
                    entry("phase 2: became visible", kColorPhase2)};
        case Show::kPath:
            return {entry("a lane", kColorPathLane), entry("a workgroup", kColorPathGroup),
                    entry("a workgroup that cut it", kColorPathCut), entry("a graphics pipeline", kColorPathGraphics)};
        case Show::kDensity:
            return scale(kDensityNames, kDensityColors);
        case Show::kLodError:
            return scale(kLodErrorNames, kLodErrorColors);
        case Show::kResidency:
            return scale(kResidencyNames, kResidencyColors);
        case Show::kAge:
            return scale(kAgeNames, kAgeColors);
        case Show::kShadowMaps:
            return scale(kShadowMapNames, kShadowMapColors);
        case Show::kShadowTexels:
            return scale(kShadowTexelNames, kShadowTexelColors);
        case Show::kOverdraw:
            return scale(kOverdrawNames, kOverdrawColors);
        case Show::kBlendLayers:
            return scale(kBlendLayerNames, kBlendLayerColors);
        case Show::kCulled:
            return scale(kVerdictNames, kVerdictColors);
        case Show::kBarycentrics:
            return {entry("first corner", 0x0000ffU), entry("second", 0x00ff00U), entry("third", 0xff0000U)};
        case Show::kMotion:
            return {entry("still", kColorStill), entry("to the right, 64 pixels or more", kColorRight),
                    entry("to the left", kColorLeft), entry("up", kColorUp), entry("down", kColorDown)};
        default:
            return {};
    }
}

}  // namespace

Legend legend_of(Show show) {
    return {view_help(show), entries_of(show)};
}

}  // namespace sublet::render
