#include "render/scene/decoded_vertices.h"

#include <utility>

#include "render/passes/storage_buffer.h"
#include "render/scene/decode.h"

namespace sublet::render {

std::uint64_t DecodedVertices::bytes() const {
    std::uint64_t bytes = 0;
    for (const gpu::Buffer* buffer : {&positions, &attributes, &leads, &compact_records})
        bytes += *buffer ? buffer->size() : 0;
    return bytes;
}

void make_vertices(gpu::Device& device, const GpuScene& scene) {
    DecodedVertices& made = *scene.vertices;
    made.attributes = make_storage_buffer(device, "decoded attributes", scene.residency.attribute_words * 4);
    if (scene.with_leads) made.leads = make_storage_buffer(device, "leads", scene.residency.vertices * 4);
    made.positions = make_storage_buffer(device, "decoded positions", scene.residency.vertices * 8);
}

bool reads_vertices(const FramePlan& plan, const GpuScene& scene) {
    return plan.payload == Payload::kDecoded || scene.deform.any();
}

void need_vertices(const FrameContext& context, const FramePlan& plan, const GpuScene& scene) {
    DecodedVertices& made = *scene.vertices;
    std::uint32_t parts = 0;
    if (!made.positions && reads_vertices(plan, scene)) {
        make_vertices(context.device, scene);
        parts |= shared::kDecodeVertices;
    }
    if (!made.compact_records && encoded_as(plan) == shared::kEncodedCompact) {
        made.compact_records = make_storage_buffer(context.device, "compact records",
                                                   scene.residency.sublets * sizeof(shared::CompactRecord));
        parts |= shared::kDecodeCompactRecords;
    }
    if (parts == 0) return;
    const auto pass = context.pass("decode");
    record_decode(context.frame.commands, *context.frame.descriptors, context.pipelines, scene, parts);
}

void forget_vertices(gpu::Device& device, const GpuScene& scene) {
    DecodedVertices& made = *scene.vertices;
    device.retire(std::exchange(made.compact_records, {}));
    if (!scene.deform.any()) device.retire(std::exchange(made, {}));
}

}  // namespace sublet::render
