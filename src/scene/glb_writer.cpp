#include "scene/glb_writer.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/path_text.h"

namespace sublet::scene {

using nlohmann::json;

void GlbWriter::write(const std::filesystem::path& path) {
    if (!extensions_.empty()) root["extensionsUsed"] = extensions_;
    if (!required_.empty()) root["extensionsRequired"] = required_;
    pad(4);
    if (!binary_.empty()) root["buffers"] = json::array({{{"byteLength", binary_.size()}}});
    std::string text = root.dump(-1, ' ', false, json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::uint64_t length = 12 + 8 + text.size() + (binary_.empty() ? 0 : 8 + binary_.size());
    if (length > std::numeric_limits<std::uint32_t>::max()) {
        throw Error(path_text(path), "size",
                    "the decoded scene has " + std::to_string(length) + " bytes; a .glb holds at most 4 GiB");
    }
    AtomicFile file(path);
    const auto words = [&](std::initializer_list<std::uint32_t> values) {
        file.write_objects(std::span<const std::uint32_t>(values.begin(), values.size()));
    };
    words({0x46546C67U, 2U, static_cast<std::uint32_t>(length)});
    words({static_cast<std::uint32_t>(text.size()), 0x4E4F534AU});
    file.write(text);
    if (!binary_.empty()) {
        words({static_cast<std::uint32_t>(binary_.size()), 0x004E4942U});
        file.write(binary_);
    }
    file.commit();
}

void GlbWriter::use_extension(const char* name) {
    if (std::ranges::find(extensions_, name) == extensions_.end()) extensions_.emplace_back(name);
}

void GlbWriter::require_extension(const char* name) {
    use_extension(name);
    required_.insert(name);
}

std::size_t GlbWriter::add(const char* array, json&& object) {
    root[array].push_back(std::move(object));
    return root[array].size() - 1;
}

std::size_t GlbWriter::add_view(std::span<const std::byte> bytes, int target) {
    pad(4);
    json view{{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", bytes.size()}};
    if (target != kNoTarget) view["target"] = target;
    binary_.insert(binary_.end(), bytes.begin(), bytes.end());
    return add("bufferViews", std::move(view));
}

std::size_t GlbWriter::add_floats(std::span<const float> values, std::size_t components, bool with_bounds) {
    static constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    json accessor{{"bufferView", add_view(std::as_bytes(values), kNoTarget)},
                  {"componentType", kFloat},
                  {"count", values.size() / components},
                  {"type", components == 16 ? "MAT4" : kTypes[components - 1]}};
    if (with_bounds) {
        const auto [least, most] = std::ranges::minmax_element(values);
        accessor["min"] = {*least};
        accessor["max"] = {*most};
    }
    return add("accessors", std::move(accessor));
}

std::size_t GlbWriter::add_booleans(std::span<const float> values) {
    std::vector<std::uint8_t> bytes;
    for (const float value : values) bytes.push_back(value != 0.0F ? 1 : 0);
    return add("accessors", {{"bufferView", add_view(std::as_bytes(std::span(bytes)), kNoTarget)},
                             {"componentType", kByte},
                             {"count", bytes.size()},
                             {"type", "SCALAR"}});
}

void set_name(nlohmann::json& object, const std::string& name) {
    if (!name.empty()) object["name"] = name;
}

}  // namespace sublet::scene
