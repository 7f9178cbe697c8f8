#include "app/view/font.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <string>

namespace sublet::app {
namespace {

// What names of nodes, files and materials are shown by.
TEST(Font, HasTheLettersOfEuropeanScripts) {
    ImFontAtlas atlas;
    add_font(atlas, 14.0F, 1.0F);
    ASSERT_TRUE(atlas.Build());
    ASSERT_EQ(atlas.Fonts.Size, 1);
    const ImFont& font = *atlas.Fonts[0];
    const std::u16string letters =
        u"AZaz09~"
        u"ÀÿŁłŞşŽžƒΑΩαωάώςАЯаяЁёЇїҐґЎўЉљḂẞẠỳ\u2013\u2014\u2018\u201c\u201e\u2026€₽←"
        u"→"
        u"▶"
        u"●";
    for (const char16_t letter : letters) {
        const ImFontGlyph* const glyph = font.FindGlyphNoFallback(letter);
        ASSERT_NE(glyph, nullptr) << "U+" << std::hex << static_cast<unsigned>(letter);
        EXPECT_GT(glyph->AdvanceX, 0.0F);
        EXPECT_TRUE(glyph->Visible) << "U+" << std::hex << static_cast<unsigned>(letter);
    }
    EXPECT_EQ(font.FindGlyphNoFallback(0x4e00), nullptr) << "Chinese is not among them";
}

// Each is a letter of its own, and not one box for all.
TEST(Font, LettersOfAScriptDiffer) {
    ImFontAtlas atlas;
    add_font(atlas, 14.0F, 2.0F);
    ASSERT_TRUE(atlas.Build());
    const ImFont& font = *atlas.Fonts[0];
    const auto width = [&](char16_t letter) { return font.FindGlyphNoFallback(letter)->AdvanceX; };
    EXPECT_GT(width(u'Ω'), width(u'ι'));
    EXPECT_GT(width(u'Щ'), width(u'г'));
}

}  // namespace
}  // namespace sublet::app
