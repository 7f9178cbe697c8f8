// make_builtin_scene: a gallery of twelve rooms: a nave of four with skylights and columns, aisles on both sides,
// doorways between them all, and a landscape outside the windows. In the first room lies a ball of every material.
#include <cmath>
#include <string>

#include "scene/builtin/numbers.h"
#include "scene/builtin/parts.h"
#include "scene/import.h"

namespace sublet::scene {
namespace {

using namespace builtin;

constexpr int kRooms = 4;           // along the nave
constexpr float kPitch = 12.5F;     // from wall to wall, along -Z
constexpr float kNaveSide = 6.25F;  // x of the walls beside the nave
constexpr float kAisle = 10.5F;     // x of the aisles' middle
constexpr float kOuter = 14.75F;    // x of the outer walls

// Lights.
constexpr int kNaveLight = 0;
constexpr int kAisleLight = 1;

float room_z(int room) {
    return -kPitch * (static_cast<float>(room) + 0.5F);
}

glm::quat turned(double turns, glm::vec3 axis) {
    const auto s = static_cast<float>(sine(turns / 2));
    return {static_cast<float>(cosine(turns / 2)), axis.x * s, axis.y * s, axis.z * s};
}

const glm::quat kUpright{1.0F, 0.0F, 0.0F, 0.0F};

class Gallery {
  public:
    Gallery(std::uint32_t seed, ThreadPool* pool) : random_(seed) {
        make_parts(imported_, seed, pool);
        imported_.source = "built-in scene";
        scene_.name = "Gallery";
    }

    ImportedScene make() {
        root_ = group("gallery", -1);
        add_cameras();
        add_lights();
        place(kPlinth, root_, {});
        for (int room = 0; room < kRooms; ++room) add_nave_room(room);
        add_still_life();
        add_walls();
        const int right = group("right aisle", root_);
        const int left = group("left aisle", root_);
        // One aisle is the other's mirror image.
        scene_.nodes[static_cast<std::size_t>(left)].scale = {-1.0F, 1.0F, 1.0F};
        for (const int side : {right, left}) {
            for (int room = 0; room < kRooms; ++room) add_aisle_room(side, room);
        }
        add_landscape();
        return std::move(imported_);
    }

  private:
    int group(const std::string& name, int parent) {
        Node node;
        node.name = name;
        node.parent = parent;
        scene_.nodes.push_back(std::move(node));
        return static_cast<int>(scene_.nodes.size()) - 1;
    }

    int place(PartId part, int parent, glm::vec3 at, const glm::quat& rotation = kUpright,
              glm::vec3 scale = glm::vec3(1.0F)) {
        Node node;
        node.name = imported_.groups[static_cast<std::size_t>(part)].name;
        node.parent = parent;
        node.translation = at;
        node.rotation = rotation;
        node.scale = scale;
        node.mesh_group = part;
        scene_.nodes.push_back(std::move(node));
        return static_cast<int>(scene_.nodes.size()) - 1;
    }

    // A part turned inside an unevenly scaled node: the two together shear it.
    void place_sheared(PartId part, int parent, glm::vec3 at, glm::vec3 scale, const glm::quat& inner) {
        const int frame = group("sheared", parent);
        scene_.nodes[static_cast<std::size_t>(frame)].translation = at;
        scene_.nodes[static_cast<std::size_t>(frame)].scale = scale;
        place(part, frame, glm::vec3(0.0F), inner);
    }

    // One call a statement, of this and the next: the order in which arguments are evaluated is the compiler's.
    float between(double low, double high) { return static_cast<float>(random_.between(low, high)); }

    glm::quat any_heading() { return turned(random_.between(0.0, 1.0), {0.0F, 1.0F, 0.0F}); }

