#include "webp_files.h"

#include <webp/encode.h>

#include <stdexcept>

namespace sublet::scene::testing {

std::vector<std::uint8_t> gradient(std::uint32_t width, std::uint32_t height) {
    std::vector<std::uint8_t> rgba;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const auto part = [](std::uint32_t at, std::uint32_t of) {
                return static_cast<std::uint8_t>(of < 2 ? 255 : 1 + 254 * at / (of - 1));
            };
            for (const std::uint8_t value : {part(x, width), part(y, height), std::uint8_t{100}, part(x, width)}) {
                rgba.push_back(value);
            }
        }
    }
    return rgba;
}

std::string webp_file(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& rgba,
                      const WebpKind& kind) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    if (WebPConfigInit(&config) == 0 || WebPPictureInit(&picture) == 0) throw std::runtime_error("libwebp's version");
    WebPMemoryWriterInit(&writer);
    config.lossless = kind.lossless ? 1 : 0;
    config.quality = 90;
    picture.use_argb = config.lossless;
    picture.width = static_cast<int>(width);
    picture.height = static_cast<int>(height);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    const auto import = kind.alpha ? WebPPictureImportRGBA : WebPPictureImportRGBX;
    if (import(&picture, rgba.data(), picture.width * 4) == 0 || WebPEncode(&config, &picture) == 0) {
        throw std::runtime_error("libwebp can't encode that");
    }
    std::string file(reinterpret_cast<const char*>(writer.mem), writer.size);
    WebPMemoryWriterClear(&writer);
    WebPPictureFree(&picture);
    return file;
}

}  // namespace sublet::scene::testing
