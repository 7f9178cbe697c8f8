#include "scene/hidden_nodes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace sublet::scene {
namespace {

using Numbers = std::vector<std::size_t>;

// car (wheel, wheel, door (handle)), tree, 7
Scene make_scene() {
    Scene scene;
    const auto add = [&](const char* name, int parent) {
        Node& node = scene.nodes.emplace_back();
        node.name = name;
        node.parent = parent;
    };
    add("car", -1);
    add("wheel", 0);
    add("wheel", 0);
    add("door", 0);
    add("handle", 3);
    add("tree", -1);
    add("7", -1);
    add("", -1);
    return scene;
}

TEST(HiddenNodes, AreNamedOrNumbered) {
    const Scene scene = make_scene();
    EXPECT_EQ(chosen_nodes(scene, "", "hide"), Numbers());
    EXPECT_EQ(chosen_nodes(scene, "wheel", "hide"), (Numbers{1, 2}));
    EXPECT_EQ(chosen_nodes(scene, "5,1-3,2", "hide"), (Numbers{1, 2, 3, 5}));
    EXPECT_EQ(chosen_nodes(scene, "7", "hide"), (Numbers{6})) << "a name goes before a number";
    EXPECT_EQ(chosen_nodes(scene, "07", "hide"), (Numbers{7}));
}

std::string message_of(const Scene& scene, const std::string& choice, const char* setting) {
    try {
        static_cast<void>(chosen_nodes(scene, choice, setting));
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << choice << " is taken";
    return {};
}

TEST(HiddenNodes, OthersAreAnError) {
    const Scene scene = make_scene();
    const std::string endless(5000, '1');
    for (const std::string& choice : {std::string("whel"), std::string("8"), std::string("3-1"), std::string("1,"),
                                      std::string(","), std::string("0-8"), std::string("1--2"), std::string("-1"),
                                      std::string(" 1"), std::string("0-99999999999999999999"), endless}) {
        const std::string message = message_of(scene, choice, "isolate");
        EXPECT_NE(message.find("--isolate"), std::string::npos) << message;
        EXPECT_NE(message.find(choice.substr(0, 20)), std::string::npos) << message;
        EXPECT_LT(message.size(), 250U) << message;
    }
    EXPECT_NE(message_of(scene, "whel", "hide").find("wheel"), std::string::npos);
    EXPECT_FALSE(message_of({}, "0", "hide").empty());
}

TEST(HiddenNodes, AChoiceMeansTheNodesThatItWasMadeOf) {
    const Scene scene = make_scene();
    EXPECT_EQ(node_choice(scene, {}), "");
    EXPECT_EQ(node_choice(scene, {5}), "tree");
    EXPECT_EQ(node_choice(scene, {1, 2}), "wheel");
    EXPECT_EQ(node_choice(scene, {1}), "1") << "the name is another's too";
    EXPECT_EQ(node_choice(scene, {0, 1, 2, 5}), "0-2,5");
    for (unsigned set = 0; set < 256; ++set) {
        Numbers nodes;
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            if ((set >> i & 1U) != 0) nodes.push_back(i);
        }
        EXPECT_EQ(chosen_nodes(scene, node_choice(scene, nodes), "hide"), nodes) << node_choice(scene, nodes);
    }
}

TEST(HiddenNodes, HidesWhatIsBelowAndAllThatIsNotIsolated) {
    const Scene scene = make_scene();
    const auto hidden = [&](const char* hide, const char* isolate) {
        std::string out;
        for (const char node : hidden_nodes(scene, hide, isolate)) out += node != 0 ? 'h' : '-';
        return out;
    };
    EXPECT_EQ(hidden("", ""), "--------");
    EXPECT_EQ(hidden("door", ""), "---hh---");
    EXPECT_EQ(hidden("0,5", ""), "hhhhhh--");
    EXPECT_EQ(hidden("", "door"), "hhh--hhh");
    EXPECT_EQ(hidden("handle", "0"), "----hhhh");
    EXPECT_EQ(hidden("car", "handle"), "hhhhhhhh");
}

}  // namespace
}  // namespace sublet::scene
