// The renderer: the GPU copy of one scene, and a frame of it through the backend and the culling that the settings
// name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/counters.h"
#include "render/measure/verdict.h"
#include "render/scene/texture_levels.h"
#include "render/settings/frame_plan.h"
#include "render/settings/test_hooks.h"
#include "render/stream/stream_figures.h"
#include "render/view/camera.h"
#include "render/view/floor_grid.h"
#include "render/view/inspection.h"
#include "render/view/window_target.h"
#include "scene/animation.h"
#include "scene/container.h"

namespace sublet::render {

struct ViewCounters {
    std::uint32_t view = 0;
    std::uint32_t recorded_rounds = 0;  // Counters::rounds may be one more
    double rounds_taken = 0.0;          // the last as far as its list was filled
    Counters counters;
    std::optional<double> gpu_ms = {};  // from its first pass to its last, what lies between them included
};

// One finished frame.
struct FrameResult {
    std::uint64_t number = 0;         // gpu::Frame::number
    Counters counters;                // of the view that was drawn last
    std::vector<ViewCounters> views;  // in the order in which they were drawn
    gpu::FrameTimes times;
    bool fresh_pipelines = false;  // a pipeline was made, or recorded for the first time, in it: times are not its own
    bool plain = false;            // Renderer::plain(); then they are not its plan's either, and that is true too
};

// Bytes that frames really went by: what was asked for, or the default, held to what the device binds.
struct Budgets {
    std::uint64_t survivors = 0;  // SceneSettings::survivor_budget
    std::uint64_t compact = 0;    // FrameSettings::compact_budget; 0 where no compute pass culled triangles
};

struct MemoryUse {                // bytes in VRAM
    std::uint64_t geometry = 0;   // the file's sections, as they lie
    std::uint64_t decoded = 0;    // index and vertex buffers made from them
    std::uint64_t scene = 0;      // `instances` and `materials`
    std::uint64_t transient = 0;  // `survivors`, `triangles` and `occlusion`
    std::uint64_t targets = 0;    // ids, depth, colour
    // By purpose: these, geometry, decoded and targets add up to what all buffers and images of the device take.
    std::uint64_t instances = 0;    // and where their tasks begin
    std::uint64_t materials = 0;    // and textures
    std::uint64_t survivors = 0;    // lists of meshlets and sublets, their draws, work expansion
    std::uint64_t triangles = 0;    // lists of triangles, for draws or the compute rasteriser
    std::uint64_t occlusion = 0;    // bits of what was visible, and the pyramid
    std::uint64_t animation = 0;    // keys and chains of what moves
    std::uint64_t deformation = 0;  // vertices and bounds of instances that deform, and the matrices of their joints
    std::uint64_t lights = 0;       // punctual lights, and which of them reach which part of a view
    std::uint64_t environment = 0;  // cubes of the light all around, and a picture that waits to become one
    std::uint64_t layers = 0;       // of what blends
    std::uint64_t shadows = 0;      // shadow maps; what they are drawn with counts as that of other views
    std::uint64_t other = 0;        // staging, states, frame data, what is still in use by frames before; and alignment
};

struct Picture {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // 4 bytes a pixel, sRGB-encoded, rows from the top
    // With FramePlan::keep_light: red, green and blue of each pixel, linear, exposed and without tone mapping.
    std::vector<float> light;
    std::vector<float> depth;  // reversed Z: 1 at the near plane, 0 at infinity and where nothing was drawn
    // Of each pixel that something covers: shaders/view/visibility_id.glsl, one word or two; 0 where nothing does.
    std::vector<std::uint32_t> ids;
    // Of what blends, all words of a pixel (shaders/view/layers.glsl); none where nothing does.
    std::vector<std::uint64_t> layers;
};

// When the textures of a scene come: before its first frame, or beside its frames. Until one is there a stand-in is
// seen: SceneTextures. kBeforeEachFrame: before the first, and where not all have room, those that a frame shows before
// that frame: Renderer::settle_textures().
enum class TextureLoading : std::uint8_t { kBeforeFrames, kWithFrames, kBeforeEachFrame };

// What Renderer::prepare() waits for: all pipelines, or those of a plain picture. The others are then compiled beside
// the frames, which show plain pictures until all of a plan's are there.
enum class Preparing : std::uint8_t { kAll, kPlainFirst };

// What of the scene moves.
struct AnimationState {
    std::vector<std::string> playing;  // the animations; none where nothing that is drawn moves
    double length = 0;                 // of the longest, in seconds
    std::uint64_t instances = 0;       // that move
    bool deforms = false;              // joints move some
    std::uint64_t hiding = 0;          // instances whose visibility is played
    std::uint64_t materials = 0;       // factors and texture transforms of materials that are
};

class Renderer {
  public:
    explicit Renderer(gpu::Device& device);
    // Waits for the GPU.
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    // Uploads `scene` and decodes what the backends will need. It must stay, unchanged, until another is set: lights
    // that move are followed along its nodes, and textures may still come. Waits for the GPU. Throws Error when the
    // device's limits or memory can't hold it; the previous scene, if any, then stays. Throws Cancelled.
    void set_scene(const scene::EncodedScene& scene, const SceneSettings& settings,
                   TextureLoading textures = TextureLoading::kBeforeFrames);

