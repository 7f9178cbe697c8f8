// KTX2 with Basis Universal's ETC1S or UASTC, transcoded to RGBA8. The transcoder reads where the file's header points
// to without a look, and allocates by it: all of that is checked here first.
#include <basisu_transcoder.h>

#include <string>

#include "base/error.h"
#include "scene/image_formats.h"

namespace sublet::scene {
namespace {

constexpr std::uint64_t kHeaderBytes = 80;
constexpr std::uint64_t kLevelBytes = 24;
constexpr std::uint64_t kMostLevels = 16;
constexpr std::uint64_t kMostSide = 1U << 15U;
constexpr std::uint64_t kEtc1sModel = 163;
constexpr std::uint64_t kUastcModel = 166;
constexpr std::uint64_t kUastcBlockBytes = 16;  // and their alignment
constexpr std::uint64_t kBasisLz = 1;
constexpr std::uint64_t kZstandard = 2;
// A block of Zstandard of 4 bytes holds up to 2^17.
constexpr std::uint64_t kMostZstandardRatio = 1U << 15U;
// ETC1S: headers of the codebooks and of an image, and what an entry of a codebook takes when it is decoded.
constexpr std::uint64_t kEtc1sHeaderBytes = 20;
constexpr std::uint64_t kEtc1sImageBytes = 20;
constexpr std::uint64_t kEtc1sEntryBytes = 64;
// What the transcoder takes beside texels and codebooks: tables of codes, and rows of blocks.
constexpr std::uint64_t kTranscoderBytes = 1U << 20U;
constexpr std::uint64_t kKtx2RowBytes = 64;

class Ktx2Header {
  public:
    explicit Ktx2Header(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    ImageHeader read() const {
        if (bytes_.size() < kHeaderBytes) throw Error("the file is cut off");
        if (const std::uint64_t format = word(12); format != 0) {
            throw Error("holds Vulkan's format " + std::to_string(format) +
                        "; of KTX2 only Basis Universal's ETC1S and UASTC are read");
        }
        const std::uint64_t width = word(20);
        const std::uint64_t height = word(24);
        if (width == 0 || height == 0 || word(28) > 0 || word(32) > 1 || word(36) != 1) {
            throw Error("is no two-dimensional image, but an array, a cube map or a volume");
        }
        if (width > kMostSide || height > kMostSide) {
            throw Error("is " + std::to_string(width) + "x" + std::to_string(height) + "; sides up to " +
                        std::to_string(kMostSide) + " are read");
        }
        const std::uint64_t levels = word(40);
        if (levels == 0 || levels > kMostLevels) {
            throw Error("has " + std::to_string(levels) + " levels; 1 to " + std::to_string(kMostLevels) + " are read");
        }
        check_within("level index", kHeaderBytes, levels * kLevelBytes);
        for (std::uint64_t i = 0; i < levels; ++i) {
            const std::uint64_t at = kHeaderBytes + i * kLevelBytes;
            check_within("level " + std::to_string(i), long_word(at), long_word(at + 8));
        }
        check_within("data format descriptor", word(48), word(52));
        check_within("key/value data", word(56), word(60));
        check_within("supercompression global data", long_word(64), long_word(72));
        constexpr std::uint64_t kLeastDescriptor = 44;
        if (word(52) < kLeastDescriptor) throw Error("the data format descriptor is too short");

        ImageHeader header{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 0};
        header.decode_bytes = 4 * width * height + kKtx2RowBytes * width + kTranscoderBytes;
        const std::uint64_t blocks = (width + 3) / 4 * ((height + 3) / 4);
        const std::uint64_t model = bytes_[static_cast<std::size_t>(word(48) + 12)];
        const std::uint64_t scheme = word(44);
        if (model == kEtc1sModel && scheme == kBasisLz) {
            header.decode_bytes += etc1s_bytes(levels);
        } else if (model == kUastcModel && (scheme == 0 || scheme == kZstandard)) {
            header.decode_bytes += uastc_bytes(kUastcBlockBytes * blocks, scheme == kZstandard);
        } else {
            throw Error("has colour model " + std::to_string(model) + " and supercompression " +
                        std::to_string(scheme) + "; ETC1S (163) with BasisLZ (1), and UASTC (166) without or with " +
                        "Zstandard (2), are read");
        }
        return header;
    }

  private:
    [[nodiscard]] std::uint64_t number(std::uint64_t at, std::uint64_t size) const {
        std::uint64_t value = 0;
        for (std::uint64_t i = size; i > 0; --i) value = value << 8U | bytes_[static_cast<std::size_t>(at + i - 1)];
        return value;
    }
    [[nodiscard]] std::uint64_t word(std::uint64_t at) const { return number(at, 4); }
    [[nodiscard]] std::uint64_t long_word(std::uint64_t at) const { return number(at, 8); }

    void check_within(const std::string& what, std::uint64_t offset, std::uint64_t size) const {
        if (size <= bytes_.size() && offset <= bytes_.size() - size) return;
        throw Error("the " + what + " (" + std::to_string(size) + " bytes at " + std::to_string(offset) +
                    ") leaves the file of " + std::to_string(bytes_.size()) + " bytes: is it cut off?");
    }

    // What the codebooks take.
    [[nodiscard]] std::uint64_t etc1s_bytes(std::uint64_t levels) const {
        if (long_word(72) < kEtc1sHeaderBytes + levels * kEtc1sImageBytes) {
            throw Error("the supercompression global data are too short");
        }
        const std::uint64_t at = long_word(64);
        return (number(at, 2) + number(at + 2, 2)) * kEtc1sEntryBytes;
    }

    // What the blocks take, which have so many bytes.
    [[nodiscard]] std::uint64_t uastc_bytes(std::uint64_t block_bytes, bool compressed) const {
        const std::uint64_t here = long_word(kHeaderBytes + 8);
        const std::uint64_t there = compressed ? long_word(kHeaderBytes + 16) : here;
        if (there != block_bytes) {
            throw Error("level 0 has " + std::to_string(there) + " bytes, but its texels take " +
                        std::to_string(block_bytes));
        }
        if (const std::uint64_t at = long_word(kHeaderBytes); !compressed && at % kUastcBlockBytes != 0) {
            throw Error("level 0 begins at byte " + std::to_string(at) + ", which is no multiple of " +
                        std::to_string(kUastcBlockBytes));
        }
        if (here < block_bytes / kMostZstandardRatio) {
            throw Error("level 0 has too few bytes (" + std::to_string(here) + ") for its texels");
        }
        return compressed ? block_bytes : 0;
    }

    std::span<const std::uint8_t> bytes_;
};

}  // namespace

ImageHeader read_ktx2_header(std::span<const std::uint8_t> bytes) {
    return Ktx2Header(bytes).read();
}

void decode_ktx2(std::span<const std::uint8_t> bytes, const ImageHeader& header, std::uint8_t* rgba) {
    static const bool ready = (basist::basisu_transcoder_init(), true);
    basist::ktx2_transcoder transcoder;
    const auto size = static_cast<std::uint32_t>(bytes.size());
    if (!ready || !transcoder.init(bytes.data(), size) || !transcoder.start_transcoding() ||
        transcoder.get_width() != header.width || transcoder.get_height() != header.height ||
        !transcoder.transcode_image_level(0, 0, 0, rgba, header.width * header.height,
                                          basist::transcoder_texture_format::cTFRGBA32)) {
        throw Error("the data are corrupt, or of a kind that Basis Universal does not transcode");
    }
}

}  // namespace sublet::scene
