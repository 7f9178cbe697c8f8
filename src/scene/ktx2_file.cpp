#include "scene/ktx2_file.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.h"

namespace sublet::scene {
namespace {

constexpr std::string_view kMagic = "\xABKTX 20\xBB\r\n\x1A\n";
constexpr std::uint64_t kHeaderBytes = 80;
constexpr std::uint64_t kLevelBytes = 24;
constexpr std::uint64_t kMostLevels = 16;
constexpr std::uint64_t kMostSide = 1U << 15U;
constexpr std::uint64_t kNone = 0, kBasisLz = 1, kZstandard = 2;  // supercompression
constexpr std::uint64_t kEtc1sModel = 163, kUastcModel = 166;
constexpr std::uint64_t kUastcBlockBytes = 16;  // and their alignment
// A block of Zstandard of 4 bytes holds up to 2^17.
constexpr std::uint64_t kMostZstandardRatio = 1U << 15U;
// ETC1S: headers of the codebooks and of an image.
constexpr std::uint64_t kEtc1sHeaderBytes = 20;
constexpr std::uint64_t kEtc1sImageBytes = 20;

// Vulkan's formats that are read, as linear numbers and as colours: which of the two a file says is not asked, since
// materials tell.
struct VulkanFormat {
    std::uint32_t linear, srgb;
    std::uint32_t channels;
    TexelFormat format = TexelFormat::kRgba8;
    bool opaque = false;
};
constexpr VulkanFormat kVulkanFormats[] = {
    {9, 15, 1},                              // R8
    {16, 22, 2},                             // R8G8
    {23, 29, 3},                             // R8G8B8
    {37, 43, 4},                             // R8G8B8A8
    {131, 132, 0, TexelFormat::kBc1, true},  // BC1_RGB
    {133, 134, 0, TexelFormat::kBc1},        // BC1_RGBA
    {137, 138, 0, TexelFormat::kBc3},        //
    {139, 139, 0, TexelFormat::kBc4},        //
    {141, 141, 0, TexelFormat::kBc5},        //
    {145, 146, 0, TexelFormat::kBc7},        //
};

class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    Ktx2File read() {
        if (bytes_.size() < kHeaderBytes) throw Error("the file is cut off");
        const VulkanFormat* const vulkan = read_format();
        read_size();
        const std::uint64_t scheme = word(44);
        const std::uint64_t levels = read_layout(vulkan != nullptr && vulkan->channels > 0);
        file_.zstandard = scheme == kZstandard;
        if (vulkan != nullptr) {
            if (scheme != kNone && scheme != kZstandard) {
                throw Error("has supercompression " + std::to_string(scheme) + "; none (0) and Zstandard (2) are read");
            }
            file_.format = vulkan->format;
            file_.channels = vulkan->channels;
            file_.swizzle = read_swizzle();
            if (vulkan->opaque) {
                for (char& component : file_.swizzle) component = component == 'a' ? '1' : component;
            }
        } else {
            read_basis_kind(scheme);
        }
        const unsigned wanted = level_count(file_.width, file_.height);
        if (levels > wanted) {
            throw Error("has " + std::to_string(levels) + " levels, but its size has " + std::to_string(wanted));
        }
        for (std::uint64_t i = 0; i < (levels == wanted ? levels : 1); ++i) file_.levels.push_back(read_level(i));
        return std::move(file_);
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

    // Null: Basis Universal's.
    [[nodiscard]] const VulkanFormat* read_format() const {
        const std::uint64_t format = word(12);
        if (format == 0) return nullptr;
        const auto* const found = std::ranges::find_if(
            kVulkanFormats, [format](const VulkanFormat& f) { return f.linear == format || f.srgb == format; });
        if (found != std::end(kVulkanFormats)) return found;
        throw Error("holds Vulkan's format " + std::to_string(format) +
                    "; of KTX2 are read ETC1S and UASTC, R8 to R8G8B8A8 and BC1, BC3, BC4, BC5 and BC7");
    }

    void read_size() {
        const std::uint64_t width = word(20);
        const std::uint64_t height = word(24);
        if (width == 0 || height == 0 || word(28) > 0 || word(32) > 1 || word(36) != 1) {
            throw Error("is no two-dimensional image, but an array, a cube map or a volume");
        }
        if (width > kMostSide || height > kMostSide) {
            throw Error("is " + std::to_string(width) + "x" + std::to_string(height) + "; sides up to " +
                        std::to_string(kMostSide) + " are read");
        }
        file_.width = static_cast<std::uint32_t>(width);
        file_.height = static_cast<std::uint32_t>(height);
    }

