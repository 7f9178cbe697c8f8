// What the GPU makes of a pose, read back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "harness.h"
#include "render/scene/deform.h"
#include "render/scene/gpu_scene.h"

namespace sublet::test {

struct Deformed {
    std::vector<shared::uvec4> vectors;
    std::vector<shared::Bound> sublets, meshlets;
    std::vector<shared::MeshHeader> headers;  // those of poses
    std::vector<shared::DeformedMesh> meshes;
    std::vector<std::uint32_t> rounds;  // in which they were deformed
};

// Of a mesh that has room for its vertices.
[[nodiscard]] glm::vec3 position_of(const Deformed& is, std::size_t mesh, std::size_t vertex);
[[nodiscard]] const shared::uvec4& vertex_of(const Deformed& is, std::size_t mesh, std::size_t vertex);

// How far a point lies outside of a sphere; inside: less than 0.
[[nodiscard]] double outside(const shared::vec4& sphere, const glm::vec3& point);

// Poses a scene and deforms it, step by step.
class Deformer {
  public:
    Deformer(Bench& bench, const render::GpuScene& scene);

    void pose(double time);
    void all();
    // For a view that sees what lies within this half space: dot(xyz, p) + w >= 0.
    void within(const shared::vec4& plane);
    [[nodiscard]] Deformed read() const;

  private:
    void record(const shared::FrameData& data, bool all);

    Bench& bench_;
    const render::GpuScene& scene_;
    gpu::Profiler profiler_;
    gpu::Pipelines pipelines_;
    gpu::Buffer frame_data_;
    render::DeformPass pass_;
};

// All of it at that time.
[[nodiscard]] Deformed deform_by_gpu(Bench& bench, const render::GpuScene& scene, double time);

}  // namespace sublet::test
