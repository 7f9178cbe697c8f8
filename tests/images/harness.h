// Renders scenes headless and holds pictures to the exactness contract: against direct draws with all culling off,
// depth is identical to the bit, ids and colour too, except at the ambiguous pixels that are counted (depth ties, faces
// turned by snapping).
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "render/renderer.h"
#include "render/view/camera.h"
#include "scene/container.h"

namespace sublet::test {

// All culling off, by direct draws: what all else is compared with. Pictures of the compute rasteriser are compared
// with its own: they are equal to the bit among themselves, and to a graphics pipeline's but for pixels that
// tests/images/raster.cpp counts.
render::FrameSettings reference_settings(render::Show show = render::Show::kShaded,
                                         std::optional<render::Backend> of = std::nullopt);

class Bench {
  public:
    // A device with the validation layer and synchronization validation, where it is installed. One that a bench of
    // before has left is used again, with its renderer and the pipelines that this has made: they cost more than most
    // cases do. Of a renderer's state only the pipelines stay.
    explicit Bench(const std::vector<std::string>& without = {});
    // The device that the options name, a new one; the validation layer as they say. Throws Error as gpu::Instance and
    // gpu::Device do.
    explicit Bench(const gpu::DeviceOptions& options);
    ~Bench();
    // Takes a new device, for cases that count from the first frame.
    void renew();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void set_scene(scene::EncodedScene scene, const render::SceneSettings& settings = {});
    [[nodiscard]] scene::EncodedScene& scene() { return scene_; }

    // Plans are made for the scene; else it is found while a frame is recorded that they can't draw it.
    bool plans_know_scene = true;

    // Renders one frame of this view without waiting for it.
    void render(const render::FrameSettings& settings, const render::CameraPose& pose, float near_plane,
                std::uint32_t width, std::uint32_t height, std::uint32_t view_id = 0);

    // A view among others of one frame.
    struct Request {
        std::uint32_t view_id = 0;
        render::FrameSettings settings;
        render::CameraPose pose;
        float near_plane = 0.1F;
        std::uint32_t width = 64, height = 64;
        render::Inspection inspection = {};
        bool depth_alone = false;    // Renderer::draw_depth()
        std::uint32_t averaged = 0;  // View::averaged,
        std::uint32_t sample = 0;    // of which this one is render::sample_shift()
    };
    // Renders one frame of all these views without waiting for it. `own`: records passes of the caller's behind them.
    void render(const std::vector<Request>& views, const std::function<void(gpu::Frame&)>& own = {});

    struct Shot {
        render::Picture picture;
        render::Counters counters;
    };
    // Renders `frames` frames of this view and reads the last one back. Abandons a frame that can't be rendered, and
    // throws what Renderer::render does.
    Shot shoot(const render::FrameSettings& settings, const render::CameraPose& pose, float near_plane,
               std::uint32_t width, std::uint32_t height, int frames = 1, std::uint32_t view_id = 0);
    // Renders a frame of depths alone and reads them back.
    std::vector<float> shoot_depth(const render::FrameSettings& settings, const render::CameraPose& pose,
                                   float near_plane, std::uint32_t width, std::uint32_t height, std::uint32_t view_id);
    // By reference_settings(), of pictures by backend `of`.
    Shot reference(const render::CameraPose& pose, float near_plane, std::uint32_t width, std::uint32_t height,
                   render::Projection projection = render::Projection::kPerspective,
                   std::optional<render::Backend> of = std::nullopt, std::uint32_t view_id = 0);
    render::AmbiguousPixels ambiguous(const render::CameraPose& pose, float near_plane, std::uint32_t width,
                                      std::uint32_t height,
                                      render::Projection projection = render::Projection::kPerspective);

