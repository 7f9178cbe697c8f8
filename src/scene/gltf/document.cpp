#include "scene/gltf/document.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "scene/gltf/extensions.h"
#include "scene/gltf/schema.h"
#include "scene/gltf/uri.h"

namespace sublet::scene::gltf {
namespace {

using nlohmann::json;

constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;

// No valid stream of meshoptimizer's codecs decodes to more than this many times its size: the vertex codec spends two
// bits on 256 bytes at best.
constexpr std::uint64_t kMaxMeshoptRatio = 1024;
// Views may share compressed bytes. What all of them decode to is held to this, and this many times the file's size.
constexpr std::uint64_t kDecodedAlways = 64U << 20U;
constexpr std::uint64_t kDecodedPerByte = 64;

std::uint32_t read_u32(std::span<const std::byte> bytes, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string text_of(const json& object, const char* name) {
    const auto found = object.find(name);
    return found == object.end() ? std::string() : found->get<std::string>();
}

std::uint64_t count_of(const json& object, const char* name) {
    const auto found = object.find(name);
    return found == object.end() ? 0 : found->get<std::uint64_t>();
}

std::string quoted(const std::string& uri) {
    return "\"" + uri.substr(0, 80) + "\"";
}

// Where extensions are used that there is a note of, by their names: materials, meshes, nodes and so on.
std::map<std::string, NameList> users_of_extensions(const json& root) {
    constexpr std::pair<const char*, const char*> kThings[] = {
        {"materials", "material"}, {"textures", "texture"}, {"images", "image"}, {"meshes", "mesh"},
        {"nodes", "node"},         {"cameras", "camera"},   {"scenes", "scene"}, {"animations", "animation"}};
    std::map<std::string, NameList> users;
    const auto add = [&](const json& object, const char* thing, std::size_t number) {
        const auto extensions = object.find("extensions");
        if (extensions == object.end() || !extensions->is_object()) return;
        const auto name = object.find("name");
        const bool has_name = name != object.end() && name->is_string();
        for (const auto& [extension, value] : extensions->items()) {
            if (find_extension(extension) != nullptr && extension_note(extension).empty()) continue;
            users[extension].add(numbered_name(thing, number, has_name ? name->get<std::string>() : ""));
        }
    };
    for (const auto& [list, thing] : kThings) {
        const auto things = root.find(list);
        if (things == root.end() || !things->is_array()) continue;
        for (std::size_t i = 0; i < things->size(); ++i) {
            const json& object = (*things)[i];
            if (object.is_object()) add(object, thing, i);
        }
    }
    return users;
}

std::string indexed(const char* array, std::size_t index) {
    return std::string(array) + "[" + std::to_string(index) + "]";
}

}  // namespace

Document::Document(std::filesystem::path path, bool allow_outside, Required required)
    : path_(std::move(path)),
      allow_outside_(allow_outside),
      required_(required),
      name_(path_text(path_)),
      file_(path_) {
    const std::span<const std::byte> bytes = file_.bytes();
    bytes_read_ = bytes.size();
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    is_binary_ = text.starts_with("glTF");
    if (is_binary_) {
        text = split_glb(bytes);
    } else if (text.starts_with("\xEF\xBB\xBF")) {  // a byte order mark
        text.remove_prefix(3);
    }
    parse(text);
}

std::string_view Document::split_glb(std::span<const std::byte> bytes) {
    constexpr std::size_t kHeader = 12;
    constexpr std::size_t kChunkHeader = 8;
    if (bytes.size() < kHeader + kChunkHeader) {
        fail("GLB header", "the file is truncated: it has " + std::to_string(bytes.size()) + " bytes");
    }
    const std::uint32_t version = read_u32(bytes, 4);
    if (version != 2) fail("GLB header", "version " + std::to_string(version) + " is not known; only 2 is");
    const std::uint32_t length = read_u32(bytes, 8);
    if (length > bytes.size()) {
        fail("GLB header", "the file is truncated: it says it has " + std::to_string(length) + " bytes, but has " +
                               std::to_string(bytes.size()));
    }
    std::string_view text;
    std::size_t offset = kHeader;
    for (int chunk = 0; offset + kChunkHeader <= length; ++chunk) {
        const std::uint32_t size = read_u32(bytes, offset);
        const std::uint32_t type = read_u32(bytes, offset + 4);
        offset += kChunkHeader;
        if (size > length - offset) {
            fail("GLB chunk " + std::to_string(chunk), "the file is truncated: the chunk says it has " +
                                                           std::to_string(size) + " bytes, but " +
                                                           std::to_string(length - offset) + " are left");
        }
        const std::span<const std::byte> data = bytes.subspan(offset, size);
        if (chunk == 0) {
            if (type != kJsonChunk) fail("GLB chunk 0", "must be the JSON chunk");
            text = {reinterpret_cast<const char*>(data.data()), data.size()};
        } else if (type == kBinaryChunk && !has_binary_chunk_) {
            binary_chunk_ = data;
            has_binary_chunk_ = true;
        }
        offset += size;
    }
    return text;
}

void Document::parse(std::string_view text) {
    check_depth(text, name_);
    try {
        parse_checked(text);
    } catch (const json::exception& error) {
        // One line, and without the library's own tag: "[json.exception.parse_error.101] parse error at line 1, ...".
        std::string message = error.what();
        if (const std::size_t end = message.find("] "); end != std::string::npos) message.erase(0, end + 2);
        for (char& c : message) {
            if (static_cast<unsigned char>(c) < ' ') c = ' ';
        }
        fail("JSON", message.substr(0, 300));
    }
}

// As parse, but lets the JSON library's exceptions through.
void Document::parse_checked(std::string_view text) {
    json root = json::parse(text);
    if (!root.is_object()) fail("JSON", "must be an object");
    const auto asset = root.find("asset");
    if (asset == root.end() || !asset->is_object()) fail("asset", "is missing: this is not a glTF file");
    const auto version = asset->find("version");
    if (version == asset->end() || !version->is_string()) fail("asset.version", "is missing");
    if (!version->get<std::string>().starts_with("2.")) {
        fail("asset.version", "is " + version->dump().substr(0, 20) + "; only glTF 2 is read");
    }
    const std::map<std::string, NameList> users = users_of_extensions(root);
    for (const char* list : {"extensionsRequired", "extensionsUsed"}) {
        const auto found = root.find(list);
        if (found == root.end()) continue;
        if (!found->is_array()) fail(list, "must be an array of strings");
        for (const json& name : *found) {
            if (!name.is_string()) fail(list, "must be an array of strings");
            const auto extension = name.get<std::string>();
            if (std::string_view(list) == "extensionsRequired" && find_extension(extension) == nullptr) {
                if (required_ == Required::kMayBeUnknown) continue;
                fail(list, "needs the extension " + extension.substr(0, 80) + ", which is not supported");
            }
            const std::string text = extension_note(extension);
            if (text.empty()) continue;
            const auto used = users.find(extension);
            note(used == users.end() ? text : text + ": " + used->second.text());
        }
    }
    check_schema(root, name_);

    for (const json& entry : root.value("buffers", json::array())) {
        BufferSource source;
        source.byte_length = entry["byteLength"].get<std::uint64_t>();
        if (entry.contains("uri")) source.uri = entry["uri"].get<std::string>();
        buffers_.push_back(std::move(source));
    }
    for (const json& entry : root.value("bufferViews", json::array())) {
        ViewExtra view;
        for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
            if (!entry.contains("extensions") || !entry["extensions"].contains(name)) continue;
            const json& meshopt = entry["extensions"][name];
            view.compression = Compression{name,
                                           meshopt["buffer"].get<int>(),
                                           count_of(meshopt, "byteOffset"),
                                           count_of(meshopt, "byteLength"),
                                           count_of(meshopt, "byteStride"),
                                           count_of(meshopt, "count"),
                                           text_of(meshopt, "mode"),
                                           text_of(meshopt, "filter")};
            break;
        }
        views_.push_back(std::move(view));
    }
    for (const json& entry : root.value("images", json::array())) {
        ImageEntry image;
        image.name = text_of(entry, "name");
        image.mime_type = text_of(entry, "mimeType");
        if (entry.contains("uri")) image.uri = entry["uri"].get<std::string>();
        if (entry.contains("bufferView")) image.buffer_view = entry["bufferView"].get<int>();
        images_.push_back(std::move(image));
    }