    // Hides nodes' instances from the next frame on, in place of those that the scene's settings named. `nodes`: one
    // for each node of the scene, other than 0 where its meshes are not to be drawn and its light is off
    // (scene::hidden_nodes()); a grid has none. Linear in the instances and lights.
    void set_hidden(const std::vector<char>& nodes);

    // Images that frames still wait for.
    [[nodiscard]] std::size_t textures_left() const;
    // Whether textures have no room at once, and frames are to wait for those that they show
    // (SceneSettings::stream_wait, with TextureLoading::kBeforeEachFrame): a frame of a view that nobody sees, then
    // settle_textures(), then the frame.
    [[nodiscard]] bool textures_wait() const;
    // Waits for the GPU, and for all that the last frame, drawn by `plan`, sampled of textures. Nothing happens unless
    // textures_wait(). What can't be read, or has no memory, stays as it was, with a note. Throws Error when the device
    // is lost; and when what was sampled has no room, unless it may be coarser (--lod-error auto).
    void settle_textures(const FramePlan& plan);

    // Makes the pipelines that frames of this scene by `plan` will want, so that none of them waits for a compiler.
    // Throws Error when the device's driver can't.
    // `inspected`: frames may have an inspection. `preparing`: from now on, for all plans.
    void prepare(const FramePlan& plan, bool inspected = false, Preparing preparing = Preparing::kAll);
    // The same by several plans: the pipelines of all of them are made side by side.
    void prepare(std::span<const FramePlan> plans, bool inspected = false, Preparing preparing = Preparing::kAll);
    // Whether draw() would show a plain picture in place of this plan's: ids and depth are those of direct draws (in a
    // very large scene the plan's own); each pixel that something covers has its material's colour without textures,
    // lit from the eye; nothing is inspected. Never without Preparing::kPlainFirst. Throws Error when a pipeline of the
    // plan can't be compiled.
    [[nodiscard]] bool plain(const FramePlan& plan);
    // What is compiled beside the frames.
    [[nodiscard]] gpu::Compiling compiling() const;

    // What uploading the scene left out or changed (an image that can't be decoded is drawn white), as was noted then.
    // With kWithFrames begin() adds to it.
    [[nodiscard]] const std::vector<std::string>& notes() const;

    // What resolve() must know of the scene; nothing before set_scene.
    [[nodiscard]] SceneFacts facts() const;

    [[nodiscard]] AnimationState animation() const;

    // Where animations are in the frames that begin from now on; each loops by its own length. At 0 at first. A frame
    // at the times of the one before does not place anything anew.
    void set_time(const scene::AnimationTimes& times);

    // From now on; fields tell when they are looked at.
    void set_test_hooks(const TestHooks& hooks);

