// glTF files of EXT_meshopt_compression, made by the tests that read them.
#pragma once

#include <cstddef>
#include <vector>

#include "gltf_builder.h"

namespace sublet::scene::testing {

// So many elements of so many bytes, by the codec of vertices.
std::vector<unsigned char> meshopt_vertices(const void* data, std::size_t count, std::size_t stride);

// Replaces buffer view `view` by a compressed one; the original bytes move to a fallback buffer that is not there.
void compress_view(GltfBuilder& builder, int view, const std::vector<unsigned char>& data, std::size_t count,
                   std::size_t stride, const char* mode, const char* filter = nullptr,
                   const char* extension = "EXT_meshopt_compression");

// Adds that buffer, and requires the extension.
void add_fallback_buffer(GltfBuilder& builder);

}  // namespace sublet::scene::testing
