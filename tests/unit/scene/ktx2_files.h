// KTX2 files of 8 x 8 texels, made by Basis Universal's encoder (basisu 2.0.2, -linear): a red, a green, a blue and a
// white quarter, from the upper left one on. The white one has an alpha of 64, but in kEtc1s. And files of Vulkan's
// formats, made here.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sublet::scene::testing {

// Digits, two a byte.
// ETC1S, opaque.
inline constexpr std::string_view kEtc1s =
    "ab4b5458203230bb0d0a1a0a000000000100000008000000080000000000000000000000010000000100000001000000680000002c000000"
    "9400000024000000b80000000000000089000000000000004101000000000000010000000000000000000000000000002c00000000000000"
    "02002800a301010003030000000000000000000000003f000000000000000000ffffffff1f0000004b545877726974657200426173697320"
    "556e6976657273616c20322e30300000040002002b000000090000002d000000000000000000000000000000010000000000000000000000"
    "20c044000000000000e2040430110000000000802410002600000000000010028009000000000000043036acaaaaaa525555550500c14400"
    "0000000000f25f8d009801000000000040c2103021400000000080e49a00600200000000000001040004";
// ETC1S with alpha.
inline constexpr std::string_view kEtc1sAlpha =
    "ab4b5458203230bb0d0a1a0a000000000100000008000000080000000000000000000000010000000100000001000000680000003c000000"
    "a400000024000000c8000000000000008f000000000000005701000000000000040000000000000000000000000000003c00000000000000"
    "02003800a301010003030000000000000000000000003f000000000000000000ffffffff40003f0f0000000000000000ffffffff1f000000"
    "4b545877726974657200426173697320556e6976657273616c20322e30300000050002002e00000009000000300000000000000000000000"
    "0000000002000000020000000200000020c094000000000010e40ba219c044000000000000b2410098000000000000400800260000000000"
    "0010004cf700acaaaaaa525555550500c144000000000000f2df2748013001200000000080c82120428000000020089bd004a718004c0000"
    "00000000208000e700e00f";
// UASTC.
inline constexpr std::string_view kUastc =
    "ab4b5458203230bb0d0a1a0a000000000100000008000000080000000000000000000000010000000100000000000000680000002c000000"
    "940000002c00000000000000000000000000000000000000c000000000000000400000000000000040000000000000002c00000000000000"
    "02002800a601010003030000100000000000000000007f030000000000000000ffffffff1f0000004b545877726974657200426173697320"
    "556e6976657273616c20322e30300000040000007f7f0000f71f00e01f7a0000000000000000000017e01fe01f020f000000000000000000"
    "1700e0ff1f02e0010000000000000000f7ffff1f087cef010000000000000000";
// UASTC, compressed by Zstandard.
inline constexpr std::string_view kUastcZstandard =
    "ab4b5458203230bb0d0a1a0a000000000100000008000000080000000000000000000000010000000100000002000000680000002c000000"
    "940000002400000000000000000000000000000000000000b8000000000000002f0000000000000040000000000000002c00000000000000"
    "02002800a601010003030000000000000000000000007f030000000000000000ffffffff1f0000004b545877726974657200426173697320"
    "556e6976657273616c20322e3030000028b52ffd2040350100e0f71f00e01f7a0017e01fe01f020f00e0ff1f02e001f7ffff1f087cef0440"
    "07a00032731720";

inline std::string ktx2_file(std::string_view digits) {
    std::string file;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        file += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
    }
    return file;
}

// What a file of one of Vulkan's formats holds.
struct Ktx2Parts {
    std::uint32_t format = 37;  // R8G8B8A8_UNORM
    std::uint32_t width = 4, height = 4;
    std::vector<std::string> levels = {};  // the largest first
    std::string swizzle = {};              // empty: none is given
};

// `pack`: compresses a level by Zstandard; none: levels lie as they are.
inline std::string vulkan_ktx2(const Ktx2Parts& parts,
                               const std::function<std::string(const std::string& level)>& pack) {
    const auto number = [](std::uint64_t value, unsigned size) {
        std::string bytes;
        for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
        return bytes;
    };
    std::string keys;
    if (!parts.swizzle.empty()) {
        const std::string entry = std::string("KTXswizzle\0", 11) + parts.swizzle + std::string(1, '\0');
        keys = number(8, 4) + std::string("other\0ok", 8) + number(entry.size(), 4) + entry;
    }
    constexpr std::size_t kDescriptor = 44;
    const std::size_t descriptor_at = 80 + 24 * parts.levels.size();
    std::string file = "\xABKTX 20\xBB\r\n\x1A\n";
    for (const std::size_t value :
         {std::size_t{parts.format}, std::size_t{1}, std::size_t{parts.width}, std::size_t{parts.height},
          std::size_t{0}, std::size_t{0}, std::size_t{1}, parts.levels.size(), std::size_t{pack ? 2U : 0U},
          descriptor_at, kDescriptor, descriptor_at + kDescriptor, keys.size()}) {
        file += number(value, 4);
    }
    file += number(0, 8) + number(0, 8);
    std::string data;
    for (const std::string& level : parts.levels) {
        const std::string packed = pack ? pack(level) : level;
        file += number(descriptor_at + kDescriptor + keys.size() + data.size(), 8) + number(packed.size(), 8) +
                number(level.size(), 8);
        data += packed;
    }
    return file + std::string(kDescriptor, '\0') + keys + data;
}

}  // namespace sublet::scene::testing
