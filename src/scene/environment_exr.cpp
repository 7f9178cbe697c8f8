// OpenEXR: the first part of a file, scan lines or the largest level of tiles, by the library's own C interface, whose
// memory can be bounded.
#include <openexr.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "scene/decode_memory.h"
#include "scene/environment_formats.h"

namespace sublet::scene {
namespace {

constexpr std::size_t kTexelHalves = 4;

struct Source {
    std::span<const std::byte> bytes;
    std::string message;  // the first error
};

std::int64_t read_source(exr_const_context_t /*context*/, void* user, void* to, std::uint64_t size,
                         std::uint64_t offset, exr_stream_error_func_ptr_t /*error*/) {
    const auto& source = *static_cast<Source*>(user);
    if (offset > source.bytes.size()) return -1;
    const std::uint64_t count = std::min<std::uint64_t>(size, source.bytes.size() - offset);
    std::memcpy(to, source.bytes.data() + offset, static_cast<std::size_t>(count));
    return static_cast<std::int64_t>(count);
}

std::int64_t source_size(exr_const_context_t /*context*/, void* user) {
    return static_cast<std::int64_t>(static_cast<Source*>(user)->bytes.size());
}

void keep_message(exr_const_context_t context, exr_result_t /*code*/, const char* message) {
    void* user = nullptr;
    if (context == nullptr || exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || user == nullptr) return;
    auto& source = *static_cast<Source*>(user);
    if (source.message.empty() && message != nullptr) source.message = message;
}

// A file that is open, and how its chunks are decoded.
class Decoder {
  public:
    Decoder(std::span<const std::byte> bytes, std::uint64_t most_bytes) : source_{bytes, {}}, most_bytes_(most_bytes) {
        exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
        start.error_handler_fn = keep_message;
        start.alloc_fn = take_decode_memory;
        start.free_fn = give_back_decode_memory;
        start.user_data = &source_;
        start.read_fn = read_source;
        start.size_fn = source_size;
        check("header", exr_start_read(&context_, "environment", &start));
    }
    ~Decoder() {
        if (decoding_) exr_decoding_destroy(context_, &pipeline_);
        if (context_ != nullptr) exr_finish(&context_);
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    HalfTexels decode() {
        exr_storage_t storage{};
        check("header", exr_get_storage(context_, 0, &storage));
        if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED) {
            throw WrongPicture("type", "is deep, which is no picture of light");
        }
        read_window();
        find_channels();
        out_.rgba = std::make_unique_for_overwrite<std::uint16_t[]>(kTexelHalves * out_.width * out_.height);
        if (storage == EXR_STORAGE_TILED) {
            decode_tiles();
        } else {
            decode_lines();
        }
        return std::move(out_);
    }

  private:
    void check(const char* field, exr_result_t result) const {
        if (result == EXR_ERR_SUCCESS) return;
        if (decode_memory_refused() || result == EXR_ERR_OUT_OF_MEMORY) {
            throw WrongPicture(field, "takes more memory to decode than a picture of its size may");
        }
        if (result == EXR_ERR_FEATURE_NOT_IMPLEMENTED) {
            throw WrongPicture("compression",
                               "is one that the OpenEXR library here does not decode (version 3.1: DWAA and DWAB): "
                               "save the file with ZIP or PIZ");
        }
        throw WrongPicture(field, source_.message.empty() ? exr_get_default_error_message(result) : source_.message);
    }

    void read_window() {
        exr_attr_box2i_t data{};
        exr_attr_box2i_t display{};
        check("dataWindow", exr_get_data_window(context_, 0, &data));
        check("displayWindow", exr_get_display_window(context_, 0, &display));
        if (std::memcmp(&data, &display, sizeof(data)) != 0) {
            throw WrongPicture("dataWindow", "is not its displayWindow: a part of the picture is missing");
        }
        const std::int64_t width = std::int64_t{data.max.x} - data.min.x + 1;
        const std::int64_t height = std::int64_t{data.max.y} - data.min.y + 1;
        check_environment_size(width, height, 2 * kHalfTexelBytes, most_bytes_);
        out_.width = static_cast<std::uint32_t>(width);
        out_.height = static_cast<std::uint32_t>(height);
        first_line_ = data.min.y;
    }

    // R, G and B; or Y alone, which is grey.
    void find_channels() {
        const exr_attr_chlist_t* list = nullptr;
        check("channels", exr_get_channels(context_, 0, &list));
        std::string names;
        for (int i = 0; i < list->num_channels; ++i) {
            const exr_attr_chlist_entry_t& entry = list->entries[i];
            const std::string_view name(entry.name.str, static_cast<std::size_t>(entry.name.length));
            if (names.size() < 100) names += (names.empty() ? "" : ", ") + std::string(name.substr(0, 40));
            const std::size_t place = std::string_view("RGBY").find(name);
            if (name.size() != 1 || place == std::string_view::npos) continue;
            if (entry.x_sampling != 1 || entry.y_sampling != 1) {
                throw WrongPicture("channels", std::string(name) + " has fewer samples than the picture has texels");
            }
            found_.at(place) = true;
        }
        const bool colored = found_[0] && found_[1] && found_[2];
        if (colored) found_[3] = false;
        if (!colored && (!found_[3] || found_[0] || found_[1] || found_[2])) {
            throw WrongPicture("channels", "are " + names + ": neither R, G and B nor Y alone");
        }
    }

