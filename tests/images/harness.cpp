#include "harness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/system.h"
#include "base/thread_pool.h"
#include "mesh/compact.h"
#include "mesh/recode.h"
#include "mesh/stream.h"
#include "mesh/view.h"
#include "render/settings/backend_info.h"
#include "render/shade/average.h"
#include "tests/gpu/validation.h"

namespace sublet::test {

render::FrameSettings reference_settings(render::Show show, std::optional<render::Backend> of) {
    render::FrameSettings settings;
    const bool raster = of && render::backend_info(*of).primitives == render::PrimitiveCulling::kRaster;
    settings.backend = raster ? *of : render::Backend::kDirect;
    settings.cull_occlusion = settings.cull_sublets = false;
    settings.cull_instances = settings.cull_frustum = settings.cull_cone = false;
    settings.show = show;
    return settings;
}

// Never destroyed: at the process's end the driver may have gone before them.
Bench::Idle& Bench::idle() {
    static Idle& machines = *new Idle;
    return machines;
}

Bench::Bench(const std::vector<std::string>& without) : without_(without) {
    std::vector<std::unique_ptr<Machine>>& left = idle()[without];
    if (left.empty()) {
        renew();
        return;
    }
    machine_ = std::move(left.back());
    left.pop_back();
}

void Bench::renew() {
    gpu::DeviceOptions options;
    options.without = without_.value_or(std::vector<std::string>{});
    options.validation = validation_installed();  // without the layer pictures can be compared all the same
    machine_ = std::make_unique<Machine>(options);
}

Bench::Bench(const gpu::DeviceOptions& options) : machine_(std::make_unique<Machine>(options)) {}

Bench::~Bench() {
    if (!without_) return;
    machine_->renderer.set_test_hooks({});
    machine_->renderer.set_time({});
    idle()[*without_].push_back(std::move(machine_));
}

void Bench::set_scene(scene::EncodedScene scene, const render::SceneSettings& settings) {
    scene_ = std::move(scene);
    machine_->renderer.set_scene(scene_, settings);
}

void Bench::render(const render::FrameSettings& settings, const render::CameraPose& pose, float near_plane,
                   std::uint32_t width, std::uint32_t height, std::uint32_t view_id) {
    render({{view_id, settings, pose, near_plane, width, height, {}}});
}

void Bench::render(const std::vector<Request>& views, const std::function<void(gpu::Frame&)>& own) {
    std::vector<render::FramePlan> plans;
    for (const Request& request : views) {
        plans.push_back(render::resolve(request.settings, machine_->device.capabilities(),
                                        plans_know_scene ? machine_->renderer.facts() : render::SceneFacts{}));
    }
    gpu::Frame& frame = machine_->ring.begin();
    try {
        machine_->renderer.begin(frame);
        for (std::size_t i = 0; i < views.size(); ++i) {
            const Request& request = views[i];
            const float aspect = static_cast<float>(request.width) / static_cast<float>(request.height);
            const render::Projection projection =
                request.settings.projection.value_or(render::Projection::kPerspective);
            const glm::vec2 shift = render::sample_shift(request.sample, {request.width, request.height});
            render::View view = render::make_view(request.pose, request.near_plane, projection, aspect, shift);
            view.averaged = request.averaged;
            if (request.depth_alone) {
                machine_->renderer.draw_depth(view, plans[i], request.width, request.height, request.view_id);
            } else {
                machine_->renderer.draw(view, plans[i], request.width, request.height, request.view_id,
                                        request.inspection);
            }
        }
        if (own) own(frame);
        machine_->renderer.end();
        machine_->ring.submit();
    } catch (...) {
        machine_->ring.abandon();
        throw;
    }
}

Bench::Shot Bench::shoot(const render::FrameSettings& settings, const render::CameraPose& pose, float near_plane,
                         std::uint32_t width, std::uint32_t height, int frames, std::uint32_t view_id) {
    for (int i = 0; i < frames; ++i) {
        render(settings, pose, near_plane, width, height, view_id);
    }
    machine_->renderer.finish();
    return {machine_->renderer.read_picture(true, true), machine_->renderer.counters()};
}

std::vector<float> Bench::shoot_depth(const render::FrameSettings& settings, const render::CameraPose& pose,
                                      float near_plane, std::uint32_t width, std::uint32_t height,
                                      std::uint32_t view_id) {
    render({{view_id, settings, pose, near_plane, width, height, {}, true}});
    machine_->renderer.finish();
    return machine_->renderer.read_depth(view_id);
}

Bench::Shot Bench::reference(const render::CameraPose& pose, float near_plane, std::uint32_t width,
                             std::uint32_t height, render::Projection projection, std::optional<render::Backend> of,
                             std::uint32_t view_id) {
    render::FrameSettings settings = reference_settings(render::Show::kShaded, of);
    settings.projection = projection;
    return shoot(settings, pose, near_plane, width, height, 1, view_id);
}

render::AmbiguousPixels Bench::ambiguous(const render::CameraPose& pose, float near_plane, std::uint32_t width,
                                         std::uint32_t height, render::Projection projection) {
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    return machine_->renderer.count_ambiguous_pixels(render::make_view(pose, near_plane, projection, aspect));
}

namespace {

std::array<float, 9> numbers(const render::CameraPose& pose, float near_plane) {
    return {pose.eye.x,    pose.eye.y,       pose.eye.z,        pose.target.x, pose.target.y,
            pose.target.z, pose.fov_degrees, pose.roll_degrees, near_plane};
}

constexpr std::uint32_t kReferenceView = 1000;  // what other views remember stays theirs

}  // namespace

const Bench::Shot& References::shot(Bench& bench, const std::string& scene, const render::CameraPose& pose,
                                    float near_plane, std::uint32_t width, std::uint32_t height,
                                    render::Projection projection, std::optional<render::Backend> of) {
    const render::Backend backend = *reference_settings(render::Show::kShaded, of).backend;
    const Key key{scene, backend, projection, {width, height}, numbers(pose, near_plane)};
    const auto found = shots_.find(key);
    if (found != shots_.end()) return found->second;
    return shots_.emplace(key, bench.reference(pose, near_plane, width, height, projection, of, kReferenceView))
        .first->second;
}

const render::AmbiguousPixels& References::ambiguous(Bench& bench, const std::string& scene,
                                                     const render::CameraPose& pose, float near_plane,
                                                     std::uint32_t width, std::uint32_t height,
                                                     render::Projection projection) {
    const Key key{scene, render::Backend::kDirect, projection, {width, height}, numbers(pose, near_plane)};
    const auto found = ambiguous_.find(key);
    if (found != ambiguous_.end()) return found->second;
    bench.reference(pose, near_plane, width, height, projection, std::nullopt, kReferenceView);  // counted in it
    return ambiguous_.emplace(key, bench.ambiguous(pose, near_plane, width, height, projection)).first->second;
}

Way whole_meshlets() {
    Way out{"mdi-whole-meshlets", {}};
    out.settings.backend = render::Backend::kMdi;
    out.settings.cull_sublets = false;
    return out;
}

bool every_way() {
    static const bool every = environment_variable("SUBLET_EVERY_WAY").has_value();
    return every;
}

namespace {

// Each backend, or those of these; mdi in both of its forms.
std::vector<Way> ways_of(std::initializer_list<render::Backend> backends) {
    std::vector<Way> out;
    for (const render::Backend backend : render::all_backends()) {
        if (!every_way() && std::ranges::find(backends, backend) == backends.end()) continue;
        out.push_back({std::string(render::backend_name(backend)), {}});
        out.back().settings.backend = backend;
        if (backend == render::Backend::kMdi) out.push_back(whole_meshlets());
    }
    std::ranges::stable_partition(out, [](const Way& way) { return way.settings.backend == render::Backend::kDirect; });
    return out;
}

std::vector<Way> drawn_by(const Bench& bench, std::vector<Way> out) {
    std::erase_if(out, [&](const Way& way) {
        return render::backend_unavailable(*way.settings.backend, bench.device().capabilities(),
                                           bench.renderer().facts())
            .has_value();
    });
    return out;
}

}  // namespace

std::vector<Way> tried_ways() {
    using render::Backend;
    return ways_of({Backend::kDirect, Backend::kMdi, Backend::kCompact, Backend::kMeshSublets,
                    Backend::kTaskHierarchical, Backend::kRaster});
}

std::vector<Way> ways(const Bench& bench) {
    return drawn_by(bench, tried_ways());
}

std::vector<Way> ways(const Bench& bench, std::initializer_list<render::Backend> of) {
    return drawn_by(bench, ways_of(of));
}

std::string test_name(const Way& way) {
    std::string name = way.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

scene::EncodedScene encode(scene::ImportedScene&& imported, mesh::Levels levels) {
    ThreadPool pool;
    return scene::encode_scene(std::move(imported), {.levels = levels}, pool);
}

scene::EncodedScene with_wide_positions(scene::EncodedScene scene) {
    const mesh::Geometry plain = mesh::recode(scene.geometry, mesh::Coding::kPlain);
    mesh::Geometry wide;
    mesh::append(wide, plain.view());
    wide.streams.clear();
    wide.payload.clear();
    std::uint32_t first_attribute = 0;
    for (std::uint32_t m = 0; m < wide.meshes.size(); ++m) {
        shared::MeshHeader& header = wide.meshes[m];
        const int finer = m % 2 == 0 ? mesh::kMostPositionBits - static_cast<int>(header.position_bits) : 0;
        header.position_bits += static_cast<std::uint32_t>(finer);
        header.position_exponent -= finer;
        header.aabb_min.w = std::ldexp(header.aabb_min.w, -finer);
        header.attribute_stride = mesh::attribute_stride(header);
        header.first_attribute = first_attribute;
        first_attribute += header.vertex_count * header.attribute_stride;
        const mesh::MeshView view = mesh::mesh_view(plain.view(), m);
        const std::vector<std::uint32_t> words = mesh::encode_compact(header, [&](std::uint32_t s) {
            mesh::DecodedSublet sublet = mesh::decode_sublet(view, s);
            for (mesh::GridPoint& p : sublet.positions) p = {p[0] << finer, p[1] << finer, p[2] << finer};
            return sublet;
        });
        header.streams_present |= shared::kCompactBit;
        header.first_stream = 0;
        header.payload_offset = static_cast<std::uint32_t>(wide.payload.size());
        header.payload_size = static_cast<std::uint32_t>(words.size());
        wide.payload.insert(wide.payload.end(), words.begin(), words.end());
    }
    mesh::validate(wide.view(), "wide positions");
    // And morph targets, which are predicted by positions.
    auto geometry = std::make_shared<mesh::Geometry>(mesh::recode(wide.view(), mesh::Coding::kCompact));
    mesh::validate(geometry->view(), "wide positions");
    scene.geometry = geometry->view();
    scene.storage = std::move(geometry);
    return scene;
}

Difference compare(const render::Picture& reference, const render::Picture& picture,
                   const render::AmbiguousPixels& ambiguous) {
    Difference out;
    const std::size_t words = reference.ids.size() / reference.depth.size();  // of an id
    for (std::size_t i = 0; i < reference.depth.size(); ++i) {
        const bool depth =
            std::bit_cast<std::uint32_t>(reference.depth[i]) != std::bit_cast<std::uint32_t>(picture.depth[i]);
        const bool color = std::memcmp(&reference.rgba[i * 4], &picture.rgba[i * 4], 4) != 0;
        const bool id =
            !std::equal(&reference.ids[i * words], &reference.ids[i * words] + words, &picture.ids[i * words]);
        const bool tie = (ambiguous.mask[i] & 1) != 0;
        const bool snapped = (ambiguous.mask[i] & 2) != 0;
        out.depth += depth && !snapped ? 1 : 0;
        out.color += (color && !id) || (id && !depth && !tie && !snapped) ? 1 : 0;
        out.excused += (depth && snapped) || (id && (tie || snapped)) ? 1 : 0;
    }
    return out;
}

Color color_at(const render::Picture& picture, std::size_t pixel) {
    return {picture.rgba[4 * pixel], picture.rgba[4 * pixel + 1], picture.rgba[4 * pixel + 2]};
}

bool near_to(const Color& a, const Color& b, int most) {
    return std::abs(a[0] - b[0]) <= most && std::abs(a[1] - b[1]) <= most && std::abs(a[2] - b[2]) <= most;
}

double coverage(const render::Picture& picture) {
    std::size_t covered = 0;
    for (const float depth : picture.depth) covered += depth > 0.0F ? 1 : 0;
    return static_cast<double>(covered) / static_cast<double>(picture.depth.size());
}

void save(const render::Picture& picture, const std::string& name) {
    std::ofstream file(name + ".ppm", std::ios::binary);
    file << "P6\n" << picture.width << ' ' << picture.height << "\n255\n";
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
        file.write(reinterpret_cast<const char*>(&picture.rgba[i]), 3);
    }
}

}  // namespace sublet::test
