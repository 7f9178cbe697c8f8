#include "deformed.h"

#include <bit>
#include <cstring>
#include <glm/geometric.hpp>

#include "gpu/upload.h"
#include "render/scene/animate.h"
#include "render/scene/decode.h"
#include "render/view/geometry_state.h"
#include "shaders/shared/bindings.h"

namespace sublet::test {

const shared::uvec4& vertex_of(const Deformed& is, std::size_t mesh, std::size_t vertex) {
    const shared::DeformedMesh& m = is.meshes[mesh];
    const std::uint32_t number = is.vectors[m.first_number + vertex / 4][static_cast<std::uint32_t>(vertex % 4)];
    return is.vectors[m.first_vertex + number];
}

glm::vec3 position_of(const Deformed& is, std::size_t mesh, std::size_t vertex) {
    const shared::uvec4& at = vertex_of(is, mesh, vertex);
    return {std::bit_cast<float>(at.x), std::bit_cast<float>(at.y), std::bit_cast<float>(at.z)};
}

double outside(const shared::vec4& sphere, const glm::vec3& point) {
    const glm::dvec3 center(sphere.x, sphere.y, sphere.z);
    return glm::distance(center, glm::dvec3(point)) - static_cast<double>(sphere.w);
}

Deformer::Deformer(Bench& bench, const render::GpuScene& scene)
    : bench_(bench),
      scene_(scene),
      profiler_(bench.device()),
      pipelines_(bench.device()),
      frame_data_(render::make_frame_data(bench.device(), "test")) {
    pipelines_.specialize({{shared::kSpecDeforms, scene.deform.kinds}});
    render::make_vertices(bench.device(), scene);
    gpu::submit_and_wait(bench.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        render::record_decode(commands, arena, pipelines_, scene, shared::kDecodeRecords | shared::kDecodeVertices);
    });
}

void Deformer::pose(double time) {
    gpu::submit_and_wait(bench_.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        gpu::Frame frame{.commands = commands, .descriptors = &arena};
        record_animate({bench_.device(), frame, profiler_, pipelines_, {}}, scene_,
                       render::animation_times(scene_, time));
    });
    pass_.poses_changed();
}

void Deformer::record(const shared::FrameData& data, bool all) {
    std::memcpy(frame_data_.mapped(), &data, sizeof(data));
    gpu::submit_and_wait(bench_.device(), "test", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
        gpu::Frame frame{.commands = commands, .descriptors = &arena};
        pass_.record({bench_.device(), frame, profiler_, pipelines_, {}}, scene_,
                     {.data = data, .frame_data = frame_data_, .all = all});
    });
}

void Deformer::all() {
    record({}, true);
}

void Deformer::within(const shared::vec4& plane) {
    shared::FrameData data{};
    for (shared::vec4& each : data.cull.planes) each = plane;
    data.cull_flags = shared::kCullInstances | shared::kCullFrustum;
    record(data, false);
}

Deformed Deformer::read() const {
    const auto read = [&]<class T>(const gpu::Buffer& buffer, std::vector<T>& to, std::size_t skip = 0) {
        to = gpu::read_buffer_as<T>(bench_.device(), buffer, skip * sizeof(T), buffer.size() / sizeof(T) - skip);
    };
    Deformed out;
    read(scene_.deform.vectors, out.vectors);
    read(scene_.sublet_bounds, out.sublets);
    read(scene_.meshlet_bounds, out.meshlets);
    read(scene_.meshes, out.headers, scene_.mesh_count);
    read(scene_.deform.pose_rounds, out.rounds);
    out.meshes =
        gpu::read_buffer_as<shared::DeformedMesh>(bench_.device(), scene_.deform.vectors, 0, scene_.deform.mesh_count);
    return out;
}

Deformed deform_by_gpu(Bench& bench, const render::GpuScene& scene, double time) {
    Deformer deformer(bench, scene);
    deformer.pose(time);
    deformer.all();
    return deformer.read();
}

}  // namespace sublet::test
