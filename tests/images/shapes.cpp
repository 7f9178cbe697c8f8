#include "shapes.h"

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <numbers>

namespace sublet::test {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

// A grid of (columns + 1) x (rows + 1) vertices from a function of (u, v) in [0, 1]^2 giving position and normal.
template <class Surface>
scene::SourceMesh make_grid(int columns, int rows, const Surface& surface) {
    scene::SourceMesh out;
    for (int j = 0; j <= rows; ++j) {
        for (int i = 0; i <= columns; ++i) {
            const float u = static_cast<float>(i) / static_cast<float>(columns);
            const float v = static_cast<float>(j) / static_cast<float>(rows);
            const auto [position, normal] = surface(u, v);
            out.positions.push_back({position.x, position.y, position.z});
            out.normals.push_back({normal.x, normal.y, normal.z});
            out.uv0.push_back({u * 4.0F, v * 4.0F});
            out.uv1.push_back({v, u});
            out.colors.push_back({0.5F + 0.5F * u, 0.5F + 0.5F * v, 1.0F - 0.5F * u, 1.0F});
        }
    }
    const auto width = static_cast<std::uint32_t>(columns + 1);
    for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(rows); ++j) {
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(columns); ++i) {
            const std::uint32_t a = j * width + i;
            for (const std::uint32_t index : {a, a + 1, a + width, a + 1, a + width + 1, a + width}) {
                out.indices.push_back(index);
            }
        }
    }
    return out;
}

struct Point {
    glm::vec3 position, normal;
};

scene::SourceMesh make_open_sphere(float radius) {
    return make_grid(48, 24, [&](float u, float v) {
        const float phi = u * 1.5F * kPi;  // three quarters: the inside shows
        const float theta = (1.0F - v) * kPi;
        const glm::vec3 n(std::sin(theta) * std::cos(phi), std::cos(theta), -std::sin(theta) * std::sin(phi));
        return Point{radius * n, n};
    });
}

int add_texture(scene::Scene& scene, std::uint32_t size, glm::u8vec4 a, glm::u8vec4 b) {
    scene::Image image;
    image.name = "checker";
    image.mime_type = "image/x-rgba8";
    image.width = image.height = size;
    for (std::uint32_t y = 0; y < size; ++y) {
        for (std::uint32_t x = 0; x < size; ++x) {
            const glm::u8vec4 c = ((x / 4) + (y / 4)) % 2 == 0 ? a : b;
            image.bytes.insert(image.bytes.end(), {c.x, c.y, c.z, c.w});
        }
    }
    scene.images.push_back(std::move(image));
    scene.textures.push_back({static_cast<int>(scene.images.size()) - 1, -1});
    return static_cast<int>(scene.textures.size()) - 1;
}

std::uint32_t add_material(scene::Scene& scene, const glm::vec4& color, int texture, int uv_set, bool double_sided) {
    scene::Material material;
    material.base_color = color;
    material.base_color_texture.texture = texture;
    material.base_color_texture.uv_set = uv_set;
    material.base_color_texture.rotation = 0.3F * static_cast<float>(uv_set);
    material.double_sided = double_sided;
    scene.materials.push_back(material);
    return static_cast<std::uint32_t>(scene.materials.size()) - 1;
}

std::uint32_t add_masked(scene::Scene& scene, int texture, int uv_set, bool double_sided, float cutoff) {
    const std::uint32_t material = add_material(scene, {0.8F, 0.8F, 0.9F, 0.9F}, texture, uv_set, double_sided);
    scene.materials[material].alpha_mode = scene::AlphaMode::kMask;
    scene.materials[material].alpha_cutoff = cutoff;
    return material;
}

// Thin: what lies behind a pixel is seen at that very pixel, so that ambiguous pixels there stay where they are.
std::uint32_t add_glass(scene::Scene& scene, int texture) {
    const std::uint32_t material = add_material(scene, {0.8F, 0.9F, 1.0F, 1.0F}, texture, 0, true);
    scene.materials[material].metallic = 0.0F;
    scene.materials[material].roughness = 0.0F;
    scene.materials[material].transmission.factor = 0.8F;
    return material;
}

void add_film(scene::Material& material, int texture) {
    material.iridescence.factor = 0.9F;
    material.iridescence.texture.texture = material.iridescence.thickness_texture.texture = texture;
}