    // Whether all parts lie in the file. How many levels it has: `may_ask` where it may have one and ask for mips.
    [[nodiscard]] std::uint64_t read_layout(bool may_ask) const {
        const std::uint64_t count = word(40);
        const std::uint64_t levels = count == 0 && may_ask ? 1 : count;
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
        return levels;
    }

    void read_basis_kind(std::uint64_t scheme) {
        const std::uint64_t model = bytes_[static_cast<std::size_t>(word(48) + 12)];
        if (model == kEtc1sModel && scheme == kBasisLz) {
            file_.kind = Ktx2Kind::kEtc1s;
            if (long_word(72) < kEtc1sHeaderBytes + word(40) * kEtc1sImageBytes) {
                throw Error("the supercompression global data are too short");
            }
            file_.codebook_entries = number(long_word(64), 2) + number(long_word(64) + 2, 2);
        } else if (model == kUastcModel && (scheme == kNone || scheme == kZstandard)) {
            file_.kind = Ktx2Kind::kUastc;
        } else {
            throw Error("has colour model " + std::to_string(model) + " and supercompression " +
                        std::to_string(scheme) + "; ETC1S (163) with BasisLZ (1), and UASTC (166) without or with " +
                        "Zstandard (2), are read");
        }
    }

    // Of the key/value data: entries of a length, a key that ends in a zero, a value, and padding to 4 bytes.
    [[nodiscard]] Swizzle read_swizzle() const {
        constexpr std::string_view kKey("KTXswizzle\0", 11);
        const std::uint64_t end = word(56) + word(60);
        for (std::uint64_t at = word(56); end - at >= 4;) {
            const std::uint64_t size = word(at);
            at += 4;
            if (size > end - at) throw Error("the key/value data are cut off");
            const std::string_view entry(reinterpret_cast<const char*>(bytes_.data()) + at,
                                         static_cast<std::size_t>(size));
            if (entry.substr(0, kKey.size()) == kKey && size >= kKey.size() + 4) {
                Swizzle swizzle{};
                std::copy_n(entry.begin() + kKey.size(), 4, swizzle.begin());
                for (const char component : swizzle) {
                    if (std::string_view("rgba01").find(component) == std::string_view::npos) {
                        throw Error("KTXswizzle is not made of r, g, b, a, 0 and 1");
                    }
                }
                return swizzle;
            }
            at += std::min((size + 3) / 4 * 4, end - at);
        }
        return kNoSwizzle;
    }

    [[nodiscard]] Ktx2Level read_level(std::uint64_t i) const {
        const std::uint64_t entry = kHeaderBytes + i * kLevelBytes;
        const std::uint64_t at = long_word(entry);
        const std::uint64_t here = long_word(entry + 8);
        Ktx2Level level{bytes_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(here)), here};
        if (file_.kind == Ktx2Kind::kEtc1s) return level;
        const std::string name = "level " + std::to_string(i);
        const std::uint32_t width = halved(file_.width, static_cast<unsigned>(i));
        const std::uint32_t height = halved(file_.height, static_cast<unsigned>(i));
        const std::uint64_t texels = file_.kind == Ktx2Kind::kUastc ? level_bytes(TexelFormat::kBc7, width, height)
                                     : file_.channels > 0           ? std::uint64_t{file_.channels} * width * height
                                                                    : level_bytes(file_.format, width, height);
        level.size = file_.zstandard ? long_word(entry + 16) : here;
        if (level.size != texels) {
            throw Error(name + " has " + std::to_string(level.size) + " bytes, but its texels take " +
                        std::to_string(texels));
        }
        if (file_.kind == Ktx2Kind::kUastc && !file_.zstandard && at % kUastcBlockBytes != 0) {
            throw Error(name + " begins at byte " + std::to_string(at) + ", which is no multiple of " +
                        std::to_string(kUastcBlockBytes));
        }
        if (here < texels / kMostZstandardRatio) {
            throw Error(name + " has too few bytes (" + std::to_string(here) + ") for its texels");
        }
        return level;
    }

