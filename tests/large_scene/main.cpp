// Writes a scene as large as somebody asks for: stones that are all unlike, in rows. For measuring what streams
// (docs/BENCHMARKS.md).
//
//     large_scene OUTPUT.glb|OUTPUT.gltf STONES TRIANGLES
//
// A .glb holds less than 4 GiB; beside a .gltf each stone has a file.
//
// paths.py writes camera paths over them.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using Vec3 = std::array<float, 3>;

constexpr float kSpacing = 3.0F;
constexpr std::uint32_t kSides = 6;  // of the cube that is blown up to a sphere

struct Wave {
    Vec3 direction{};
    float amplitude = 0.0F, phase = 0.0F;
};

// A stone's radius is 1 and a sum of waves, the finer the flatter.
std::vector<Wave> make_waves(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<Wave> out;
    for (int octave = 0; octave < 8; ++octave) {
        const float frequency = 1.5F * std::exp2(static_cast<float>(octave));
        for (int i = 0; i < 4; ++i) {
            Wave wave;
            for (float& x : wave.direction) x = frequency * normal(random);
            wave.amplitude = 0.11F / std::pow(frequency, 0.9F);
            wave.phase = 3.0F * normal(random);
            out.push_back(wave);
        }
    }
    return out;
}

float dot(const Vec3& a, const Vec3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vec3 unit(Vec3 v) {
    const float scale = 1.0F / std::sqrt(dot(v, v));
    for (float& x : v) x *= scale;
    return v;
}

struct Vertex {
    Vec3 position, normal;
};

Vertex make_vertex(const std::vector<Wave>& waves, std::uint32_t side, float s, float t) {
    // Evener on the sphere than on the cube.
    const float u = std::tan(s * 0.785398163F), v = std::tan(t * 0.785398163F);
    const std::uint32_t axis = side / 2;
    const float sign = side % 2 == 0 ? 1.0F : -1.0F;
    Vec3 at{};
    at[axis] = sign;
    at[(axis + 1) % 3] = u * sign;
    at[(axis + 2) % 3] = v;
    at = unit(at);
    float radius = 1.0F;
    Vec3 slope{};
    for (const Wave& wave : waves) {
        const float angle = dot(wave.direction, at) + wave.phase;
        radius += wave.amplitude * std::sin(angle);
        const float rise = wave.amplitude * std::cos(angle);
        for (std::size_t i = 0; i < 3; ++i) slope[i] += rise * wave.direction[i];
    }
    const float outward = dot(slope, at);
    Vertex out{};
    for (std::size_t i = 0; i < 3; ++i) {
        out.position[i] = radius * at[i];
        out.normal[i] = radius * at[i] - (slope[i] - outward * at[i]);
    }
    out.normal = unit(out.normal);
    return out;
}

struct Stone {
    std::vector<Vec3> positions, normals;
    Vec3 low{}, high{};
};

Stone make_stone(std::uint32_t seed, std::uint32_t cells) {
    const std::vector<Wave> waves = make_waves(seed);
    Stone out;
    out.low.fill(10.0F);
    out.high.fill(-10.0F);
    for (std::uint32_t side = 0; side < kSides; ++side) {
        for (std::uint32_t y = 0; y <= cells; ++y) {
            for (std::uint32_t x = 0; x <= cells; ++x) {
                const auto place = [&](std::uint32_t i) {
                    return 2.0F * static_cast<float>(i) / static_cast<float>(cells) - 1.0F;
                };
                const Vertex vertex = make_vertex(waves, side, place(x), place(y));
                out.positions.push_back(vertex.position);
                out.normals.push_back(vertex.normal);
                for (std::size_t i = 0; i < 3; ++i) {
                    out.low[i] = std::min(out.low[i], vertex.position[i]);
                    out.high[i] = std::max(out.high[i], vertex.position[i]);
                }
            }
        }
    }
    return out;
}

std::vector<std::uint32_t> make_indices(std::uint32_t cells) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t side = 0; side < kSides; ++side) {
        for (std::uint32_t y = 0; y < cells; ++y) {
            for (std::uint32_t x = 0; x < cells; ++x) {
                const std::uint32_t a = (side * (cells + 1) + y) * (cells + 1) + x;
                const std::uint32_t b = a + 1, c = a + cells + 1, d = c + 1;
                out.insert(out.end(), {a, b, d, a, d, c});
            }
        }
    }
    return out;
}

std::string text(const Vec3& v) {
    return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + "]";
}

template <class T>
void write(std::ofstream& out, const std::vector<T>& data) {
    out.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size() * sizeof(T)));
}

