#include "scene/texture_compression.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "base/thread_pool.h"
#include "scene/image_blocks.h"
#include "scene/image_decoding.h"
#include "scene/ktx2_file.h"
#include "scene/optional_libraries.h"
#include "scene/texture_uses.h"

namespace sublet::scene {
namespace {

std::string image_text(const Scene& scene, std::size_t image) {
    const std::string number = "image " + std::to_string(image);
    return scene.images[image].name.empty() ? number : number + " '" + scene.images[image].name + "'";
}

// The headers of the images that are to be compressed.
std::vector<std::optional<ImageHeader>> find_images(const Scene& scene, std::uint64_t most_bytes,
                                                    std::vector<std::string>& notes) {
    std::vector<std::optional<ImageHeader>> headers(scene.images.size());
    const std::vector<TextureUses> uses = image_uses(scene);
    for (std::size_t i = 0; i < scene.images.size(); ++i) {
        if (uses[i].empty()) continue;
        try {
            if (read_image_header(scene.images[i], true).format != TexelFormat::kRgba8) continue;
            const ImageHeader header = read_image_header(scene.images[i]);
            if (header.decode_bytes <= most_bytes) {
                headers[i] = header;
            } else {
                notes.push_back(image_text(scene, i) + " is not compressed: decoding it takes more than " +
                                std::to_string(most_bytes >> 20U) + " MiB");
            }
        } catch (const Error& error) {
            notes.push_back(image_text(scene, i) + " is not compressed: " + error.what());
        }
    }
    return headers;
}

// One way of reading an image.
struct Reading {
    std::size_t image = 0;
    TextureUse use = TextureUse::kColor;
    Channels channels = 0;
};

// Gives each way of reading one of those images an image of its own. The first way keeps the image.
std::vector<Reading> split_by_use(Scene& scene, const std::vector<std::optional<ImageHeader>>& headers) {
    std::vector<Reading> readings;
    std::map<std::pair<int, TextureUse>, std::size_t> of_image;  // in readings
    std::map<std::pair<int, TextureUse>, int> of_texture;        // its texture
    std::vector<bool> taken(headers.size());
    const auto visit = [&](TextureRef& reference, TextureUse use, Channels channels) {
        if (reference.texture < 0) return;
        const Texture texture = scene.textures[static_cast<std::size_t>(reference.texture)];
        const auto image = static_cast<std::size_t>(texture.image);
        if (texture.image < 0 || !headers[image]) return;
        const auto [reading, is_new] = of_image.emplace(std::pair(texture.image, use), readings.size());
        if (is_new) {
            const bool first = !taken[image];
            taken[image] = true;
            readings.push_back({first ? image : scene.images.size(), use, 0});
            if (!first) scene.images.push_back(Image(scene.images[image]));
        }
        Reading& read = readings[reading->second];
        read.channels |= channels;
        if (read.image == image) return;
        const auto [known, is_new_texture] =
            of_texture.emplace(std::pair(reference.texture, use), static_cast<int>(scene.textures.size()));
        if (is_new_texture) scene.textures.push_back({static_cast<int>(read.image), texture.sampler});
        reference.texture = known->second;
    };
    for (Material& material : scene.materials) for_each_texture(visit, material);
    return readings;
}

TexelFormat format_of(const Reading& reading) {
    if (reading.use == TextureUse::kNormal) return TexelFormat::kBc5;
    const bool one = reading.use == TextureUse::kData && std::popcount(reading.channels) == 1;
    return one ? TexelFormat::kBc4 : TexelFormat::kBc7;
}

// Directions of unit length on the side of the surface: all that X and Y alone can tell.
void normalize(std::uint8_t* texel) {
    if (texel[2] == 0) return;  // there is no Z
    float direction[3];
    for (int c = 0; c < 3; ++c) direction[c] = static_cast<float>(texel[c]) / 127.5F - 1.0F;
    direction[2] = std::max(direction[2], 0.0F);
    const float length = std::hypot(direction[0], direction[1], direction[2]);
    if (length < 1e-4F) return;
    for (int c = 0; c < 2; ++c) texel[c] = static_cast<std::uint8_t>(direction[c] / length * 127.5F + 128.0F);
}

// What its format keeps of a level: `channels` of it.
void keep_channels(TexelLevel& level, const Reading& reading, TexelFormat format) {
    const std::span<std::uint8_t> rgba = level.span();
    const auto only = static_cast<std::size_t>(std::countr_zero(reading.channels));
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        std::uint8_t* const texel = &rgba[i];
        if (format == TexelFormat::kBc5) {
            normalize(texel);
        } else if (format == TexelFormat::kBc4) {
            texel[0] = texel[only];
        } else {
            for (std::size_t c = 0; c < 4; ++c) {
                if ((reading.channels >> c & 1U) == 0) texel[c] = c == 3 ? 255 : 0;
            }
        }
    }
}

// Over `channels`.
double psnr_of(const TexelLevel& a, const TexelLevel& b, Channels channels) {
    double squares = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < a.span().size(); ++i) {
        if ((channels >> (i % 4) & 1U) == 0) continue;
        const double difference = static_cast<double>(a.span()[i]) - static_cast<double>(b.span()[i]);
        squares += difference * difference;
        count += 1.0;
    }
    return squares == 0.0 ? std::numeric_limits<double>::infinity()
                          : 10.0 * std::log10(255.0 * 255.0 * count / squares);
}