    void add_camera(const char* name, glm::vec3 eye, glm::vec3 target, double fov_degrees) {
        Camera camera;
        camera.name = name;
        camera.vertical_fov = static_cast<float>(fov_degrees * 3.14159265358979 / 180.0);
        camera.near_plane = 0.05F;
        // Looks along -Z of its node.
        const auto unit = [](glm::vec3 v) { return v / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); };
        const glm::vec3 back = unit(eye - target);
        const glm::vec3 right = unit(glm::vec3(back.z, 0.0F, -back.x));
        const glm::vec3 up{back.y * right.z - back.z * right.y, back.z * right.x - back.x * right.z,
                           back.x * right.y - back.y * right.x};
        Node node;
        node.name = name;
        node.parent = root_;
        node.has_matrix = true;
        node.matrix = {glm::vec4(right, 0.0F), glm::vec4(up, 0.0F), glm::vec4(back, 0.0F), glm::vec4(eye, 1.0F)};
        node.camera = static_cast<int>(scene_.cameras.size());
        scene_.cameras.push_back(std::move(camera));
        scene_.nodes.push_back(std::move(node));
    }

    void add_cameras() {
        add_camera("nave view", {-1.1F, 1.75F, -0.5F}, {0.55F, 2.2F, -16.0F}, 62.0);
        add_camera("wall view", {4.9F, 1.6F, -19.4F}, {6.0F, 1.7F, -19.2F}, 50.0);
        add_camera("enfilade", {0.9F, 1.8F, 3.5F}, {0.2F, 2.1F, -50.0F}, 40.0);
        add_camera("aisle view", {12.6F, 2.0F, -1.0F}, {9.4F, 1.4F, -14.0F}, 60.0);
        add_camera("stair view", {7.9F, 2.3F, -25.8F}, {11.4F, 1.2F, -31.0F}, 60.0);
        add_camera("skylight", {1.5F, 0.8F, -21.0F}, {-0.3F, 6.3F, -17.5F}, 70.0);
        add_camera("outside", {34.0F, 9.0F, 16.0F}, {4.0F, 2.0F, -22.0F}, 45.0);
        add_camera("still life", {-1.3F, 1.6F, -2.9F}, {-2.2F, 1.02F, -4.75F}, 50.0);
    }

    // That nodes of rooms have: a lamp in the nave, whose light falls on all around it, and one in the aisles, which
    // shines down.
    void add_lights() {
        scene_.lights.push_back({.name = "nave lamp",
                                 .type = LightType::kPoint,
                                 .color = {1.0F, 0.74F, 0.43F},
                                 .intensity = 9.0F,
                                 .range = 9.0F});
        scene_.lights.push_back({.name = "aisle lamp",
                                 .type = LightType::kSpot,
                                 .color = {1.0F, 0.84F, 0.62F},
                                 .intensity = 16.0F,
                                 .range = 8.0F,
                                 .inner_cone = 0.45F,
                                 .outer_cone = 0.9F});
    }

    void add_nave_room(int index) {
        const int room = group("nave " + std::to_string(index + 1), root_);
        scene_.nodes[static_cast<std::size_t>(room)].translation = {0.0F, 0.0F, room_z(index)};
        place(kNaveFloor, room, {});
        place(kNaveCeiling, room, {});
        for (const float x : {-3.5F, 3.5F}) {
            for (const float z : {-3.5F, 3.5F}) place(kColumn, room, {x, 0.0F, z}, any_heading());
        }
        const int lamp = place(kLamp, room, {0.0F, 4.42F, 0.0F}, any_heading());
        scene_.nodes[static_cast<std::size_t>(lamp)].light = kNaveLight;
        const bool even = index % 2 == 0;
        const glm::vec3 up{0.0F, 1.0F, 0.0F};
        place(even ? kBanner : kBlueBanner, room, {-5.80F, 5.1F, 0.0F}, turned(0.25, up));
        place(even ? kBlueBanner : kBanner, room, {5.80F, 5.1F, 0.0F}, turned(-0.25, up), {-1.0F, 1.0F, 1.0F});
        add_statue(index, room);
        for (const float side : {-1.0F, 1.0F}) {
            const float size = between(0.95, 1.25);
            const float height = size * between(0.9, 1.2);
            place(kAmphora, room, {side * 2.75F, 0.0F, -5.2F}, any_heading(), {size, height, size});
            const glm::vec3 beside{side * 5.3F, 0.0F, -1.4F};
            const float bush = between(1.2, 1.5);
            place(kJar, room, beside, any_heading(), glm::vec3(1.1F));
            place(kBush, room, beside + glm::vec3(0.0F, 0.75F, 0.0F), any_heading(), glm::vec3(bush));
        }
    }

