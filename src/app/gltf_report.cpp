#include "app/gltf_report.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

#include "app/scene_report.h"
#include "app/text.h"
#include "base/printable.h"
#include "scene/material_fields.h"

namespace sublet::app {

namespace {

const char* name_of(scene::AlphaMode mode) {
    constexpr std::array kNames{"opaque", "mask", "blend"};
    return kNames.at(static_cast<std::size_t>(mode));
}

const char* name_of(scene::LightType type) {
    constexpr std::array kNames{"directional", "point", "spot"};
    return kNames.at(static_cast<std::size_t>(type));
}

const char* projection_of(const scene::Camera& camera) {
    return camera.orthographic ? "orthographic" : "perspective";
}

std::uint64_t texture_count(const scene::Material& material) {
    std::uint64_t count = 0;
    scene::for_each_texture([&count](const scene::TextureRef& reference,
                                     auto... /*how it is used*/) { count += reference.texture >= 0 ? 1 : 0; },
                            material);
    return count;
}

// "#3" for the fourth of those without a name.
std::string name_or_number(const std::string& name, std::size_t number) {
    return name.empty() ? "#" + std::to_string(number) : name;
}

// "Camera (perspective), #1 (orthographic)" and so on, on a line; nothing for an empty list.
template <typename List, typename Describe>
void print_list(std::ostream& out, const char* title, const List& list, const Describe& describe) {
    if (list.empty()) return;
    constexpr std::size_t kMost = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(list.size(), kMost); ++i) {
        text += (i == 0 ? "" : ", ") + name_or_number(list[i].name, i) + " (" + describe(list[i], i) + ")";
    }
    if (list.size() > kMost) text += ", and " + grouped(list.size() - kMost) + " more";
    out << "  " << title << ": " << printable(text) << '\n';
}

void print_extensions(std::ostream& out, const scene::GltfSummary& summary) {
    if (summary.extensions.empty()) return;
    out << '\n';
    Table table({"extension", "", ""});
    for (const auto& extension : summary.extensions) {
        table.add({extension.name, extension.required ? "required" : "optional",
                   extension.unsupported.empty() ? "supported" : "not supported"});
    }
    table.print(out, 2);
}

void print_materials(std::ostream& out, const scene::Scene& scene) {
    if (scene.materials.empty()) return;
    out << '\n';
    Table table({"material", "alpha", "sides", "textures"});
    for (std::size_t i = 0; i < scene.materials.size(); ++i) {
        const scene::Material& material = scene.materials[i];
        table.add({name_or_number(material.name, i), name_of(material.alpha_mode), material.double_sided ? "2" : "1",
                   grouped(texture_count(material))});
    }
    table.print(out, 2);
}

void print_meshes(std::ostream& out, const scene::GltfSummary& summary) {
    if (summary.meshes.empty()) return;
    out << '\n';
    Table table({"mesh", "primitives", "triangles", "vertices", "morph targets", "nodes"});
    for (std::size_t i = 0; i < summary.meshes.size(); ++i) {
        const auto& mesh = summary.meshes[i];
        table.add({name_or_number(mesh.name, i), grouped(mesh.primitives), grouped(mesh.triangles),
                   grouped(mesh.vertices), grouped(mesh.target_names.size()), grouped(mesh.nodes)});
    }
    table.print(out, 2);
}

}  // namespace

Json gltf_json(const scene::GltfSummary& summary) {
    Json json{{"asset", {{"version", summary.version}, {"generator", summary.generator}}},
              {"totals",
               {{"triangles", summary.triangles()},
                {"vertices", summary.vertices()},
                {"primitives", summary.primitives()},
                {"meshes", summary.meshes.size()}}}};
    add_scene_json(json, summary.scene, summary.instances());
    json["scene"]["skins"] = summary.skins.size();
    const auto add_list = [&json](const char* key, const auto& list, const auto& describe) {
        Json& out = json[key] = Json::array();
        for (std::size_t i = 0; i < list.size(); ++i) {
            Json entry{{"name", list[i].name}};
            entry.update(describe(list[i], i));
            out.push_back(std::move(entry));
        }
    };
    add_list("scenes", summary.scenes, [&](const auto& scene, std::size_t i) {
        return Json{{"roots", scene.roots}, {"drawn", static_cast<int>(i) == summary.drawn_scene}};
    });
    add_list("skins", summary.skins, [](const auto& skin, std::size_t) { return Json{{"joints", skin.joints}}; });
    add_list("cameras", summary.scene.cameras, [](const auto& camera, std::size_t) {
        return Json{{"projection", projection_of(camera)}};
    });
    add_list("lights", summary.scene.lights, [](const auto& light, std::size_t) {
        return Json{{"type", name_of(light.type)}, {"intensity", light.intensity}};
    });
    add_list("materials", summary.scene.materials, [](const auto& material, std::size_t) {
        return Json{{"alpha_mode", name_of(material.alpha_mode)},
                    {"double_sided", material.double_sided},
                    {"unlit", material.unlit},
                    {"textures", texture_count(material)}};
    });
    add_list("extensions", summary.extensions, [](const auto& extension, std::size_t) {
        const bool supported = extension.unsupported.empty();
        return Json{{"required", extension.required},
                    {"supported", supported},
                    {"note", supported ? Json(nullptr) : Json(extension.unsupported)}};
    });
    add_list("meshes", summary.meshes, [](const auto& mesh, std::size_t) {
        return Json{{"primitives", mesh.primitives}, {"undrawn_primitives", mesh.undrawn_primitives},
                    {"triangles", mesh.triangles},   {"vertices", mesh.vertices},
                    {"nodes", mesh.nodes},           {"morph_targets", mesh.target_names}};
    });
    return json;
}

void print_gltf(std::ostream& out, const scene::GltfSummary& summary) {
    const scene::Scene& scene = summary.scene;
    out << "  " << counted(summary.triangles(), "triangle") << ", " << counted(summary.vertices(), "vertex", "vertices")
        << " in " << counted(summary.primitives(), "primitive") << ", "
        << counted(summary.meshes.size(), "mesh", "meshes") << '\n'
        << "  " << counted(scene.nodes.size(), "node") << " placing " << counted(summary.instances(), "instance")
        << ", " << counted(scene.materials.size(), "material") << ", " << counted(scene.textures.size(), "texture")
        << ", " << counted(scene.images.size(), "image") << ", " << counted(summary.skins.size(), "skin") << ", "
        << counted(scene.animations.size(), "animation") << ", " << counted(scene.lights.size(), "light") << ", "
        << counted(scene.cameras.size(), "camera") << '\n';
    print_list(out, "scenes", summary.scenes, [&](const auto& one, std::size_t i) {
        return counted(one.roots, "root") + (static_cast<int>(i) == summary.drawn_scene ? ", drawn" : "");
    });
    print_list(out, "cameras", scene.cameras,
               [](const auto& camera, std::size_t) { return std::string(projection_of(camera)); });
    print_list(out, "lights", scene.lights,
               [](const auto& light, std::size_t) { return std::string(name_of(light.type)); });
    print_list(out, "skins", summary.skins,
               [](const auto& skin, std::size_t) { return counted(skin.joints, "joint"); });
    print_variants(out, scene);
    print_extensions(out, summary);
    print_images(out, scene);
    print_animations(out, scene);
    print_materials(out, scene);
    print_meshes(out, summary);
}

}  // namespace sublet::app