    std::span<const std::uint8_t> bytes_;
    Ktx2File file_;
};

class Writer {
  public:
    void number(std::uint64_t value, unsigned size) {
        for (unsigned i = 0; i < size; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    void word(std::uint64_t value) { number(value, 4); }
    void text(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
    void pad(std::size_t alignment) { bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment); }
    void key(std::string_view key, std::string_view value) {
        word(key.size() + 1 + value.size() + 1);
        text(key);
        number(0, 1);
        text(value);
        number(0, 1);
        pad(4);
    }
    [[nodiscard]] std::vector<std::uint8_t>& bytes() { return bytes_; }

  private:
    std::vector<std::uint8_t> bytes_;
};

// The Khronos Data Format Specification's basic descriptor of a block-compressed format.
Writer descriptor_of(TexelFormat format, bool srgb) {
    constexpr std::uint32_t kVersion = 2, kHeader = 24, kSample = 16;
    constexpr std::uint32_t kBc4Model = 131, kBc5Model = 132, kBc7Model = 134;
    constexpr std::uint32_t kBt709 = 1, kLinear = 1, kSrgb = 2;
    const std::uint32_t samples = format == TexelFormat::kBc5 ? 2 : 1;
    const std::uint32_t bits = 8 * block_bytes(format) / samples;
    Writer out;
    out.word(4 + kHeader + samples * kSample);
    out.word(0);  // Khronos, the basic descriptor
    out.number(kVersion, 2);
    out.number(kHeader + samples * kSample, 2);
    out.number(format == TexelFormat::kBc4 ? kBc4Model : format == TexelFormat::kBc5 ? kBc5Model : kBc7Model, 1);
    out.number(kBt709, 1);
    out.number(srgb ? kSrgb : kLinear, 1);
    out.number(0, 1);                    // alpha is straight
    out.word(3 | 3U << 8U);              // blocks of 4x4, as sizes less one
    out.number(block_bytes(format), 8);  // of the one plane
    for (std::uint32_t i = 0; i < samples; ++i) {
        out.number(std::uint64_t{i} * bits, 2);
        out.number(bits - 1, 1);
        out.number(i, 1);  // channel: red, green
        out.word(0);       // its place in the block
        out.word(0);       // least and most value
        out.word(0xFFFFFFFFU);
    }
    return out;
}

std::uint32_t vulkan_format(TexelFormat format, bool srgb) {
    const auto* const found = std::ranges::find(kVulkanFormats, format, &VulkanFormat::format);
    return srgb ? found->srgb : found->linear;
}

std::vector<std::uint8_t> zstandard(std::span<const std::uint8_t> bytes) {
    constexpr int kEffort = 9;
    std::vector<std::uint8_t> out(ZSTD_compressBound(bytes.size()));
    const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kEffort);
    if (ZSTD_isError(size) != 0) throw Error(std::string("Zstandard: ") + ZSTD_getErrorName(size));
    out.resize(size);
    return out;
}

}  // namespace

Ktx2File read_ktx2(std::span<const std::uint8_t> bytes) {
    return Reader(bytes).read();
}

void decompress_level(const Ktx2File& file, const Ktx2Level& level, std::span<std::uint8_t> to) {
    if (!file.zstandard) {
        std::ranges::copy(level.bytes, to.begin());
        return;
    }
    const std::size_t size = ZSTD_decompress(to.data(), to.size(), level.bytes.data(), level.bytes.size());
    if (size != to.size()) throw Error("the data, compressed by Zstandard, are corrupt");
}

std::vector<std::uint8_t> write_ktx2(std::span<const TexelLevel> levels, bool srgb, const Swizzle& swizzle) {
    const TexelFormat format = levels[0].format;
    Writer descriptor = descriptor_of(format, srgb);
    Writer keys;
    if (swizzle != kNoSwizzle) keys.key("KTXswizzle", {swizzle.data(), swizzle.size()});
    keys.key("KTXwriter", "Sublet");
    Writer out;
    out.text(kMagic);
    out.word(vulkan_format(format, srgb));
    out.word(1);  // the size of what endianness would be about: blocks have none
    for (const std::uint32_t value : {levels[0].width, levels[0].height, 0U, 0U, 1U}) out.word(value);
    out.word(levels.size());
    out.word(kZstandard);
    const std::size_t descriptor_at = kHeaderBytes + levels.size() * kLevelBytes;
    out.word(descriptor_at);
    out.word(descriptor.bytes().size());
    out.word(descriptor_at + descriptor.bytes().size());
    out.word(keys.bytes().size());
    for (int i = 0; i < 2; ++i) out.number(0, 8);  // no supercompression global data
    // The smallest level lies first.
    std::vector<std::vector<std::uint8_t>> packed;
    for (const TexelLevel& level : levels) packed.push_back(zstandard(level.span()));
    std::vector<std::size_t> places(levels.size());
    std::size_t end = descriptor_at + descriptor.bytes().size() + keys.bytes().size();
    for (std::size_t i = levels.size(); i-- > 0; end += packed[i].size()) places[i] = end;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        out.number(places[i], 8);
        out.number(packed[i].size(), 8);
        out.number(levels[i].span().size(), 8);
    }
    std::vector<std::uint8_t>& bytes = out.bytes();
    const auto append = [&bytes](const std::vector<std::uint8_t>& part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
    };
    append(descriptor.bytes());
    append(keys.bytes());
    for (std::size_t i = levels.size(); i-- > 0;) append(packed[i]);
    return std::move(bytes);
}

}  // namespace sublet::scene