    [[nodiscard]] gpu::Device& device() const { return machine_->device; }
    [[nodiscard]] render::Renderer& renderer() const { return machine_->renderer; }
    [[nodiscard]] bool validation() const { return machine_->instance.validation(); }
    // Since the device was made.
    [[nodiscard]] std::uint64_t validation_messages() const { return machine_->instance.validation_messages(); }
    [[nodiscard]] std::vector<std::string> validation_texts() const { return machine_->instance.validation_texts(); }

  private:
    struct Machine {
        explicit Machine(const gpu::DeviceOptions& options) : instance(options), device(instance, options) {}

        gpu::Instance instance;
        gpu::Device device;
        gpu::FrameRing ring{device};
        render::Renderer renderer{device};
    };
    using Idle = std::map<std::vector<std::string>, std::vector<std::unique_ptr<Machine>>>;  // by what they lack
    static Idle& idle();

    std::optional<std::vector<std::string>> without_;  // of a machine that is used again
    std::unique_ptr<Machine> machine_;
    scene::EncodedScene scene_;
};

// Reference pictures, and ambiguous pixels, of scenes that the caller names: many cases are held to the same ones.
// Draws what it does not have yet by that bench, which must show the scene of that name, in a view of its own.
class References {
  public:
    const Bench::Shot& shot(Bench& bench, const std::string& scene, const render::CameraPose& pose, float near_plane,
                            std::uint32_t width, std::uint32_t height,
                            render::Projection projection = render::Projection::kPerspective,
                            std::optional<render::Backend> of = std::nullopt);
    const render::AmbiguousPixels& ambiguous(Bench& bench, const std::string& scene, const render::CameraPose& pose,
                                             float near_plane, std::uint32_t width, std::uint32_t height,
                                             render::Projection projection = render::Projection::kPerspective);

  private:
    // Scene, backend, projection, size, numbers of the pose.
    using Key = std::tuple<std::string, render::Backend, render::Projection, std::array<std::uint32_t, 2>,
                           std::array<float, 9>>;

    std::map<Key, Bench::Shot> shots_;
    std::map<Key, render::AmbiguousPixels> ambiguous_;
};

// A form of a backend that draws in a way of its own.
struct Way {
    std::string name;
    render::FrameSettings settings;
};

// mdi without sublet culling, which draws whole meshlets.
Way whole_meshlets();

// Whether tests go through all ways of drawing, as scripts/sweep.sh has it: it sets the environment variable
// SUBLET_EVERY_WAY. The suite takes of backends that share their shaders the one with most of them: making pipelines is
// most of what these tests take.
bool every_way();

// The ways that tests go through; direct draws come first.
std::vector<Way> tried_ways();

// Those that draw the bench's scene on its device; or, where not every way is tried, those of these backends.
std::vector<Way> ways(const Bench& bench);
std::vector<Way> ways(const Bench& bench, std::initializer_list<render::Backend> of);

// Its name as a part of a test's.
std::string test_name(const Way& way);

// Encodes in memory, all cores.
scene::EncodedScene encode(scene::ImportedScene&& imported, mesh::Levels levels = mesh::Levels::kOff);

// A compact scene of which every other mesh has its positions on a grid of 21 bits: the same to the bit.
scene::EncodedScene with_wide_positions(scene::EncodedScene scene);

struct Difference {
    std::uint64_t depth = 0;    // pixels whose depth differs where it must not
    std::uint64_t color = 0;    // pixels whose id, or with the same id whose colour, differs where it must not
    std::uint64_t excused = 0;  // differing pixels that are ambiguous pixels
};
Difference compare(const render::Picture& reference, const render::Picture& picture,
                   const render::AmbiguousPixels& ambiguous);

using Color = std::array<int, 3>;

// Of a pixel, numbered from the top left.
Color color_at(const render::Picture& picture, std::size_t pixel);

// Whether no channel is further off.
bool near_to(const Color& a, const Color& b, int most = 1);

// Share of pixels that something covers.
double coverage(const render::Picture& picture);

// On a failing comparison: both pictures as PPM files beside the test, for eyes.
void save(const render::Picture& picture, const std::string& name);

}  // namespace sublet::test