    void add_statue(int index, int room) {
        // Out of the middle in turn, so that the long view through the doors stays open.
        const float x = index % 2 == 0 ? 1.9F : -1.9F;
        place(kPedestal, room, {x, 0.0F, -0.6F});
        const glm::vec3 top{x, 1.2F, -0.6F};
        const glm::quat standing = turned(0.25, {1.0F, 0.0F, 0.0F});
        switch (index) {
            case 0:
                place(kKnot, room, top + glm::vec3(0.0F, 0.86F, 0.0F), turned(0.08, {0.0F, 1.0F, 0.0F}) * standing);
                break;
            case 1:
                place(kSphere, room, top + glm::vec3(0.0F, 0.53F, 0.0F), any_heading(), glm::vec3(0.55F));
                break;
            case 2:
                place(kKnot, room, top + glm::vec3(0.0F, 0.98F, 0.0F), standing, {-1.15F, 0.9F, 1.15F});
                break;
            default:
                place(kAmphora, room, top - glm::vec3(0.0F, 0.01F, 0.0F), any_heading(), {1.5F, 1.4F, 1.5F});
                break;
        }
    }

    // A ball of every material on a shelf in the first room: five on each step, four on the highest.
    void add_still_life() {
        const int still_life = group("still life", root_);
        Node& node = scene_.nodes[static_cast<std::size_t>(still_life)];
        node.translation = {-2.35F, 0.0F, -4.9F};
        node.rotation = turned(0.05, {0.0F, 1.0F, 0.0F});
        place(kShelf, still_life, {});
        constexpr float kRadius = 0.19F;
        for (int i = 0; i < static_cast<int>(kBallMaterials.size()); ++i) {
            const int row = i / 5;
            const float middle = row == 2 ? 1.5F : 2.0F;
            const glm::vec3 at{0.5F * (static_cast<float>(i % 5) - middle),
                               0.545F + 0.3F * static_cast<float>(row) + 1.12F * kRadius,
                               0.46F * static_cast<float>(1 - row) + 0.02F};
            place(kStand, still_life, at, kUpright, glm::vec3(kRadius));
            place(static_cast<PartId>(kBalls + i), still_life, at, turned(0.1 * i, {0.0F, 1.0F, 0.0F}),
                  glm::vec3(kRadius));
        }
    }

    void add_walls() {
        const int walls = group("walls", root_);
        const glm::quat along_z = turned(0.25, {0.0F, 1.0F, 0.0F});
        for (int k = 0; k <= kRooms; ++k) {
            const float z = -kPitch * static_cast<float>(k);
            place(kNaveWall, walls, {0.0F, 0.0F, z});
            for (const float side : {-1.0F, 1.0F}) {
                place(kAisleWall, walls, {side * kAisle, 0.0F, z}, kUpright, {side, 1.0F, 1.0F});
                place(kPier, walls, {side * kNaveSide, 0.0F, z});
                place(kPier, walls, {side * kOuter, 0.0F, z}, kUpright, {side, 1.0F, 1.0F});
            }
        }
        for (int room = 0; room < kRooms; ++room) {
            for (const float side : {-1.0F, 1.0F}) {
                place(kNaveSideWall, walls, {side * kNaveSide, 0.0F, room_z(room)}, along_z);
                place(kOuterWall, walls, {side * kOuter, 0.0F, room_z(room)}, along_z, {1.0F, 1.0F, side});
            }
        }
    }

