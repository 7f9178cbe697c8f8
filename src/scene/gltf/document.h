// A glTF document opened and checked, with the bytes that its buffer views and images stand for.
#pragma once

#include <tiny_gltf.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"
#include "scene/notes.h"

namespace sublet::scene::gltf {

// tinygltf parses the document; what a hostile file could turn against the reader (paths, sizes, offsets) is resolved
// here. Files are mapped, and read when something in the scene needs them.
class Document {
  public:
    // Of the extensions that a file requires: who reads the scene has to know them, who only tells of it may not.
    enum class Required : std::uint8_t { kMustBeKnown, kMayBeUnknown };

    // Reads and checks a .gltf or .glb, told apart by their content. URIs may name files in the folder of the document
    // alone (links followed), or, with `allow_outside`, any. Throws Error.
    explicit Document(std::filesystem::path path, bool allow_outside = false,
                      Required required = Required::kMustBeKnown);

    [[nodiscard]] const tinygltf::Model& model() const { return model_; }
    [[nodiscard]] bool is_binary() const { return is_binary_; }

    // The bytes of a buffer view, decompressed where meshopt compression says so. Valid as long as the document.
    // Throws Error when the view leaves its buffer, the buffer its file, or the file cannot be read; OutsideFolder when
    // it may not be.
    [[nodiscard]] std::span<const std::byte> buffer_view(int index);

    // Distance between elements of a buffer view; 0: as large as an element.
    [[nodiscard]] std::size_t stride(int buffer_view) const;

    struct ImageSource {
        std::string name;
        std::string mime_type;
        std::span<const std::byte> bytes;  // valid as long as the document
    };
    [[nodiscard]] std::size_t image_count() const { return images_.size(); }

    // An image's bytes as they came: the same place in memory for the same buffer view or file. Nothing, and a note,
    // when its file cannot be read. Throws OutsideFolder when it may not be.
    [[nodiscard]] std::optional<ImageSource> image(std::size_t index);

    // The names of the morph targets of a mesh (its extras' targetNames), as many as there are; "" for what is no text.
    [[nodiscard]] const std::vector<std::string>& target_names(std::size_t mesh) const { return target_names_[mesh]; }

    // Throws Error(file, field, message).
    [[noreturn]] void fail(const std::string& field, const std::string& message) const;

    // The files that buffers and images name, each once, whether they are there or not; none that may not be read.
    [[nodiscard]] std::vector<std::filesystem::path> files() const;

    // What the import ignores or mends; each text is kept once.
    void note(const std::string& text) { notes_.add(text); }
    [[nodiscard]] Notes& notes() { return notes_; }

    // The size of the document and of everything read for it: what may be allocated is held to a multiple of it.
    [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
    // Opens all buffers, so that their bytes count whether anything of them was read yet or not. Those that can't be
    // opened are an error where they are read.
    void open_buffers();

  private:
    struct BufferSource {
        std::uint64_t byte_length = 0;
        std::optional<std::string> uri;
        std::optional<std::span<const std::byte>> bytes;
        std::optional<Error> failure;  // why there are none: it is found once, however many ask
    };
    struct ImageEntry {
        std::string name, mime_type;
        std::optional<std::string> uri;
        int buffer_view = -1;
    };
    struct Compression {             // of a buffer view
        const char* extension = "";  // EXT_meshopt_compression or KHR_meshopt_compression
        int buffer = -1;
        std::uint64_t byte_offset = 0, byte_length = 0, byte_stride = 0, count = 0;
        std::string mode, filter;
    };
    struct ViewExtra {
        std::optional<Compression> compression;
        std::optional<std::vector<std::byte>> decoded;
    };

    std::string_view split_glb(std::span<const std::byte> bytes);
    void parse(std::string_view text);
    void parse_checked(std::string_view text);
    std::span<const std::byte> buffer(int index);
    std::span<const std::byte> open_buffer(std::size_t index);
    std::span<const std::byte> read_uri(const std::string& uri, const std::string& field);
    [[nodiscard]] std::filesystem::path folder() const;
    [[nodiscard]] std::filesystem::path file_of(const std::string& uri, const std::string& field) const;
    [[nodiscard]] MappedFile open(const std::filesystem::path& file) const;
    std::span<const std::byte> compressed_bytes(const Compression& compression, const std::string& field);
    std::optional<std::string> unreadable(const Compression& compression, const std::string& field);
    std::vector<std::byte> decompress(const Compression& compression, const std::string& field);

    std::filesystem::path path_;
    bool allow_outside_;
    Required required_;
    bool is_binary_ = false;
    std::string name_;
    MappedFile file_;
    std::span<const std::byte> binary_chunk_;
    bool has_binary_chunk_ = false;
    tinygltf::Model model_;
    std::vector<BufferSource> buffers_;
    std::vector<ViewExtra> views_;
    std::vector<ImageEntry> images_;
    std::vector<std::vector<std::string>> target_names_;  // of each mesh
    std::map<std::filesystem::path, MappedFile> files_;
    std::vector<std::vector<std::byte>> decoded_uris_;
    std::uint64_t bytes_read_ = 0, decoded_bytes_ = 0;  // the latter within the former
    Notes notes_;
};

}  // namespace sublet::scene::gltf
