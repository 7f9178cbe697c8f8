#include "meshopt_files.h"

#include <meshoptimizer.h>

#include <span>

namespace sublet::scene::testing {

std::vector<unsigned char> meshopt_vertices(const void* data, std::size_t count, std::size_t stride) {
    std::vector<unsigned char> result(meshopt_encodeVertexBufferBound(count, stride));
    result.resize(meshopt_encodeVertexBuffer(result.data(), result.size(), data, count, stride));
    return result;
}

void compress_view(GltfBuilder& builder, int view, const std::vector<unsigned char>& data, std::size_t count,
                   std::size_t stride, const char* mode, const char* filter, const char* extension) {
    const int packed = builder.view(std::as_bytes(std::span(data)));
    const json source = builder.root["bufferViews"].back();
    builder.root["bufferViews"].erase(static_cast<std::size_t>(packed));
    json& target = builder.root["bufferViews"][static_cast<std::size_t>(view)];
    target["buffer"] = 1;
    target["extensions"][extension] = {{"buffer", 0},
                                       {"byteOffset", source["byteOffset"]},
                                       {"byteLength", source["byteLength"]},
                                       {"byteStride", stride},
                                       {"count", count},
                                       {"mode", mode}};
    if (filter != nullptr) target["extensions"][extension]["filter"] = filter;
}

void add_fallback_buffer(GltfBuilder& builder) {
    builder.root["buffers"].push_back(
        {{"byteLength", 1 << 20}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
    builder.root["extensionsUsed"] = {"EXT_meshopt_compression"};
    builder.root["extensionsRequired"] = {"EXT_meshopt_compression"};
}

}  // namespace sublet::scene::testing
