// sublet bench --micro decode: the decode pass alone, over sizes of mesh.
#include <array>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <utility>

#include "app/micro.h"
#include "app/text.h"
#include "base/thread_pool.h"
#include "render/scene/decode.h"
#include "render/scene/gpu_scene.h"
#include "scene/container.h"
#include "scene/import.h"

namespace sublet::app {
namespace {

// Quads along each side of a rippled sheet.
constexpr std::array<std::uint32_t, 4> kSides{32, 128, 384, 1024};

// Positions, normals and UVs: what most scenes have.
scene::EncodedScene make_sheet(std::uint32_t side, ThreadPool& pool) {
    scene::SourceMesh sheet;
    const float step = 1.0F / static_cast<float>(side);
    for (std::uint32_t j = 0; j <= side; ++j) {
        for (std::uint32_t i = 0; i <= side; ++i) {
            const float u = static_cast<float>(i) * step;
            const float v = static_cast<float>(j) * step;
            sheet.positions.push_back({u, 0.03F * std::sin(20.0F * u) * std::sin(17.0F * v), v});
            const float x = -0.6F * std::cos(20.0F * u) * std::sin(17.0F * v);
            const float z = -0.51F * std::sin(20.0F * u) * std::cos(17.0F * v);
            const float length = std::sqrt(x * x + 1.0F + z * z);
            sheet.normals.push_back({x / length, 1.0F / length, z / length});
            sheet.uv0.push_back({u, v});
        }
    }
    const std::array places{glm::vec3(0.0F)};
    return encode_sheet(std::move(sheet), {side, side}, places, pool);
}

std::vector<std::pair<std::uint32_t, mesh::Coding>> sides_and_codings() {
    std::vector<std::pair<std::uint32_t, mesh::Coding>> out;
    for (const mesh::Coding coding : {mesh::Coding::kPlain, mesh::Coding::kCompact}) {
        for (const std::uint32_t side : kSides) out.emplace_back(side, coding);
    }
    return out;
}

}  // namespace

Json run_micro_decode(MicroContext& context) {
    gpu::Device& device = context.device();
    gpu::Pipelines pipelines(device);
    ThreadPool pool;
    Table table({"coding", "triangles", "vertices", "payload", "decoded", "vertices, ms", "8-bit indices, ms",
                 "32-bit indices, ms", "Mtriangles/s"});
    Json runs = Json::array();
    for (const auto& [side, coding] : sides_and_codings()) {
        const scene::EncodedScene encoded = scene::with_coding(make_sheet(side, pool), coding, &pool);
        const char* const name = coding == mesh::Coding::kCompact ? "compact" : "plain";
        const auto scene = render::upload_scene(device, encoded, {.grid = {}, .vram_budget = ~std::uint64_t{0}});
        render::make_vertices(device, *scene);
        const gpu::Buffer narrow = render::make_index_buffer(device, *scene, 8);
        const gpu::Buffer wide = render::make_index_buffer(device, *scene, 32);
        const Timing vertices = context.time("decoding vertices", [&](gpu::Frame& frame, gpu::Profiler&) {
            render::record_decode(frame.commands, *frame.descriptors, pipelines, *scene,
                                  shared::kDecodeRecords | shared::kDecodeVertices);
        });
        const auto indices = [&](const gpu::Buffer& buffer, std::uint32_t bits) {
            return context.time("decoding indices", [&](gpu::Frame& frame, gpu::Profiler&) {
                render::record_decode_indices(frame.commands, *frame.descriptors, pipelines, *scene, buffer, bits);
            });
        };
        const Timing narrow_time = indices(narrow, 8);
        const Timing wide_time = indices(wide, 32);
        device.wait_idle();
        const std::uint64_t decoded = scene->decoded_bytes + scene->vertices->bytes();
        const double all = vertices.ms.median + narrow_time.ms.median;
        const double rate = static_cast<double>(scene->triangle_count) / (all * 1e3);
        table.add({name, grouped(scene->triangle_count), grouped(scene->residency.vertices),
                   byte_text(scene->payload.size()), byte_text(decoded + narrow.size()), fixed(vertices.ms.median, 4),
                   fixed(narrow_time.ms.median, 4), fixed(wide_time.ms.median, 4), fixed(rate, 1)});
        runs.push_back({{"coding", name},
                        {"triangles", scene->triangle_count},
                        {"vertices", scene->residency.vertices},
                        {"payload_bytes", scene->payload.size()},
                        {"decoded_bytes", decoded},
                        {"vertices_ms", summary_json(vertices.ms)},
                        {"indices_8_ms", summary_json(narrow_time.ms)},
                        {"indices_32_ms", summary_json(wide_time.ms)}});
    }
    table.print(context.human());
    return {{"runs", std::move(runs)}};
}

}  // namespace sublet::app
