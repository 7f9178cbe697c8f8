#include "app/image_io.h"

#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "app/file_options.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/path_text.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 32768
#include <stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace sublet::app {

namespace {

static_assert(std::endian::native == std::endian::little, "PFM and EXR are written as floats lie in memory");

struct FreeStb {
    void operator()(void* memory) const { std::free(memory); }
};
using StbBytes = std::unique_ptr<unsigned char, FreeStb>;

// Builds the header of an EXR file.
class ExrHeader {
  public:
    template <typename T>
    void put(T value) {
        const auto* bytes = reinterpret_cast<const char*>(&value);
        bytes_.append(bytes, sizeof(T));
    }
    void text(std::string_view value) { bytes_.append(value).push_back('\0'); }
    void attribute(std::string_view name, std::string_view type, std::int32_t size) {
        text(name);
        text(type);
        put(size);
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

// --- The text in a PNG. Layout of the file and of the chunk "iTXt": https://www.w3.org/TR/png-3/

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1A\n";
constexpr std::size_t kPngHeaderEnd = 33;  // the start, and the chunk IHDR
// Keyword, then: not compressed, no language, no translated keyword.
constexpr std::string_view kCommandStart{"Command\0\0\0\0\0", 12};

// A chunk's bytes have a checksum over its type and its data.
std::uint32_t png_checksum(std::string_view bytes) {
    std::uint32_t sum = 0xFFFFFFFFU;
    for (const char c : bytes) {
        sum ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~sum;
}

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFFU);
    return bytes;
}

std::uint32_t from_big_endian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char c : bytes.substr(0, 4)) value = value << 8U | static_cast<unsigned char>(c);
    return value;
}

std::string text_chunk(std::string_view command) {
    const std::string data = "iTXt" + std::string(kCommandStart) + std::string(command);
    return big_endian(static_cast<std::uint32_t>(data.size() - 4)) + data + big_endian(png_checksum(data));
}

}  // namespace