void write_word(std::ofstream& out, std::uint64_t word) {
    if (word > UINT32_MAX) {
        std::cerr << "large_scene: a .glb holds less than 4 GiB\n";
        std::exit(1);
    }
    const auto bytes = static_cast<std::uint32_t>(word);
    out.write(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
}

void check(std::ofstream& out, const std::filesystem::path& output) {
    if (out.flush()) return;
    std::cerr << "large_scene: " << output.string() << " can't be written\n";
    std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: large_scene OUTPUT.glb|OUTPUT.gltf STONES TRIANGLES\n";
        return 2;
    }
    const auto count = static_cast<std::uint32_t>(std::stoul(argv[2]));
    const double triangles = std::stod(argv[3]) / count;
    const auto cells = std::max(1U, static_cast<std::uint32_t>(std::sqrt(triangles / (2 * kSides))));
    std::vector<Stone> stones(count);
    std::atomic<std::uint32_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        threads.emplace_back([&] {
            for (std::uint32_t s = next++; s < count; s = next++) stones[s] = make_stone(s + 1, cells);
        });
    }
    for (std::thread& thread : threads) thread.join();
    const std::vector<std::uint32_t> indices = make_indices(cells);

    const std::uint64_t vertices = stones[0].positions.size(), bytes = vertices * sizeof(Vec3);
    const std::uint64_t index_bytes = indices.size() * sizeof(std::uint32_t);
    const std::uint64_t binary = index_bytes + count * 2 * bytes;
    const std::filesystem::path output = argv[1];
    const bool apart = output.extension() == ".gltf";
    const auto file_of = [&](std::uint32_t number) {  // of the indices, or of the stone before it
        return output.stem().string() + std::to_string(number) + ".bin";
    };
    std::string buffers = R"({"byteLength":)" + std::to_string(apart ? index_bytes : binary) +
                          (apart ? R"(,"uri":")" + file_of(0) + "\"}" : "}");
    std::string views = R"({"buffer":0,"byteLength":)" + std::to_string(index_bytes) + "}";
    std::string accessors =
        R"({"bufferView":0,"componentType":5125,"type":"SCALAR","count":)" + std::to_string(indices.size()) + "}";
    std::string meshes, nodes, roots;
    const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
    for (std::uint32_t s = 0; s < count; ++s) {
        for (int i = 0; i < 2; ++i) {
            const std::uint64_t offset = apart ? i * bytes : index_bytes + (2 * std::uint64_t{s} + i) * bytes;
            views += R"(,{"buffer":)" + std::to_string(apart ? s + 1 : 0) + R"(,"byteOffset":)" +
                     std::to_string(offset) + R"(,"byteLength":)" + std::to_string(bytes) + "}";
            accessors += R"(,{"bufferView":)" + std::to_string(2 * s + i + 1) +
                         R"(,"componentType":5126,"type":"VEC3","count":)" + std::to_string(vertices);
            if (i == 0) {
                accessors += R"(,"min":)" + text(stones[s].low) + R"(,"max":)" + text(stones[s].high);
            }
            accessors += "}";
        }
        if (apart) {
            buffers += R"(,{"byteLength":)" + std::to_string(2 * bytes) + R"(,"uri":")" + file_of(s + 1) + "\"}";
        }
        const std::string comma = s == 0 ? "" : ",";
        meshes += comma + R"({"primitives":[{"indices":0,"attributes":{"POSITION":)" + std::to_string(2 * s + 1) +
                  R"(,"NORMAL":)" + std::to_string(2 * s + 2) + "}}]}";
        const Vec3 place{kSpacing * static_cast<float>(s % columns), 0.0F, kSpacing * static_cast<float>(s / columns)};
        nodes += comma + R"({"mesh":)" + std::to_string(s) + R"(,"translation":)" + text(place) + "}";
        roots += comma + std::to_string(s);
    }
    std::string json = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[)" + roots + R"(]}],"nodes":[)" +
                       nodes + R"(],"meshes":[)" + meshes + R"(],"accessors":[)" + accessors + R"(],"bufferViews":[)" +
                       views + R"(],"buffers":[)" + buffers + "]}";
    json.resize((json.size() + 3) / 4 * 4, ' ');

    std::ofstream out(output, std::ios::binary);
    const auto begin_file = [&](std::uint32_t number) {
        if (!apart) return;
        check(out, output);
        out = std::ofstream(std::filesystem::path(output).replace_filename(file_of(number)), std::ios::binary);
    };
    if (apart) {
        out.write(json.data(), static_cast<std::streamsize>(json.size()));
    } else {
        out.write("glTF", 4);
        for (const std::uint64_t word :
             {std::uint64_t{2}, 12 + 8 + json.size() + 8 + binary, std::uint64_t{json.size()}})
            write_word(out, word);
        out.write("JSON", 4);
        out.write(json.data(), static_cast<std::streamsize>(json.size()));
        write_word(out, binary);
        out.write("BIN\0", 4);
    }
    begin_file(0);
    write(out, indices);
    for (std::uint32_t s = 0; s < count; ++s) {
        begin_file(s + 1);
        write(out, stones[s].positions);
        write(out, stones[s].normals);
    }
    check(out, output);
    std::cout << count << " stones of " << indices.size() / 3 << " triangles, " << binary << " bytes\n";
    return 0;
}