void add_anisotropy(scene::Material& material, int texture, int uv_set) {
    material.anisotropy.strength = 0.8F;
    material.anisotropy.rotation = 0.4F;
    material.anisotropy.texture.texture = texture;
    material.anisotropy.texture.uv_set = uv_set;
    material.roughness = 0.4F;
}

// Its vertex colours grow thin from pole to pole.
scene::SourceMesh make_thin_sphere(float radius) {
    scene::SourceMesh out = make_open_sphere(radius);
    for (std::size_t i = 0; i < out.colors.size(); ++i) out.colors[i][3] = 0.3F + 0.7F * out.uv1[i][0];
    return out;
}

}  // namespace

scene::SourceMesh make_quad(const glm::vec3& corner, const glm::vec3& u, const glm::vec3& v) {
    const glm::vec3 n = glm::normalize(glm::cross(u, v));
    return make_grid(1, 1, [&](float s, float t) { return Point{corner + s * u + t * v, n}; });
}

int add_mesh(scene::ImportedScene& out, scene::SourceMesh mesh, std::uint32_t material) {
    mesh.material = material;
    scene::SourceMeshGroup group;
    group.name = "mesh " + std::to_string(out.groups.size());
    group.meshes.push_back(std::move(mesh));
    out.groups.push_back(std::move(group));
    return static_cast<int>(out.groups.size()) - 1;
}

void place(scene::ImportedScene& out, int mesh, const glm::mat4& transform) {
    scene::Node node;
    node.has_matrix = true;
    node.matrix = transform;
    node.mesh_group = mesh;
    out.scene.nodes.push_back(node);
}

scene::SourceMesh make_torus(float major, float minor, int rings, int sides) {
    return make_grid(rings, sides, [&](float u, float v) {
        const float phi = u * 2.0F * kPi;
        const float theta = -v * 2.0F * kPi;
        const glm::vec3 n(std::cos(theta) * std::cos(phi), std::sin(theta), std::cos(theta) * std::sin(phi));
        return Point{glm::vec3(major * std::cos(phi), 0.0F, major * std::sin(phi)) + minor * n, n};
    });
}

scene::ImportedScene make_shapes() {
    scene::ImportedScene out;
    const int texture = add_texture(out.scene, 64, {240, 200, 120, 255}, {60, 90, 160, 255});
    const int holes = add_texture(out.scene, 64, {200, 220, 90, 255}, {90, 200, 220, 40});
    const std::uint32_t plain = add_material(out.scene, {0.9F, 0.8F, 0.7F, 1.0F}, texture, 0, false);
    const std::uint32_t second = add_material(out.scene, {0.7F, 0.9F, 0.7F, 1.0F}, texture, 1, false);
    const std::uint32_t sided = add_material(out.scene, {0.9F, 0.5F, 0.5F, 1.0F}, -1, 0, true);
    add_film(out.scene.materials[plain], texture);
    add_anisotropy(out.scene.materials[second], texture, 1);
    add_anisotropy(out.scene.materials[sided], -1, 0);
    const int torus = add_mesh(out, make_torus(0.9F, 0.35F, 96, 40), plain);
    const int sphere = add_mesh(out, make_open_sphere(0.8F), second);
    const int both = add_mesh(out, make_open_sphere(0.8F), sided);
    const int lattice = add_mesh(out, make_torus(0.9F, 0.35F, 96, 40), add_masked(out.scene, holes, 0, false, 0.5F));
    const int thin = add_mesh(out, make_thin_sphere(0.8F), add_masked(out.scene, holes, 1, true, 0.35F));
    const int glass = add_mesh(out, make_open_sphere(0.8F), add_glass(out.scene, texture));
    const int meshes[] = {torus, sphere, both, lattice, thin, glass};

    const glm::mat4 one(1.0F);
    int index = 0;
    for (int z = -1; z <= 1; ++z) {
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x, ++index) {
                glm::mat4 m = glm::translate(one, 2.3F * glm::vec3(x, y, z));
                m = glm::rotate(m, 0.7F * static_cast<float>(index), glm::normalize(glm::vec3(1.0F, 2.0F, 0.5F)));
                switch (index % 5) {
                    case 1:
                        m = glm::scale(m, glm::vec3(-1.0F, 1.0F, 1.0F));
                        break;
                    case 2:
                        m = glm::scale(m, glm::vec3(0.4F, 1.3F, 0.8F));
                        break;
                    case 3: {  // shear
                        glm::mat4 shear(1.0F);
                        shear[1][0] = 0.8F;
                        shear[2][1] = -0.4F;
                        m = m * shear;
                        break;
                    }
                    case 4:
                        m = glm::scale(m, glm::vec3(0.9F, -0.5F, 1.1F));
                        break;
                    default:
                        break;
                }
                place(out, meshes[index % 6], m);  // each with every transform
            }
        }
    }
    return out;
}

