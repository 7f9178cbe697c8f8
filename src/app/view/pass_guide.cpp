#include "app/view/pass_guide.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "gpu/profiler.h"

namespace sublet::app {

namespace {

constexpr std::uint32_t kGrey = 0xff606060U;

using Sentence = std::pair<std::string_view, std::string_view>;

constexpr std::array kSentences{
    Sentence{"decode", "Unpacks indices for a backend that has just been chosen: in its first frame alone."},
    Sentence{"stream", "Brings geometry that has arrived into VRAM, and decodes it: in frames to which some has come."},
    Sentence{"wishes", "Finds out which levels of detail the view wants, and which of them are not there yet."},
    Sentence{"hide", "Marks the instances that are hidden: in the frame after you hid or showed some."},
    Sentence{"animate", "Places what moves, where the time is another than in the frame before."},
    Sentence{"deform",
             "Moves vertices of what deforms and may be seen, and measures bounds, for another time or view."},
    Sentence{"cull instances", "Tests each placed mesh as a whole, and deals out the meshlets of those that pass."},
    Sentence{"scan counts", "Adds up how many meshlets each instance has left, for the expansion \"scan\"."},
    Sentence{"cull meshlets", "Tests meshlets, and sublets where the backend lists them, and lists what passes."},
    Sentence{"cull sublets", "Tests the sublets of meshlets that a queue has, and lists what passes for the draw."},
    Sentence{"cull primitives", "Tests single triangles, and writes those that pass for the draw."},
    Sentence{"draw", "Draws what passed: depth and ids of triangles, no materials."},
    Sentence{"graph", "Culls and draws by one dispatch of an execution graph, which the driver plays."},
    Sentence{"draw the rest", "Draws what no list had room for. It is empty unless a budget is far too small."},
    Sentence{"raster", "Rasterises triangles in compute, a lane each; leaves large ones to the next pass."},
    Sentence{"raster large", "Rasterises medium and large triangles in compute, by workgroups."},
    Sentence{"raster ids", "The second half of rasterising where the device has no 64-bit atomics."},
    Sentence{"raster large ids", "The same for medium and large triangles."},
    Sentence{"raster wide ids", "Finds the instance of what each pixel shows, in scenes beyond 2^27 sublets."},
    Sentence{"clear layers", "Clears what blended: in the frame before, or should it have to be drawn without lists."},
    Sentence{"raster rest",
             "Rasterises what of that no list had room for. It is empty unless a budget is far too small."},
    Sentence{"keep", "Keeps the depths of a shadow map that was drawn."},
    Sentence{"hiz", "Builds the depth pyramid, which phase 2 tests everything against."},
    Sentence{"environment", "Makes the light from all around: in the first frame, and when it has changed."},
    Sentence{"cluster lights", "Lists the lights that reach each part of the view, where the scene has some."},
    Sentence{"ambient occlusion", "Finds in the depths how much of the light from all around nearby surfaces take."},
    Sentence{"shade behind", "Shades all but what is transmissive, which then shows this light."},
    Sentence{"shade", "Looks up the triangle of each pixel, and shades it once."},
    Sentence{"shade plain", "Colours pixels plainly, while the pipelines of the real picture are being compiled."},
    Sentence{"verdicts", "Asks every test about every sublet, for the view that is shown."},
    Sentence{"overdraw", "Counts the triangles of each pixel, for the view that is shown."},
    Sentence{"motion", "Finds how far what each pixel shows has moved, to be shown or for \"temporal\"."},
    Sentence{"temporal", "Blends the picture with those before it, so that edges are smooth in motion."},
    Sentence{"culled", "Draws what was rejected, for the view that is shown."},
    Sentence{"overlay", "Draws bounds, joints and the frozen frustum."},
    Sentence{"floor grid", "Draws the grid on the floor, over the window alone."},
    Sentence{"average", "Makes the picture the average of several frames."},
    Sentence{"difference", "Compares the picture with that of direct draws."},
    Sentence{"user interface", "Draws these panels."},
};

// Without its phase; `second`: it was not the first.
std::string_view without_phase(std::string_view pass, bool& second) {
    for (const std::string_view phase : {" 1", " 2", " blended"}) {
        if (!pass.ends_with(phase)) continue;
        second = phase != " 1";
        return pass.substr(0, pass.size() - phase.size());
    }
    return pass;
}

const Sentence* find(std::string_view pass) {
    const auto* const found = std::find_if(kSentences.begin(), kSentences.end(),
                                           [&](const Sentence& sentence) { return sentence.first == pass; });
    return found == kSentences.end() ? nullptr : found;
}

}  // namespace

std::vector<std::string_view> pass_names() {
    std::vector<std::string_view> names;
    for (const Sentence& sentence : kSentences) names.push_back(sentence.first);
    return names;
}

std::string_view pass_sentence(std::string_view pass) {
    if (pass.starts_with(kOtherPasses)) return "Draws the right side of the window, by the settings of B.";
    if (pass.starts_with("shadows: ")) return "Draws the shadow maps that changed, all of them at once.";
    if (pass.starts_with("reference: ")) return "Draws the picture to compare with.";
    if (pass == gpu::kBetweenPasses) {
        return "The frame's time without that of its passes: resets, barriers, copies, and what else the device does. "
               "On a software driver (lavapipe), which compiles and draws when it pleases: that too.";
    }
    bool second = false;
    const Sentence* sentence = find(without_phase(pass, second));
    return sentence == nullptr ? std::string_view() : sentence->second;
}

std::uint32_t pass_color(std::string_view pass) {
    if (pass == gpu::kBetweenPasses) return kGrey;
    bool second = false;
    const Sentence* sentence = find(without_phase(pass, second));
    const auto place = sentence == nullptr ? kSentences.size() : static_cast<std::size_t>(sentence - kSentences.data());
    // Hues a golden section apart are far from each other, however many there are.
    constexpr float kGolden = 0.618034F;
    const float hue = std::fmod(static_cast<float>(place) * kGolden + 0.55F, 1.0F) * 6.0F;
    const auto channel = [&](float offset) {
        const float distance = std::abs(std::fmod(hue + offset, 6.0F) - 3.0F) - 1.0F;
        const float value = (second ? 0.45F : 0.25F) + (second ? 0.5F : 0.6F) * std::clamp(distance, 0.0F, 1.0F);
        return static_cast<std::uint32_t>(value * 255.0F);
    };
    return 0xff000000U | channel(2.0F) << 16U | channel(4.0F) << 8U | channel(0.0F);
}

}  // namespace sublet::app
