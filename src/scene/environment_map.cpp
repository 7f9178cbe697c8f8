#include "scene/environment_map.h"

#include <algorithm>
#include <glm/gtc/packing.hpp>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/path_text.h"
#include "scene/environment_formats.h"
#include "scene/file_kind.h"

namespace sublet::scene {

namespace fs = std::filesystem;

namespace {

constexpr std::uint16_t kMostHalf = 0x7BFF;  // 65504
constexpr std::uint16_t kInfinity = 0x7C00;
constexpr std::uint16_t kOne = 0x3C00;
constexpr std::uint16_t kSign = 0x8000;

struct Mended {
    std::uint64_t none = 0, bright = 0;  // texels
};

// Makes a value finite and not negative.
std::uint16_t mend(std::uint16_t value, bool& none, bool& bright) {
    if (value <= kMostHalf || value == kSign) return value == kSign ? std::uint16_t{0} : value;
    if (value == kInfinity) {
        bright = true;
        return kMostHalf;
    }
    none = true;
    return 0;
}

Mended mend(HalfTexels& texels) {
    Mended mended;
    const std::size_t count = std::size_t{texels.width} * texels.height;
    for (std::uint16_t* texel = texels.rgba.get(); texel != texels.rgba.get() + 4 * count; texel += 4) {
        bool none = false;
        bool bright = false;
        for (int c = 0; c < 3; ++c) texel[c] = mend(texel[c], none, bright);
        texel[3] = kOne;
        mended.none += none ? 1 : 0;
        mended.bright += bright ? 1 : 0;
    }
    return mended;
}

// Each texel the mean of four.
HalfTexels halve(const HalfTexels& from) {
    HalfTexels out{from.width / 2, from.height / 2, nullptr};
    out.rgba = std::make_unique_for_overwrite<std::uint16_t[]>(std::size_t{4} * out.width * out.height);
    std::uint16_t* to = out.rgba.get();
    const std::size_t row = std::size_t{4} * from.width;
    for (std::size_t y = 0; y < out.height; ++y) {
        for (std::size_t x = 0; x < out.width; ++x) {
            const std::uint16_t* const first = from.rgba.get() + 2 * y * row + 8 * x;
            for (std::size_t c = 0; c < 4; ++c) {
                const float sum = glm::unpackHalf1x16(first[c]) + glm::unpackHalf1x16(first[c + 4]) +
                                  glm::unpackHalf1x16(first[c + row]) + glm::unpackHalf1x16(first[c + row + 4]);
                *to++ = glm::packHalf1x16(0.25F * sum);
            }
        }
    }
    return out;
}

std::string size_text(std::int64_t width, std::int64_t height) {
    return std::to_string(width) + "x" + std::to_string(height);
}

bool starts_with(std::span<const std::byte> bytes, std::string_view start) {
    return bytes.size() >= start.size() &&
           std::ranges::equal(start, bytes.first(start.size()), [](char a, std::byte b) {
               return static_cast<unsigned char>(a) == static_cast<unsigned>(b);
           });
}

}  // namespace

bool named_as_environment(const fs::path& file) {
    const std::string extension = lower_extension(file);
    return extension == ".hdr" || extension == ".exr";
}

void check_environment_size(std::int64_t width, std::int64_t height, std::uint64_t texel_bytes,
                            std::uint64_t most_bytes) {
    if (width < 2 || height < 1 || width != 2 * height) {
        throw WrongPicture("size", "is " + size_text(width, height) +
                                       ": a picture of all that is around is twice as wide as high (equirectangular)");
    }
    const std::uint64_t texels = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    if (texels > most_bytes / texel_bytes) {
        throw WrongPicture(
            "size", size_text(width, height) + " texels take " + std::to_string(((texels * texel_bytes) >> 20U) + 1) +
                        " MiB to decode, and --image-limit is " + std::to_string(most_bytes >> 20U) + " MiB");
    }
}

EnvironmentMap decode_environment_map(std::span<const std::byte> bytes, const fs::path& file,
                                      std::uint64_t most_bytes) {
    const std::string name = path_text(file);
    HalfTexels texels;
    try {
        if (starts_with(bytes, "#?")) {
            texels = decode_hdr(bytes, most_bytes);
        } else if (starts_with(bytes, "\x76\x2f\x31\x01")) {
            texels = decode_exr(bytes, most_bytes);
        } else {
            throw WrongPicture("format", "is neither Radiance .hdr nor OpenEXR .exr");
        }
    } catch (const WrongPicture& wrong) {
        throw Error(name, wrong.field(), wrong.what());
    } catch (const std::bad_alloc&) {
        throw Error(name, "size", "there is not enough memory to decode it");
    }
    EnvironmentMap out;
    out.file = file;
    const Mended mended = mend(texels);
    const auto note = [&](std::uint64_t texels, const char* what) {
        if (texels == 0) return;
        out.notes.push_back(name + ": " + std::to_string(texels) + (texels == 1 ? " texel" : " texels") +
                            " with values " + what);
    };
    note(mended.none, "below 0 or that are no numbers: those values are taken for 0");
    note(mended.bright, "above 65504, the most that a half float holds: those are cut to that");
    const std::string whole = size_text(texels.width, texels.height);
    while (texels.width > kMostEnvironmentWidth) texels = halve(texels);
    out.width = texels.width;
    out.height = texels.height;
    out.rgba = std::move(texels.rgba);
    if (whole != size_text(out.width, out.height)) {
        out.notes.push_back(name + ": is drawn at " + size_text(out.width, out.height) + " instead of " + whole);
    }
    return out;
}

EnvironmentMap read_environment_map(const fs::path& file, std::uint64_t most_bytes) {
    const MappedFile mapped(file);
    return decode_environment_map(mapped.bytes(), file, most_bytes);
}

}  // namespace sublet::scene