scene::ImportedScene make_coplanar() {
    scene::ImportedScene out;
    const std::uint32_t red = add_material(out.scene, {1.0F, 0.1F, 0.1F, 1.0F}, -1, 0, false);
    const std::uint32_t green = add_material(out.scene, {0.1F, 1.0F, 0.1F, 1.0F}, -1, 0, false);
    const glm::vec3 corner(-1.0F, -1.0F, 0.0F);
    const int a = add_mesh(out, make_quad(corner, {2.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F}), red);
    const int b = add_mesh(out, make_quad(corner, {2.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F}), green);
    place(out, a, glm::mat4(1.0F));
    place(out, b, glm::mat4(1.0F));
    return out;
}

namespace {

// Four joints to a vertex, or eight: each vertex by those whose places along x are near.
void add_weights(scene::SourceMesh& mesh, std::size_t joints, bool eight) {
    float low = 1e9F, high = -1e9F;
    for (const auto& p : mesh.positions) {
        low = std::min(low, p[0]);
        high = std::max(high, p[0]);
    }
    for (const auto& p : mesh.positions) {
        const float at = (p[0] - low) / (high - low) * static_cast<float>(joints - 1);
        std::array<std::uint16_t, 8> numbers{};
        std::array<float, 8> weights{};
        float sum = 0.0F;
        for (std::size_t i = 0; i < (eight ? 8U : 4U); ++i) {
            numbers[i] = static_cast<std::uint16_t>(i * joints / (eight ? 8U : 4U));
            weights[i] = std::exp(-std::abs(at - static_cast<float>(numbers[i])));
            sum += weights[i];
        }
        for (float& weight : weights) weight /= sum;
        mesh.joints.push_back({numbers[0], numbers[1], numbers[2], numbers[3]});
        mesh.weights.push_back({weights[0], weights[1], weights[2], weights[3]});
        if (!eight) continue;
        mesh.joints1.push_back({numbers[4], numbers[5], numbers[6], numbers[7]});
        mesh.weights1.push_back({weights[4], weights[5], weights[6], weights[7]});
    }
}

// Each target pulls what lies on one side along: all around there are sublets that none or few of them move.
void add_targets(scene::SourceMesh& mesh, std::size_t count) {
    for (std::size_t t = 0; t < count; ++t) {
        const float angle = 2.4F * static_cast<float>(t);
        const glm::vec3 way(std::cos(angle), std::sin(1.7F * angle), std::sin(angle));
        mesh::MorphArrays target;
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const auto& p = mesh.positions[v];
            const float along = std::max(glm::dot(way, glm::vec3(p[0], p[1], p[2])) - 0.5F, 0.0F);
            const glm::vec3 delta = 0.8F * along * way;
            target.positions.push_back({delta.x, delta.y, delta.z});
            target.normals.push_back({0.5F * delta.x, 0.5F * delta.y, 0.5F * delta.z});
        }
        if (mesh.normals.empty() || t % 4 == 3) target.normals.clear();
        mesh.morphs.push_back(std::move(target));
    }
}

// Weights of `count` targets at three keys: three of them rise and fall, one below 0, all others stay 0.
scene::AnimationChannel weights_channel(int node, std::size_t count, scene::Interpolation interpolation, float end) {
    const bool cubic = interpolation == scene::Interpolation::kCubicSpline;
    scene::AnimationChannel out{node, scene::AnimationPath::kWeights, interpolation, {0, end, 2 * end}, {}};
    for (std::size_t key = 0; key < 3; ++key) {
        for (std::size_t part = 0; part < (cubic ? 3U : 1U); ++part) {
            for (std::size_t t = 0; t < count; ++t) {
                const float most = t == 0 ? 1.0F : t == count - 1 ? -0.6F : t == count / 2 ? 1.4F : 0.0F;
                out.values.push_back(cubic && part != 1 ? 0.2F * most : key == 1 ? most : 0.0F);
            }
        }
    }
    return out;
}

}  // namespace