    void add_aisle_room(int side, int index) {
        const int room = group("aisle " + std::to_string(index + 1), side);
        scene_.nodes[static_cast<std::size_t>(room)].translation = {kAisle, 0.0F, room_z(index)};
        place(kAisleFloor, room, {});
        place(kAisleCeiling, room, {});
        for (const float z : {-3.2F, 0.0F, 3.2F}) place(kBeam, room, {0.0F, between(-0.01, 0.01), z});
        if (index == 2) {
            place(kStairs, room, {1.1F, 0.0F, 4.6F}, turned(0.0, {0.0F, 1.0F, 0.0F}));
            place(kJar, room, {2.6F, 1.64F, 0.2F}, any_heading(), glm::vec3(1.2F));
            place(kAmphora, room, {-0.6F, 1.64F, -0.4F}, any_heading());
        } else {
            add_crates(room);
        }
        const int lamp = group("aisle lamp", room);
        Node& node = scene_.nodes[static_cast<std::size_t>(lamp)];
        node.translation = {0.0F, 4.6F, 0.0F};
        node.rotation = turned(-0.25, {1.0F, 0.0F, 0.0F});  // -Z of its own is down
        node.light = kAisleLight;
        const float z = between(-0.6, 0.6);
        const float size = between(0.9, 1.3);
        place(kJar, room, {-3.3F, 0.0F, z}, any_heading(), glm::vec3(size));
        place(kBanner, room, {0.0F, 4.9F, -5.55F}, kUpright, {between(0.7, 0.9), 0.4F, 1.0F});
    }

    // Stacks in the outer corners, and one crate that has been crushed askew.
    void add_crates(int room) {
        const glm::vec3 up{0.0F, 1.0F, 0.0F};
        for (const float z : {-4.6F, 4.6F}) {
            const float size = between(0.85, 1.1);
            place(kCrate, room, {3.0F, 0.0F, z}, turned(random_.between(-0.04, 0.04), up), glm::vec3(size));
            place(kCrate, room, {3.05F, 1.03F * size, z}, turned(random_.between(-0.08, 0.08), up), glm::vec3(0.8F));
            const float away = between(-0.3, 0.3);
            const float height = between(0.7, 0.9);
            place(kCrate, room, {1.7F, 0.0F, z + away}, turned(random_.between(-0.1, 0.1), up), {1.1F, height, 1.0F});
        }
        const float z = between(-2.2, -1.6);
        place_sheared(kCrate, room, {2.4F, -0.02F, z}, {1.15F, 0.8F, 0.9F},
                      turned(random_.between(0.02, 0.035), {0.0F, 0.0F, 1.0F}));
    }

    void add_landscape() {
        const int outside = group("landscape", root_);
        place(kLand, outside, {});
        for (int i = 0; i < 12; ++i) {  // along the outer walls, below the windows
            const float side = i % 2 == 0 ? 1.0F : -1.0F;
            const float x = side * between(17.0, 18.0);
            const float z = -4.0F * static_cast<float>(i) - between(3.0, 7.0);
            const float size = between(1.8, 2.6);
            place(kBush, outside, {x, -0.55F - 0.3F * size, z}, any_heading(), {size * 1.3F, size, size * 1.3F});
        }
        for (int i = 0; i < 44; ++i) {
            float x = 0.0F;
            float z = 0.0F;
            do {
                x = between(-70.0, 70.0);
                z = between(-100.0, 50.0);
            } while (std::abs(x) < 20.0F && z < 8.0F && z > -58.0F);
            const auto y = static_cast<float>(land_height(x, z));
            if (i % 2 == 0) {
                const float width = between(1.2, 2.2);
                const float height = width * between(0.9, 1.3);
                place(kTree, outside, {x, y - 0.1F, z}, any_heading(), {width, height, width});
            } else {
                const glm::quat heading = any_heading();
                const glm::quat tilt = turned(random_.between(0.03, 0.12), {0.6F, 0.0F, 0.8F});
                const glm::vec3 size{between(0.5, 1.8), between(0.4, 1.0), between(0.5, 1.8)};
                place_sheared(kRock, outside, {x, y, z}, size, tilt * heading);
            }
        }
    }

    ImportedScene imported_;
    Scene& scene_ = imported_.scene;
    Random random_;
    int root_ = -1;
};

}  // namespace

ImportedScene make_builtin_scene(std::uint32_t seed, ThreadPool* pool) {
    return Gallery(seed, pool).make();
}

}  // namespace sublet::scene
