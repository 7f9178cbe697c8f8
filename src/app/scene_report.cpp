#include "app/scene_report.h"

#include <ostream>
#include <string>

#include "app/text.h"
#include "base/printable.h"
#include "scene/animation.h"
#include "scene/container.h"

namespace sublet::app {

void add_scene_json(Json& json, const scene::Scene& scene, std::uint64_t instances) {
    json["scene"] = {
        {"nodes", scene.nodes.size()},           {"instances", instances},        {"materials", scene.materials.size()},
        {"textures", scene.textures.size()},     {"images", scene.images.size()}, {"skins", scene.skins.size()},
        {"animations", scene.animations.size()}, {"lights", scene.lights.size()}, {"cameras", scene.cameras.size()}};
    json["images"] = Json::array();
    for (const scene::ImageStats& stats : scene::image_stats(scene)) {
        json["images"].push_back({{"format", stats.format},
                                  {"count", stats.count},
                                  {"bytes", stats.bytes},
                                  {"texture_bytes", stats.texture_bytes}});
    }
    json["animations"] = Json::array();
    for (std::size_t i = 0; i < scene.animations.size(); ++i) {
        const scene::Animation& animation = scene.animations[i];
        json["animations"].push_back({{"name", scene::animation_name(scene, i)},
                                      {"length", scene::animation_length(animation)},
                                      {"channels", animation.channels.size()}});
    }
    json["variants"] = Json::array();
    for (const scene::Variant& variant : scene.variants) json["variants"].push_back(variant.name);
}

// Those of the file, by their format, and what they take of the GPU's memory.
void print_images(std::ostream& out, const scene::Scene& scene) {
    if (scene.images.empty()) return;
    Table table({"images", "", "bytes", "as textures"});
    for (const scene::ImageStats& stats : scene::image_stats(scene)) {
        table.add({stats.format, grouped(stats.count), grouped(stats.bytes), grouped(stats.texture_bytes)});
    }
    out << '\n';
    table.print(out, 2);
}

void print_animations(std::ostream& out, const scene::Scene& scene) {
    if (scene.animations.empty()) return;
    out << '\n';
    Table table({"animation", "seconds", "channels"});
    for (std::size_t i = 0; i < scene.animations.size(); ++i) {
        const scene::Animation& animation = scene.animations[i];
        table.add({scene::animation_name(scene, i), fixed(scene::animation_length(animation), 3),
                   grouped(animation.channels.size())});
    }
    table.print(out, 2);
}

void print_variants(std::ostream& out, const scene::Scene& scene) {
    if (scene.variants.empty()) return;
    std::string names;
    for (const scene::Variant& variant : scene.variants) names += (names.empty() ? "" : ", ") + variant.name;
    out << "  material variants: " << printable(names) << '\n';
}

}  // namespace sublet::app