scene::ImportedScene make_deforming_shapes() {
    constexpr std::size_t kJoints = 9;
    scene::ImportedScene out = make_shapes();
    for (std::size_t g = 0; g < out.groups.size(); ++g) {
        const std::size_t targets = g % 3 == 0 ? 0 : g % 3 == 1 ? 3 : 70;
        out.groups[g].weights.assign(targets, 0.0F);
        if (targets != 0) out.groups[g].weights[1] = 0.5F;
        for (scene::SourceMesh& mesh : out.groups[g].meshes) {
            add_weights(mesh, kJoints, g % 2 == 1);
            add_targets(mesh, targets);
        }
    }
    const std::vector<scene::Node> shapes = out.scene.nodes;
    std::vector<scene::Node>& nodes = out.scene.nodes;
    nodes.clear();
    scene::Animation bend{"bend", {}};
    const float h = std::sqrt(0.5F);
    for (std::size_t i = 0; i + 1 < shapes.size(); ++i) {
        scene::Skin skin;
        for (std::size_t j = 0; j < kJoints; ++j) {
            const auto node = static_cast<int>(nodes.size());
            scene::Node joint = j == 0 ? shapes[i] : scene::Node{};
            joint.mesh_group = -1;
            if (j > 0) {
                joint.parent = node - 1;
                joint.translation = {0.1F, 0.05F, 0.0F};
            }
            nodes.push_back(joint);
            skin.joints.push_back(node);
            skin.inverse_bind.push_back(
                glm::translate(glm::mat4(1.0F), -static_cast<float>(j) * glm::vec3(0.1F, 0.05F, 0.0F)));
            if (j == 0) continue;
            const float end = 1.0F + 0.1F * static_cast<float>((i + j) % 7);
            if (j % 3 == 1) {
                bend.channels.push_back({node,
                                         scene::AnimationPath::kRotation,
                                         scene::Interpolation::kLinear,
                                         {0, end, 2 * end},
                                         {0, 0, 0, 1, j % 2 == 0 ? h : 0, 0, j % 2 == 0 ? 0 : h, h, 0, 0, 0, 1}});
            } else if (j % 3 == 2) {
                bend.channels.push_back({node,
                                         scene::AnimationPath::kTranslation,
                                         scene::Interpolation::kLinear,
                                         {0, end, 2 * end},
                                         {0.1F, 0.05F, 0, 0.3F, -0.4F, 0.2F, 0.1F, 0.05F, 0}});
            } else {
                bend.channels.push_back({node,
                                         scene::AnimationPath::kScale,
                                         scene::Interpolation::kLinear,
                                         {0, end, 2 * end},
                                         {1, 1, 1, 1.6F, 0.7F, 1.2F, 1, 1, 1}});
            }
        }
        scene::Node shape;
        shape.mesh_group = shapes[i].mesh_group;
        shape.skin = static_cast<int>(out.scene.skins.size());
        shape.translation = {100.0F, 0.0F, 0.0F};  // which does not count
        nodes.push_back(shape);
        out.scene.skins.push_back(std::move(skin));
        const std::size_t targets = out.groups[static_cast<std::size_t>(shape.mesh_group)].weights.size();
        if (targets != 0 && i % 2 == 0) {
            constexpr std::array kInterpolations{scene::Interpolation::kLinear, scene::Interpolation::kCubicSpline,
                                                 scene::Interpolation::kStep};
            bend.channels.push_back(weights_channel(static_cast<int>(nodes.size()) - 1, targets,
                                                    kInterpolations[i / 2 % 3], 0.6F + 0.1F * static_cast<float>(i)));
        }
    }
    nodes.push_back(shapes.back());
    // Morph targets alone: the first group that has some, in a place of its own.
    scene::Node morphed = shapes.back();
    morphed.mesh_group = 1;
    morphed.translation += glm::vec3(0.0F, 2.5F, 0.0F);
    nodes.push_back(morphed);
    bend.channels.push_back(weights_channel(static_cast<int>(nodes.size()) - 1, out.groups[1].weights.size(),
                                            scene::Interpolation::kLinear, 0.9F));
    out.scene.animations = {bend};
    return out;
}