    for (const json& entry : root.value("meshes", json::array())) {
        std::vector<std::string>& names = target_names_.emplace_back();
        const auto extras = entry.find("extras");
        if (extras == entry.end() || !extras->is_object()) continue;
        for (const json& name : extras->value("targetNames", json())) {
            names.push_back(name.is_string() ? name.get<std::string>() : "");
        }
    }

    // tinygltf would read these from files or decode them; they are resolved above and below.
    root.erase("buffers");
    root.erase("images");
    // What tinygltf parses, but the import does not read, can be wrong without harm.
    for (auto& [name, list] : root.items()) {
        if (!list.is_array()) continue;
        for (json& entry : list) {
            if (!entry.is_object()) continue;
            entry.erase("extras");
            const auto extensions = entry.find("extensions");
            if (extensions == entry.end()) continue;
            if (!extensions->is_object()) {
                entry.erase(extensions);
                continue;
            }
            for (auto it = extensions->begin(); it != extensions->end();) {
                it = is_read(it.key()) ? std::next(it) : extensions->erase(it);
            }
        }
    }
    const std::string rest = root.dump();
    root = nullptr;
    if (rest.size() > std::numeric_limits<unsigned>::max()) fail("JSON", "is larger than 4 GiB");
    tinygltf::TinyGLTF loader;
    std::string error;
    std::string warning;
    if (!loader.LoadASCIIFromString(&model_, &error, &warning, rest.data(), static_cast<unsigned>(rest.size()), "",
                                    tinygltf::NO_REQUIRE)) {
        std::ranges::replace(error, '\n', ' ');
        fail("JSON", error.empty() ? "is not a valid glTF document" : error);
    }
}

std::span<const std::byte> Document::buffer_view(int index) {
    const auto at = static_cast<std::size_t>(index);
    const std::string field = indexed("bufferViews", at);
    ViewExtra& extra = views_[at];
    const tinygltf::BufferView& view = model_.bufferViews[at];
    if (extra.compression && !extra.decoded) {
        const std::string where = field + ".extensions." + extra.compression->extension;
        const std::optional<std::string> reason = unreadable(*extra.compression, where);
        if (!reason) {
            extra.decoded = decompress(*extra.compression, where);
        } else if (buffers_[static_cast<std::size_t>(view.buffer)].uri) {
            note(std::string(extra.compression->extension) + ": " + *reason + ": its uncompressed copy is read");
            extra.compression.reset();
        } else {
            fail(where, *reason + ", and there is no uncompressed copy: compress the file by EXT_meshopt_compression");
        }
    }
    if (extra.decoded) return *extra.decoded;
    const std::span<const std::byte> bytes = buffer(view.buffer);
    if (view.byteOffset > bytes.size() || view.byteLength > bytes.size() - view.byteOffset) {
        fail(field, "takes bytes " + std::to_string(view.byteOffset) + " to " +
                        std::to_string(view.byteOffset + view.byteLength) + " of " +
                        indexed("buffers", static_cast<std::size_t>(view.buffer)) + ", which has " +
                        std::to_string(bytes.size()));
    }
    return bytes.subspan(view.byteOffset, view.byteLength);
}

std::size_t Document::stride(int buffer_view) const {
    const auto at = static_cast<std::size_t>(buffer_view);
    const ViewExtra& extra = views_[at];
    return extra.compression ? extra.compression->byte_stride : model_.bufferViews[at].byteStride;
}

std::span<const std::byte> Document::buffer(int index) {
    BufferSource& source = buffers_[static_cast<std::size_t>(index)];
    if (source.failure) throw Error(*source.failure);
    if (source.bytes) return *source.bytes;
    try {
        source.bytes = open_buffer(static_cast<std::size_t>(index));
    } catch (const OutsideFolder&) {
        throw;
    } catch (const Error& error) {
        source.failure = error;
        throw;
    }
    return *source.bytes;
}

void Document::open_buffers() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        try {
            static_cast<void>(buffer(static_cast<int>(i)));
        } catch (const Error&) {  // told once it is read
        }
    }
}

