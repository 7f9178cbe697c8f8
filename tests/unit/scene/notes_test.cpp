// Notes are clean and short, whatever a file put into them.
#include "scene/notes.h"

#include <gtest/gtest.h>

#include "base/count_text.h"

namespace sublet::scene {
namespace {

using Texts = std::vector<std::string>;

TEST(Notes, StayAsTheyAreWhereNothingIsWrong) {
    const Texts notes{"one", "", "zwei: \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"};
    EXPECT_EQ(clean_notes(notes), notes);
    EXPECT_EQ(join_notes(notes), "one\n\n" + notes[2] + "\n");
    EXPECT_EQ(note_fault(join_notes(notes)), nullptr);
    EXPECT_EQ(split_notes(join_notes(notes)), notes);
    EXPECT_EQ(split_notes(join_notes({})), Texts{});
}

TEST(Notes, LoseWhatATerminalWouldObey) {
    EXPECT_EQ(clean_notes({"a\nb\x1B[31m\x7F\xC2\x9B"
                           "1m"}),
              Texts{"a b [31m  1m"});
}

TEST(Notes, LoseWhatIsNoUtf8) {
    const Texts bad{"\xFF", "\x80", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8"};
    for (const std::string& text : bad) {
        EXPECT_STREQ(note_fault(text + "\n"), "are not UTF-8");
        EXPECT_EQ(clean_notes({"a" + text + "b"}), Texts{"a" + std::string(text.size(), '?') + "b"});
    }
}

TEST(Notes, OfOneKindAreFew) {
    Notes notes;
    for (int i = 0; i < 1000; ++i) notes.add_few("wheels are flat", "wheel " + std::to_string(i) + " is flat");
    for (int i = 0; i < 8; ++i) notes.add_few("doors are open", "door " + std::to_string(i) + " is open");
    notes.add("door 0 is open");
    const Texts kept = notes.take();
    EXPECT_EQ(kept.size(), 8U + 8U + 1U);
    EXPECT_EQ(kept[7], "wheel 7 is flat");
    EXPECT_EQ(kept.back(), "992 more wheels are flat");
}

TEST(Notes, NameTheFirstFew) {
    NameList names;
    EXPECT_TRUE(names.empty());
    for (std::size_t i = 0; i < 6; ++i) names.add(numbered_name("mesh", i, i == 1 ? "Wheel" : ""));
    EXPECT_EQ(names.text(), "mesh 0, mesh 1 (Wheel), mesh 2, mesh 3, mesh 4, mesh 5");
    for (std::size_t i = 0; i < 1000; ++i) names.add("x");
    EXPECT_EQ(names.text(), "mesh 0, mesh 1 (Wheel), mesh 2, mesh 3, mesh 4, mesh 5 and 1,000 more");
}

TEST(Notes, AreCutWhereTheyGetTooLong) {
    std::string umlauts;
    for (int i = 0; i < 2000; ++i) umlauts += "\xC3\xA4";
    const Texts cut = clean_notes({umlauts, "next"});
    EXPECT_LT(cut[0].size(), 1010U);
    EXPECT_TRUE(cut[0].ends_with("\xC3\xA4..."));
    EXPECT_EQ(cut[1], "next");
}

TEST(Notes, AreCountedWhereThereAreTooMany) {
    Texts many;
    for (int i = 0; i < 100'000; ++i) many.push_back("note " + std::to_string(i));
    const Texts kept = clean_notes(many);
    EXPECT_EQ(kept.back(), "and " + grouped(many.size() - (kept.size() - 1)) + " more notes");
    EXPECT_GT(kept.size(), 1000U);
    EXPECT_LE(join_notes(many).size(), kMostNoteBytes);
    EXPECT_EQ(note_fault(join_notes(many)), nullptr);
    EXPECT_EQ(clean_notes(kept), kept) << "cleaned again, nothing more goes";
}

}  // namespace
}  // namespace sublet::scene