namespace {

scene::AnimationChannel channel(std::size_t node, scene::AnimationPath path, scene::Interpolation interpolation,
                                std::vector<float> times, std::vector<float> values) {
    return {static_cast<int>(node), path, interpolation, std::move(times), std::move(values)};
}

}  // namespace

scene::ImportedScene make_moving() {
    scene::ImportedScene out = make_shapes();
    const std::vector<scene::Node> shapes = out.scene.nodes;
    std::vector<scene::Node>& nodes = out.scene.nodes;
    nodes.clear();
    scene::Node root;
    root.has_matrix = true;
    root.matrix = glm::rotate(glm::mat4(1.0F), 0.3F, glm::vec3(0.2F, 1.0F, 0.1F));
    nodes.push_back(root);
    scene::Node turning;
    turning.parent = 0;
    nodes.push_back(turning);
    scene::Animation move{"move", {}};
    scene::Animation breathe{"breathe", {}};
    const float h = std::sqrt(0.5F);
    move.channels.push_back(channel(1, scene::AnimationPath::kRotation, scene::Interpolation::kLinear, {0, 1, 2, 3},
                                    {0, 0, 0, 1, 0, h, 0, h, 0, -1, 0, 0, 0, 0, 0, 1}));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (i + 1 == shapes.size()) {
            nodes.push_back(shapes[i]);
            break;
        }
        const auto f = static_cast<float>(i);
        scene::Node arm;
        arm.parent = i % 3 == 2 ? -1 : 1;
        arm.translation = {0.1F * f, 0.0F, 0.0F};
        nodes.push_back(arm);
        const std::size_t at = nodes.size() - 1;
        scene::Node between;
        between.parent = static_cast<int>(at);
        between.scale = {1.0F, i % 4 == 1 ? -1.0F : 1.1F, 1.0F};
        between.rotation = glm::angleAxis(0.2F * f, glm::vec3(0.0F, 0.0F, 1.0F));
        nodes.push_back(between);
        scene::Node shape = shapes[i];
        shape.parent = static_cast<int>(nodes.size()) - 1;
        nodes.push_back(shape);
        switch (i % 5) {
            case 0:
                move.channels.push_back(
                    channel(at, scene::AnimationPath::kTranslation, scene::Interpolation::kCubicSpline, {0, 1.5F, 2},
                            {0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 1, 1, 0, -2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
                break;
            case 1:
                breathe.channels.push_back(channel(at, scene::AnimationPath::kScale, scene::Interpolation::kLinear,
                                                   {0, 0.7F, 1.4F}, {1, 1, 1, 2, 0.5F, 1.5F, 1, 1, 1}));
                break;
            case 2:  // from one side to the other, and back
                breathe.channels.push_back(channel(at, scene::AnimationPath::kScale, scene::Interpolation::kLinear,
                                                   {0, 1, 2}, {1, 1, 1, -1, 1, 1, 1, 1, 1}));
                move.channels.push_back(channel(at, scene::AnimationPath::kRotation, scene::Interpolation::kCubicSpline,
                                                {0, 2}, {0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0,  //
                                                         0, 1, 0, 0, h, 0, 0, h, 0, 0, 0, 0}));
                break;
            case 3:  // mirrored all the while
                breathe.channels.push_back(
                    channel(at, scene::AnimationPath::kScale, scene::Interpolation::kCubicSpline, {0, 2},
                            {0, 0, 0, -1, -1, -1, 0.3F, 0, 0, 0, 0, 0, -1.5F, -1.5F, -1.5F, 0, 0, 0}));
                break;
            default:
                breathe.channels.push_back(channel(at, scene::AnimationPath::kScale, scene::Interpolation::kStep,
                                                   {0, 0.5F, 1}, {0.6F, 0.6F, 0.6F, 1.4F, 1.4F, 1.4F, 0, 0, 0}));
                break;
        }
    }
    out.scene.animations = {move, breathe};
    return out;
}

}  // namespace sublet::test