std::span<const std::byte> Document::open_buffer(std::size_t at) {
    const BufferSource& source = buffers_[at];
    const std::string field = indexed("buffers", at);
    std::span<const std::byte> bytes;
    if (source.uri) {
        bytes = read_uri(*source.uri, field + ".uri");
    } else if (at == 0 && has_binary_chunk_) {
        bytes = binary_chunk_;
    } else {
        fail(field + ".uri", at == 0 ? "is missing, and the file has no binary chunk" : "is missing");
    }
    if (source.byte_length > bytes.size()) {
        fail(field + ".byteLength", "is " + std::to_string(source.byte_length) + ", but only " +
                                        std::to_string(bytes.size()) + " bytes are there (a truncated file?)");
    }
    return bytes.first(source.byte_length);
}

std::span<const std::byte> Document::read_uri(const std::string& uri, const std::string& field) {
    if (is_data_uri(uri)) {
        std::optional<DataUri> data = decode_data_uri(uri);
        if (!data) fail(field, "the data URI has no comma, or is not valid base64");
        bytes_read_ += data->bytes.size();
        decoded_uris_.push_back(std::move(data->bytes));
        return decoded_uris_.back();
    }
    const std::filesystem::path target = file_of(uri, field);
    auto found = files_.find(target);
    if (found == files_.end()) {
        try {
            found = files_.emplace(target, open(target)).first;
        } catch (const OutsideFolder&) {
            throw OutsideFolder(name_, field,
                                quoted(uri) + " leaves the folder of the scene; --allow-outside reads it all the same");
        } catch (const Error& wrong) {
            fail(field, wrong.what());
        }
        bytes_read_ += found->second.bytes().size();
    }
    return found->second.bytes();
}

