#include "image_files.h"

#include <array>

namespace sublet::scene::testing {
namespace {

void put_byte(std::string& bytes, unsigned value) {
    bytes += static_cast<char>(value & 0xFFU);
}

void put_16(std::string& bytes, std::uint32_t value) {
    put_byte(bytes, value >> 8U);
    put_byte(bytes, value);
}

void put_32(std::string& bytes, std::uint32_t value) {
    put_16(bytes, value >> 16U);
    put_16(bytes, value);
}

void put_chunk(std::string& png, const char* type, const std::string& data) {
    put_32(png, static_cast<std::uint32_t>(data.size()));
    png += type;
    png += data;
    put_32(png, 0);  // the decoder does not look at checksums
}

// Bits as deflate packs them: from the lowest of each byte on.
class BitWriter {
  public:
    explicit BitWriter(std::string& bytes) : bytes_(bytes) {}

    void number(unsigned value, int bits) {
        for (int i = 0; i < bits; ++i) bit(value >> static_cast<unsigned>(i) & 1U);
    }
    void code(unsigned value, int bits) {
        for (int i = bits; i-- > 0;) bit(value >> static_cast<unsigned>(i) & 1U);
    }
    void flush() {
        while (count_ > 0) bit(0);
    }

  private:
    void bit(unsigned value) {
        byte_ |= value << count_;
        if (++count_ < 8) return;
        put_byte(bytes_, byte_);
        byte_ = count_ = 0;
    }

    std::string& bytes_;
    unsigned byte_ = 0, count_ = 0;
};

}  // namespace

std::uint64_t png_raw_bytes(const PngKind& kind) {
    constexpr std::array<std::uint64_t, 7> kChannels{1, 0, 3, 1, 2, 0, 4};
    const std::uint64_t bits = kChannels.at(kind.color_type) * kind.depth;
    if (!kind.interlaced) return kind.height * (1 + (kind.width * bits + 7) / 8);
    constexpr std::array<std::array<std::uint32_t, 4>, 7> kPasses{
        {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
    std::uint64_t sum = 0;
    for (const auto& [x0, y0, step_x, step_y] : kPasses) {
        std::uint64_t columns = 0;
        for (std::uint32_t x = x0; x < kind.width; x += step_x) ++columns;
        for (std::uint32_t y = y0; y < kind.height && columns > 0; y += step_y) sum += 1 + (columns * bits + 7) / 8;
    }
    return sum;
}

std::string png_file(const PngKind& kind, const std::string& zlib) {
    std::string header;
    put_32(header, kind.width);
    put_32(header, kind.height);
    for (const unsigned value : {unsigned{kind.depth}, unsigned{kind.color_type}, 0U, 0U, kind.interlaced ? 1U : 0U}) {
        put_byte(header, value);
    }
    std::string png = "\x89PNG\r\n\x1A\n";
    put_chunk(png, "IHDR", header);
    if (kind.color_type == 3) put_chunk(png, "PLTE", std::string(3, '\0'));
    put_chunk(png, "IDAT", zlib);
    put_chunk(png, "IEND", "");
    return png;
}

std::string deflated_zeros(std::uint64_t count) {
    constexpr std::uint64_t kLongest = 258;
    std::string zlib = "\x78\x01";
    BitWriter bits(zlib);
    bits.number(1, 1);  // the last block
    bits.number(1, 2);  // of fixed codes
    bits.code(0x30, 8);
    for (--count; count >= kLongest; count -= kLongest) {
        bits.code(0xC5, 8);  // length 258
        bits.code(0, 5);     // distance 1
    }
    for (; count > 0; --count) bits.code(0x30, 8);
    bits.code(0, 7);  // the end
    bits.flush();
    put_32(zlib, 0);  // the decoder does not look at the checksum
    return zlib;
}

std::string jpeg_file(std::uint32_t width, std::uint32_t height, int components, bool progressive, int scans) {
    std::string jpeg = "\xFF\xD8";
    const auto segment = [&](unsigned marker, const std::string& data) {
        put_byte(jpeg, 0xFF);
        put_byte(jpeg, marker);
        put_16(jpeg, static_cast<std::uint32_t>(data.size() + 2));
        jpeg += data;
    };
    segment(0xDB, std::string(1, '\0') + std::string(64, '\1'));
    std::string frame = "\x08";
    put_16(frame, height);
    put_16(frame, width);
    put_byte(frame, static_cast<unsigned>(components));
    for (int i = 1; i <= components; ++i) {
        put_byte(frame, static_cast<unsigned>(i));
        put_byte(frame, 0x11);
        put_byte(frame, 0);
    }
    segment(progressive ? 0xC2 : 0xC0, frame);
    // Tables of one code, of a single bit 0: no difference; the end of the block.
    for (const unsigned table : {0x00U, 0x10U}) {
        std::string codes;
        put_byte(codes, table);
        codes += '\1' + std::string(15, '\0');
        codes += '\0';
        segment(0xC4, codes);
    }
    std::string scan;
    put_byte(scan, static_cast<unsigned>(components));
    for (int i = 1; i <= components; ++i) {
        put_byte(scan, static_cast<unsigned>(i));
        put_byte(scan, 0);
    }
    put_byte(scan, 0);
    put_byte(scan, progressive ? 0U : 63U);
    put_byte(scan, 0);
    const std::size_t blocks = std::size_t{(width + 7) / 8} * ((height + 7) / 8) * static_cast<std::size_t>(components);
    for (int i = 0; i < scans; ++i) {
        segment(0xDA, scan);
        jpeg += std::string(blocks * (progressive ? 1 : 2) / 8 + 1, '\0');
    }
    return jpeg + "\xFF\xD9";
}

}  // namespace sublet::scene::testing
