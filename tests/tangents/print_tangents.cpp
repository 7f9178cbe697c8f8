// Writes what the tangents of a file's normal-mapped meshes are made from, and the tangents, for another program to
// compare: for each mesh the number of its corners (32 bits), then 16 floats for each corner: position, normal, UV,
// tangent, and the tangent as it decodes once it is packed. Tangents that the file gives are made anew.
//   print_tangents [--every] MODEL OUT      --every: also of meshes without a normal map, by their first UVs
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/thread_pool.h"
#include "mesh/tangents.h"
#include "mesh/vertices.h"
#include "scene/import.h"

namespace {

using namespace sublet;

void append(std::vector<float>& out, const auto& values) {
    out.insert(out.end(), values.begin(), values.end());
}

std::vector<float> corners_of(const scene::SourceMesh& mesh, const std::vector<std::array<float, 2>>& uv,
                              ThreadPool& pool) {
    const mesh::TangentMesh made = mesh::make_tangents({mesh.positions, mesh.normals, uv, mesh.indices}, &pool);
    std::vector<float> out;
    for (std::size_t c = 0; c < mesh.indices.size(); ++c) {
        const std::uint32_t v = mesh.indices[c];
        const std::array<float, 4>& tangent = made.tangents[made.indices[c]];
        append(out, mesh.positions[v]);
        append(out, mesh.normals[v]);
        append(out, uv[v]);
        append(out, tangent);
        append(out, mesh::decode_tangent(mesh::quantize_normal_tangent(mesh.normals[v], tangent)));
    }
    return out;
}

void print(const char* model, const char* to, bool every) {
    ThreadPool pool;
    const scene::ImportedScene imported = scene::import_gltf(model, {}, &pool);
    std::ofstream out(to, std::ios::binary);
    const auto write = [&](const void* bytes, std::size_t size) {
        out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    };
    for (const scene::SourceMeshGroup& group : imported.groups) {
        for (const scene::SourceMesh& mesh : group.meshes) {
            const scene::TextureRef& map = imported.scene.materials[mesh.material].normal_texture;
            const auto& uv = map.uv_set == 0 ? mesh.uv0 : mesh.uv1;
            if ((map.texture < 0 && !every) || uv.empty()) continue;
            const std::vector<float> corners = corners_of(mesh, uv, pool);
            const auto count = static_cast<std::uint32_t>(mesh.indices.size());
            write(&count, sizeof(count));
            write(corners.data(), corners.size() * sizeof(float));
        }
    }
    out.close();
    if (!out) throw Error(to, "", "cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
    const bool every = argc > 1 && std::string(argv[1]) == "--every";
    const int first = every ? 2 : 1;
    if (argc != first + 2) {
        std::cerr << "usage: print_tangents [--every] MODEL OUT\n";
        return 2;
    }
    try {
        print(argv[first], argv[first + 1], every);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