// The folder that relative paths start from.
std::filesystem::path Document::folder() const {
    const std::optional<std::filesystem::path> place = real_path(path_);
    if (!place) throw Error(name_, "", "the scene's own file is in no folder");
    return place->parent_path();
}

// Where a URI that is no data URI leads. Throws Error where that is no file's place.
std::filesystem::path Document::file_of(const std::string& uri, const std::string& field) const {
    const std::string decoded = percent_decode(uri);
    if (has_scheme(uri)) fail(field, quoted(uri) + ": only relative paths and data URIs are read");
    if (decoded.empty() || decoded.find('\0') != std::string::npos) {
        fail(field, quoted(uri) + " is not a relative path");
    }
    const std::filesystem::path from = folder();
    std::filesystem::path target = (from / text_path(decoded)).lexically_normal();
    // Writers that forget to encode leave a name that decoding changes.
    if (!path_exists(target) && path_exists(from / text_path(uri))) {
        target = (from / text_path(uri)).lexically_normal();
    }
    return target;
}

MappedFile Document::open(const std::filesystem::path& file) const {
    return allow_outside_ ? MappedFile(file) : MappedFile(file, folder());
}

std::vector<std::filesystem::path> Document::files() const {
    std::set<std::filesystem::path> found;
    const auto add = [&](const std::optional<std::string>& uri) {
        if (!uri || is_data_uri(*uri)) return;
        try {
            const std::filesystem::path file = file_of(*uri, "uri");
            try {
                static_cast<void>(open(file));
            } catch (const OutsideFolder&) {
                return;
            } catch (const Error&) {  // it is not there, or no file: it may become one
            }
            found.insert(file);
        } catch (const Error&) {  // it names no file: whoever reads it says so
        }
    };
    for (const BufferSource& buffer : buffers_) add(buffer.uri);
    for (const ImageEntry& image : images_) add(image.uri);
    return {found.begin(), found.end()};
}

std::span<const std::byte> Document::compressed_bytes(const Compression& compression, const std::string& field) {
    const std::span<const std::byte> bytes = buffer(compression.buffer);
    if (compression.byte_offset > bytes.size() || compression.byte_length > bytes.size() - compression.byte_offset) {
        fail(field, "takes bytes " + std::to_string(compression.byte_offset) + " to " +
                        std::to_string(compression.byte_offset + compression.byte_length) + " of a buffer of " +
                        std::to_string(bytes.size()));
    }
    return bytes.subspan(compression.byte_offset, compression.byte_length);
}

// What KHR_meshopt_compression has beyond EXT_meshopt_compression, and the library does not know: a newer codec of
// vertices, and a filter for colours. Under the older name neither is allowed.
std::optional<std::string> Document::unreadable(const Compression& compression, const std::string& field) {
    if (compression.mode != "ATTRIBUTES") return std::nullopt;
    const bool newer = std::string_view(compression.extension) == "KHR_meshopt_compression";
    constexpr std::byte kVersion1{0xA1};
    const std::span<const std::byte> bytes = compressed_bytes(compression, field);
    std::string what;
    if (!bytes.empty() && bytes[0] == kVersion1) {
        what = "version 1 of the vertex codec";
    } else if (compression.filter == "COLOR") {
        what = "the filter COLOR";
    } else {
        return std::nullopt;
    }
    if (newer) return what + " is not supported";
    fail(field, what + " is not part of this extension, but of KHR_meshopt_compression");
}

