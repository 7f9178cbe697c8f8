// Words for people: counts, and suggestions for mistyped names.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "base/count_text.h"
#include "base/printable.h"
#include "base/suggest.h"

namespace sublet {
namespace {

TEST(CountText, AgreesInNumber) {
    EXPECT_EQ(counted(0, "triangle"), "0 triangles");
    EXPECT_EQ(counted(1, "triangle"), "1 triangle");
    EXPECT_EQ(counted(2, "triangle"), "2 triangles");
    EXPECT_EQ(counted(1, "mesh", "meshes"), "1 mesh");
    EXPECT_EQ(counted(1234567, "mesh", "meshes"), "1,234,567 meshes");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
}

TEST(Printable, EscapesControlCharacters) {
    EXPECT_EQ(printable("Plane.009, \xC3\xA4 \xE2\x96\x88"), "Plane.009, \xC3\xA4 \xE2\x96\x88");
    EXPECT_EQ(printable("a\tb\nc\rd"), "a\\tb\\nc\\rd");
    EXPECT_EQ(printable(std::string_view("\x1B[2J\x7F\0", 6)), "\\x1B[2J\\x7F\\x00");
    EXPECT_EQ(printable("\xC2\x9B"
                        "2J \xC2\xA0"),
              "\\x9B"
              "2J \xC2\xA0");
    EXPECT_EQ(printable("\xC2"), "\xC2");
}

TEST(Suggest, CountsSlipsOfTheHand) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("compact", "compact"), 0U);
    EXPECT_EQ(edit_distance("Compact", "compact"), 0U);
    EXPECT_EQ(edit_distance("compct", "compact"), 1U);
    EXPECT_EQ(edit_distance("comppact", "compact"), 1U);
    EXPECT_EQ(edit_distance("conpact", "compact"), 1U);
    EXPECT_EQ(edit_distance("copmact", "compact"), 1U) << "two letters swapped";
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

constexpr std::array<std::string_view, 6> kNames{"mdi", "mesh-sublets", "direct", "compact", "task-flat", "task-mesh"};

TEST(Suggest, NamesWhatIsNear) {
    EXPECT_EQ(did_you_mean("compct", kNames), "; did you mean 'compact'?");
    EXPECT_EQ(did_you_mean("MDI", kNames), "; did you mean 'mdi'?");
    EXPECT_EQ(did_you_mean("mesh-sublet", kNames), "; did you mean 'mesh-sublets'?");
    EXPECT_EQ(did_you_mean("task", kNames), "; did you mean 'task-flat' or 'task-mesh'?");
}

TEST(Suggest, IsSilentWhereNothingIsNear) {
    EXPECT_EQ(did_you_mean("", kNames), "");
    EXPECT_EQ(did_you_mean("x", kNames), "");
    EXPECT_EQ(did_you_mean("raytrace", kNames), "");
    EXPECT_EQ(did_you_mean(std::string(100000, 'm'), kNames), "");
}

}  // namespace
}  // namespace sublet