ColorImage read_png(const std::filesystem::path& path) {
    const MappedFile file(path);
    const auto* bytes = reinterpret_cast<const stbi_uc*>(file.bytes().data());
    if (file.bytes().size() > std::size_t{1} << 30U)
        throw Error(path_text(path), "", "is too large for a PNG (over 1 GiB)");
    int width = 0;
    int height = 0;
    int channels = 0;
    const StbBytes pixels(
        stbi_load_from_memory(bytes, static_cast<int>(file.bytes().size()), &width, &height, &channels, 4));
    if (!pixels)
        throw Error(path_text(path), "", std::string("is not a PNG that can be read: ") + stbi_failure_reason());
    ColorImage image{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
    image.rgba.assign(pixels.get(), pixels.get() + std::size_t{4} * image.width * image.height);
    return image;
}

void write_png(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
               std::span<const std::uint8_t> rgba, std::string_view command) {
    int length = 0;
    const StbBytes png(stbi_write_png_to_mem(rgba.data(), static_cast<int>(width * 4), static_cast<int>(width),
                                             static_cast<int>(height), 4, &length));
    if (!png) throw Error(path_text(path), "", "no memory to compress the picture");
    const auto bytes = std::as_bytes(std::span(png.get(), static_cast<std::size_t>(length)));
    AtomicFile file(path);
    file.write(bytes.first(kPngHeaderEnd));
    if (!command.empty()) file.write(text_chunk(command));
    file.write(bytes.subspan(kPngHeaderEnd));
    file.commit();
}

std::optional<std::string> read_png_command(const std::filesystem::path& path) {
    const MappedFile file(path);
    std::string_view rest(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    if (!rest.starts_with(kPngStart)) throw Error(path_text(path), "", "is not a PNG");
    rest.remove_prefix(kPngStart.size());
    constexpr std::size_t kAround = 12;  // of a chunk's data: size, type, checksum
    while (rest.size() >= kAround) {
        const std::size_t size = from_big_endian(rest);
        if (size > rest.size() - kAround) break;
        const std::string_view data = rest.substr(8, size);
        if (rest.substr(4, 4) == "iTXt" && data.starts_with(kCommandStart)) {
            return std::string(data.substr(kCommandStart.size()));
        }
        rest.remove_prefix(size + kAround);
    }
    return std::nullopt;
}

void write_pfm(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
               std::span<const float> values) {
    AtomicFile file(path);
    file.write("Pf\n" + std::to_string(width) + " " + std::to_string(height) + "\n-1.0\n");
    for (std::uint32_t row = height; row-- > 0;) file.write_objects(values.subspan(std::size_t{row} * width, width));
    file.commit();
}

void write_exr(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
               std::span<const float> values, bool rgb) {
    // In the order of the alphabet: a line has all of one channel, then all of the next.
    const std::string_view channels = rgb ? "BGR" : "Z";
    // The layout of a single-part scan-line file: https://openexr.com/en/latest/OpenEXRFileLayout.html
    const auto right = static_cast<std::int32_t>(width) - 1;
    const auto bottom = static_cast<std::int32_t>(height) - 1;
    ExrHeader header;
    header.put(std::uint32_t{20000630});  // magic number
    header.put(std::uint32_t{2});         // version, no flags
    header.attribute("channels", "chlist", static_cast<std::int32_t>(18 * channels.size() + 1));
    for (const char channel : channels) {
        header.text({&channel, 1});
        for (const std::int32_t field : {2 /* FLOAT */, 0 /* pLinear and padding */, 1, 1 /* sampling */})
            header.put(field);
    }
    header.put('\0');
    header.attribute("compression", "compression", 1);
    header.put('\0');
    for (const std::string_view window : {"dataWindow", "displayWindow"}) {
        header.attribute(window, "box2i", 16);
        for (const std::int32_t field : {0, 0, right, bottom}) header.put(field);
    }
    header.attribute("lineOrder", "lineOrder", 1);
    header.put('\0');
    header.attribute("pixelAspectRatio", "float", 4);
    header.put(1.0F);
    header.attribute("screenWindowCenter", "v2f", 8);
    header.put(0.0F);
    header.put(0.0F);
    header.attribute("screenWindowWidth", "float", 4);
    header.put(1.0F);
    header.put('\0');

    AtomicFile file(path);
    file.write(header.bytes());
    // Where each line starts: after the header and this table, lines of their number, their size and their floats.
    const std::uint64_t row_bytes = std::uint64_t{4} * channels.size() * width;
    const std::uint64_t first = header.bytes().size() + std::uint64_t{8} * height;
    std::vector<std::uint64_t> offsets(height);
    for (std::uint32_t row = 0; row < height; ++row) offsets[row] = first + row * (row_bytes + 8);
    file.write_objects(std::span<const std::uint64_t>(offsets));
    std::vector<float> floats(width);
    for (std::uint32_t row = 0; row < height; ++row) {
        const std::uint32_t line[2] = {row, static_cast<std::uint32_t>(row_bytes)};
        file.write_objects(std::span<const std::uint32_t>(line));
        const std::span<const float> pixels =
            values.subspan(std::size_t{row} * width * channels.size(), width * channels.size());
        for (std::size_t channel = channels.size(); channel-- > 0;) {
            for (std::size_t x = 0; x < width; ++x) floats[x] = pixels[x * channels.size() + channel];
            file.write_objects(std::span<const float>(floats));
        }
    }
    file.commit();
}

bool is_light_file(const std::filesystem::path& path) {
    return lower_extension(path) == ".exr";
}

bool is_depth_file(const std::filesystem::path& path) {
    const std::string extension = lower_extension(path);
    return extension == ".exr" || extension == ".pfm";
}

void write_depth(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height,
                 std::span<const float> values) {
    const std::string extension = lower_extension(path);
    if (extension == ".exr") {
        write_exr(path, width, height, values);
    } else if (extension == ".pfm") {
        write_pfm(path, width, height, values);
    } else {
        throw Error(path_text(path), "", "depth is written as .exr or .pfm");
    }
}

}  // namespace sublet::app