CompressedImage compress(Image& image, std::vector<TexelLevel> levels, const Reading& reading, ThreadPool& pool) {
    CompressedImage result{reading.image, format_of(reading), levels[0].width, levels[0].height, image.bytes.size()};
    std::vector<TexelLevel> packed;
    for (TexelLevel& level : levels) {
        keep_channels(level, reading, result.format);
        packed.push_back(pack_blocks(level, result.format, PackEffort::kBest, &pool));
    }
    const Channels kept = result.format == TexelFormat::kBc5   ? Channels{kRed | kGreen}
                          : result.format == TexelFormat::kBc4 ? kRed
                                                               : reading.channels;
    result.psnr = psnr_of(levels[0], unpack_blocks(packed[0]), kept);
    constexpr Swizzle kEverywhere{'r', 'r', 'r', 'r'};
    image.bytes = write_ktx2(packed, reading.use == TextureUse::kColor,
                             result.format == TexelFormat::kBc4 ? kEverywhere : kNoSwizzle);
    image.mime_type = kKtx2Type;
    image.width = image.height = 0;
    result.bytes = image.bytes.size();
    return result;
}

}  // namespace

void require_texture_compression() {
    if (!kBasisUniversal.present) throw Error("--textures", "", built_without(kBasisUniversal));
}

TextureCompression compress_textures(Scene& scene, ThreadPool& pool, std::uint64_t most_bytes) {
    require_texture_compression();
    TextureCompression result;
    std::vector<std::optional<ImageHeader>> headers = find_images(scene, most_bytes, result.notes);
    const std::vector<Reading> readings = split_by_use(scene, headers);
    const std::vector<MipFilter> color_filters = color_mip_filters(scene);
    std::vector<ImageJob> jobs;
    for (const Reading& reading : readings) {
        const Image& image = scene.images[reading.image];
        const bool color = reading.use == TextureUse::kColor;
        jobs.push_back({&image, read_image_header(image),
                        color ? color_filters[reading.image] : MipFilter{.use = reading.use}, 0});
    }
    ImageDecoding decoding(jobs, most_bytes, pool.thread_count());
    Progress progress("textures", readings.size(), "images");
    for (std::size_t i = 0; i < readings.size(); ++i) {
        DecodedImage decoded = decoding.wait().value();
        const std::size_t image = readings[i].image;
        if (decoded.error.empty()) {
            result.images.push_back(compress(scene.images[image], std::move(decoded.levels), readings[i], pool));
        } else {
            result.notes.push_back(image_text(scene, image) + " is not compressed: " + decoded.error);
        }
        progress.advance();
    }
    return result;
}

}  // namespace sublet::scene
