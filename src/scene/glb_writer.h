// A binary glTF 2.0 file while it is put together: its JSON, its bytes, and where they lie.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sublet::scene {

class GlbWriter {
  public:
    static constexpr int kByte = 5121, kShort = 5123, kInt = 5125, kFloat = 5126;  // of components
    static constexpr int kVertexData = 34962, kIndexData = 34963, kNoTarget = 0;   // of buffer views

    GlbWriter() { root["asset"] = {{"version", "2.0"}, {"generator", "Sublet"}}; }

    // Writes the file under a temporary name and renames it. Throws Error where it can't, or at 4 GiB.
    void write(const std::filesystem::path& path);

    void use_extension(const char* name);
    // One that a reader can't do without: there is nothing beside it in the file.
    void require_extension(const char* name);

    // Appends to an array of the document; returns its number there.
    std::size_t add(const char* array, nlohmann::json&& object);

    // Appends bytes to the binary chunk; returns the buffer view.
    std::size_t add_view(std::span<const std::byte> bytes, int target);

    // An accessor over the values, which are not none: floats or shorts, by components of 1 to 4.
    template <typename T, std::size_t N>
    std::size_t add_vectors(std::span<const std::array<T, N>> values, int component_type, bool with_bounds = false) {
        constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
        nlohmann::json accessor{{"bufferView", add_view(std::as_bytes(values), kVertexData)},
                                {"componentType", component_type},
                                {"count", values.size()},
                                {"type", kTypes[N - 1]}};
        if (with_bounds) {
            std::array<T, N> least = values[0];
            std::array<T, N> most = values[0];
            for (const auto& value : values) {
                for (std::size_t c = 0; c < N; ++c) {
                    least[c] = std::min(least[c], value[c]);
                    most[c] = std::max(most[c], value[c]);
                }
            }
            accessor["min"] = least;
            accessor["max"] = most;
        }
        return add("accessors", std::move(accessor));
    }

    // Of numbers that are 0 or 1: as unsigned bytes.
    std::size_t add_booleans(std::span<const float> values);

    // Of no vertices: 1 to 4 components, or 16 of a matrix.
    std::size_t add_floats(std::span<const float> values, std::size_t components, bool with_bounds = false);

    nlohmann::json root = nlohmann::json::object();

  private:
    void pad(std::size_t alignment) { binary_.resize((binary_.size() + alignment - 1) / alignment * alignment); }

    std::vector<std::byte> binary_;
    std::vector<std::string> extensions_;
    std::set<std::string> required_;  // of them
};

// Where there is a name.
void set_name(nlohmann::json& object, const std::string& name);

}  // namespace sublet::scene