std::vector<std::byte> Document::decompress(const Compression& compression, const std::string& field) {
    const std::span<const std::byte> bytes = compressed_bytes(compression, field);
    const auto* const input = reinterpret_cast<const unsigned char*>(bytes.data());
    const std::size_t input_size = bytes.size();
    const bool attributes = compression.mode == "ATTRIBUTES";
    const bool triangles = compression.mode == "TRIANGLES";
    if (!attributes && !triangles && compression.mode != "INDICES") {
        fail(field + ".mode", "\"" + compression.mode.substr(0, 40) + "\" is not known");
    }
    const std::uint64_t stride = compression.byte_stride;
    if (attributes ? stride == 0 || stride > 256 || stride % 4 != 0 : stride != 2 && stride != 4) {
        fail(field + ".byteStride",
             "is " + std::to_string(stride) + ", which mode " + compression.mode + " does not allow");
    }
    if (compression.count > compression.byte_length * kMaxMeshoptRatio / stride) {
        fail(field + ".count", "is " + std::to_string(compression.count) + ", more than " +
                                   std::to_string(compression.byte_length) + " compressed bytes can hold");
    }
    const auto count = static_cast<std::size_t>(compression.count);
    if (triangles && count % 3 != 0) fail(field + ".count", "is " + std::to_string(count) + ", not a multiple of 3");
    const std::uint64_t file_bytes = bytes_read_ - decoded_bytes_;
    decoded_bytes_ += compression.count * stride;
    if (decoded_bytes_ > kDecodedAlways + kDecodedPerByte * file_bytes) {
        fail(field + ".count", "the buffer views up to here decode to " + std::to_string(decoded_bytes_) +
                                   " bytes, out of all proportion to the " + std::to_string(file_bytes) +
                                   " bytes of the file");
    }
    std::vector<std::byte> output(count * static_cast<std::size_t>(stride));
    int result = 0;
    if (attributes) {
        result = meshopt_decodeVertexBuffer(output.data(), count, stride, input, input_size);
    } else if (triangles) {
        result = meshopt_decodeIndexBuffer(output.data(), count, stride, input, input_size);
    } else {
        result = meshopt_decodeIndexSequence(output.data(), count, stride, input, input_size);
    }
    if (result != 0)
        fail(field, "the compressed data are corrupt (meshoptimizer's code " + std::to_string(result) + ")");
    const std::string& filter = compression.filter;
    if (attributes && !filter.empty() && filter != "NONE") {
        if (filter == "OCTAHEDRAL" && (stride == 4 || stride == 8)) {
            meshopt_decodeFilterOct(output.data(), count, stride);
        } else if (filter == "QUATERNION" && stride == 8) {
            meshopt_decodeFilterQuat(output.data(), count, stride);
        } else if (filter == "EXPONENTIAL") {
            meshopt_decodeFilterExp(output.data(), count, stride);
        } else {
            fail(field + ".filter",
                 "\"" + filter.substr(0, 40) + "\" is not known, or not for a stride of " + std::to_string(stride));
        }
    }
    bytes_read_ += output.size();
    return output;
}

std::optional<Document::ImageSource> Document::image(std::size_t index) {
    const ImageEntry& entry = images_[index];
    ImageSource source{entry.name, entry.mime_type, {}};
    const std::string field = indexed("images", index);
    if (entry.buffer_view < 0 && !entry.uri) fail(field, "has neither uri nor bufferView");
    try {
        source.bytes = entry.buffer_view >= 0 ? buffer_view(entry.buffer_view) : read_uri(*entry.uri, field + ".uri");
    } catch (const OutsideFolder&) {
        throw;  // a file that reaches for others is refused as a whole
    } catch (const Error& error) {
        // Without the document's own path: what is noted is the same by whichever path it was opened.
        std::string what = error.what();
        if (what.starts_with(name_ + ": ")) what.erase(0, name_.size() + 2);
        notes_.add_few("images can't be read: drawn without them",
                       (entry.buffer_view >= 0 ? numbered_name("image", index, entry.name) + ": " : "") + what +
                           "; drawn without it");
        return std::nullopt;
    }
    if (entry.buffer_view < 0 && source.name.empty() && !is_data_uri(*entry.uri)) {
        source.name = path_text(text_path(percent_decode(*entry.uri)).filename());
    }
    return source;
}

void Document::fail(const std::string& field, const std::string& message) const {
    throw Error(name_, field, message);
}

}  // namespace sublet::scene::gltf
