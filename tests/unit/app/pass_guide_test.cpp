#include "app/view/pass_guide.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

namespace sublet::app {
namespace {

constexpr std::array kPasses{"cull instances 1", "cull meshlets 1", "cull primitives 1", "draw 1", "hiz",
                             "cull instances 2", "cull meshlets 2", "cull primitives 2", "draw 2", "raster 1",
                             "raster large 1",   "raster 2",        "raster large 2",    "shade",  "user interface",
                             "overlay",          "verdicts",        "overdraw",          "culled", "difference"};

TEST(PassGuide, TellsOfPassesWhateverTheirPhase) {
    for (const std::string pass : kPasses) EXPECT_FALSE(pass_sentence(pass).empty()) << pass;
    EXPECT_EQ(pass_sentence("draw"), pass_sentence("draw 2"));
    EXPECT_EQ(pass_sentence("reference: draw"), pass_sentence("reference: shade"));
    EXPECT_TRUE(pass_sentence("no such pass").empty());
}

TEST(PassGuide, ColoursTellPassesApart) {
    for (const std::string a : kPasses) {
        for (const std::string b : kPasses) {
            if (a == b) continue;
            const std::uint32_t x = pass_color(a);
            const std::uint32_t y = pass_color(b);
            int apart = 0;
            for (unsigned shift = 0; shift < 24; shift += 8) {
                apart += std::abs(static_cast<int>(x >> shift & 0xffU) - static_cast<int>(y >> shift & 0xffU));
            }
            EXPECT_GT(apart, 12) << a << " and " << b;
        }
    }
}

}  // namespace
}  // namespace sublet::app