    // A chunk whose upper left texel is this one; it may reach to the end of the picture, but for tiles, which have a
    // size.
    void decode_chunk(const exr_chunk_info_t& chunk, std::uint32_t x, std::uint32_t y, std::uint32_t most_width,
                      std::uint32_t most_height) {
        check("data", decoding_ ? exr_decoding_update(context_, 0, &chunk, &pipeline_)
                                : exr_decoding_initialize(context_, 0, &chunk, &pipeline_));
        const bool first = !decoding_;
        decoding_ = true;
        const std::size_t row = kTexelHalves * out_.width;
        for (int i = 0; i < pipeline_.channel_count; ++i) {
            exr_coding_channel_info_t& channel = pipeline_.channels[i];
            channel.decode_to_ptr = nullptr;
            const std::string_view name(channel.channel_name);
            const std::size_t place = std::string_view("RGBY").find(name);
            if (name.size() != 1 || place == std::string_view::npos || !found_.at(place)) continue;
            if (channel.width < 0 || channel.height < 0 || static_cast<std::uint32_t>(channel.width) > most_width ||
                static_cast<std::uint32_t>(channel.height) > most_height) {
                throw WrongPicture("data", "a chunk reaches beyond the picture");
            }
            std::uint16_t* const to = out_.rgba.get() + y * row + kTexelHalves * x + (place == 3 ? 0 : place);
            channel.decode_to_ptr = reinterpret_cast<std::uint8_t*>(to);
            channel.user_pixel_stride = static_cast<std::int32_t>(kTexelHalves * sizeof(std::uint16_t));
            channel.user_line_stride = static_cast<std::int32_t>(row * sizeof(std::uint16_t));
            channel.user_bytes_per_element = sizeof(std::uint16_t);
            channel.user_data_type = EXR_PIXEL_HALF;
        }
        if (first) check("data", exr_decoding_choose_default_routines(context_, 0, &pipeline_));
        check("data", exr_decoding_run(context_, 0, &pipeline_));
        if (!found_[3]) return;
        for (std::uint32_t line = y; line < y + most_height; ++line) {
            for (std::uint32_t column = x; column < x + most_width; ++column) {
                std::uint16_t* const texel = out_.rgba.get() + line * row + kTexelHalves * column;
                texel[1] = texel[2] = texel[0];
            }
        }
    }

    void decode_lines() {
        std::int32_t step = 0;
        check("compression", exr_get_scanlines_per_chunk(context_, 0, &step));
        if (step < 1) throw WrongPicture("compression", "has chunks without lines");
        for (std::uint32_t y = 0; y < out_.height; y += static_cast<std::uint32_t>(step)) {
            exr_chunk_info_t chunk{};
            check("data",
                  exr_read_scanline_chunk_info(context_, 0, first_line_ + static_cast<std::int32_t>(y), &chunk));
            decode_chunk(chunk, 0, y, out_.width, std::min(static_cast<std::uint32_t>(step), out_.height - y));
        }
    }

    void decode_tiles() {
        std::int32_t width = 0;
        std::int32_t height = 0;
        check("tiles", exr_get_tile_sizes(context_, 0, 0, 0, &width, &height));
        if (width < 1 || height < 1) throw WrongPicture("tiles", "have no size");
        const auto step_x = static_cast<std::uint32_t>(width);
        const auto step_y = static_cast<std::uint32_t>(height);
        for (std::uint32_t y = 0; y < out_.height; y += step_y) {
            for (std::uint32_t x = 0; x < out_.width; x += step_x) {
                exr_chunk_info_t chunk{};
                check("data", exr_read_tile_chunk_info(context_, 0, static_cast<int>(x / step_x),
                                                       static_cast<int>(y / step_y), 0, 0, &chunk));
                decode_chunk(chunk, x, y, std::min(step_x, out_.width - x), std::min(step_y, out_.height - y));
            }
        }
    }

    Source source_;
    std::uint64_t most_bytes_;
    exr_context_t context_ = nullptr;
    exr_decode_pipeline_t pipeline_{};
    bool decoding_ = false;
    HalfTexels out_;
    std::int32_t first_line_ = 0;
    std::array<bool, 4> found_{};  // R, G, B, Y
};

}  // namespace

HalfTexels decode_exr(std::span<const std::byte> bytes, std::uint64_t most_bytes) {
    // Half of it is for our texels, the other half for the decoder's chunks.
    return with_decode_memory(most_bytes / 2, [&] { return Decoder(bytes, most_bytes).decode(); });
}

}  // namespace sublet::scene