    // A frame: begin(), draw() for each view, end(). Passes are recorded into the frame's command buffer.
    //
    // draw() ends with the view's colour image in TRANSFER_SRC_OPTIMAL layout. A view of the scene is known by its
    // number, and is drawn once in a frame, by a plan of its own: each has its own
    // targets and its own record of what was visible, made when it is first drawn, and its targets are remade when its
    // size changes. Throws Error when the device can't do what the plan says for this scene: the frame is then to be
    // abandoned (FrameRing::abandon), and another may follow. A selection that the scene does not have is none.
    void begin(gpu::Frame& frame);
    void draw(const View& view, const FramePlan& plan, std::uint32_t width, std::uint32_t height,
              std::uint32_t view_id = 0, const Inspection& inspection = {});
    // Depth alone, of a view of its own number: what draw() by this plan has (Picture::depth), to the bit. Of the plan
    // what tells of pictures is passed over. There is never a plain one.
    void draw_depth(const View& view, const FramePlan& plan, std::uint32_t width, std::uint32_t height,
                    std::uint32_t view_id);
    // Before the names of the passes of views that this frame draws from now on; nothing in a frame that begins.
    void set_pass_prefix(std::string prefix);
    // A pass of the caller's own between begin() and end(), recorded into the frame's command buffer: it stands in the
    // frame's list of passes, and its time is within the frame's. What it draws over is best recorded after draw().
    [[nodiscard]] gpu::Profiler::Pass pass(const char* name);
    // Puts columns of what view `view_id` of this frame shows at the same place of `target`, which is as large.
    void draw_window_part(const WindowTarget& target, const Columns& columns, std::uint32_t view_id = 0);
    // Pass "floor grid", between draw() and end(): a grid over `target`, which shows what view `view_id` of this frame
    // does and is as large. Hidden where that view has something nearer, and gone far from the eye. The view's own
    // picture stays as it is. `view`: of the grid; the one that was drawn, or that without its shift.
    void draw_floor_grid(const FloorGrid& grid, const View& view, const WindowTarget& target,
                         std::uint32_t view_id = 0);
    void end();

    // The newest frame whose results have come back: never waits. Zeros before the first.
    [[nodiscard]] const Counters& counters() const;
    [[nodiscard]] const gpu::FrameTimes& times() const;
    // All results that have come back since the last call, oldest first (the newest 4096 are kept).
    [[nodiscard]] std::vector<FrameResult> take_results();
    // What the newest frame of a view that asked (Inspection::asks) found out and that is over: never waits. Nothing
    // before the first, and once the scene has changed.
    [[nodiscard]] std::optional<InspectionResult> inspected(std::uint32_t view_id = 0) const;
    // Pixels unlike those of the reference, in the newest frame that asked (FramePlan::difference) and is over; nothing
    // before the first.
    [[nodiscard]] std::optional<std::uint64_t> differing_pixels() const;
    // Waits for the GPU; then the results of every frame have come back.
    void finish();

    // Of the view that was drawn last, or of one by its number. Throws Error where there is none.
    [[nodiscard]] const gpu::Image& color(std::optional<std::uint32_t> view = std::nullopt) const;
    // What the scene has; zeros before set_scene.
    [[nodiscard]] SceneTotals totals() const;
    [[nodiscard]] MemoryUse memory() const;
    [[nodiscard]] Budgets budgets() const;
    // Nothing where all geometry is always there.
    [[nodiscard]] std::optional<StreamFigures> streaming() const;
    // Nothing where textures have the levels that they came with.
    [[nodiscard]] std::optional<TextureFigures> texture_streaming() const;

    // Reads the last picture of a view back. Waits for the GPU.
    [[nodiscard]] Picture read_picture(bool with_depth, bool with_ids = false,
                                       std::optional<std::uint32_t> view = std::nullopt);
    // The last depths that draw_depth() left of a view, row by row. Waits for the GPU. Throws Error where there are
    // none.
    [[nodiscard]] std::vector<float> read_depth(std::uint32_t view_id);
    // Counts the ambiguous pixels of the last rendered frame's view, drawn with the direct backend and all culling off;
    // where the compute rasteriser drew it, holds its picture to that. Waits for the GPU.
    [[nodiscard]] AmbiguousPixels count_ambiguous_pixels(const View& view);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sublet::render
