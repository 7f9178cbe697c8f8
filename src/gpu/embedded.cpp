#include "gpu/embedded.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#ifdef SUBLET_ZSTD
#include <zstd.h>
#endif

#include "base/error.h"

namespace sublet::gpu {
namespace {

// What an embedded file begins with (cmake/Embed.cmake). It lies among others, one behind the other.
struct EmbeddedHeader {
    std::uint32_t magic;         // kEmbedded
    std::uint32_t distance;      // words from here to where they lie
    std::uint32_t bytes;         // of them all,
    std::uint32_t packed_bytes;  // and as Zstandard packed them; 0: they lie as they are
    std::uint32_t first, words;  // of this one
};
constexpr std::uint32_t kEmbedded = 0x4b434150;

std::vector<std::uint32_t> unpack_all(std::span<const std::uint32_t> files, const EmbeddedHeader& header) {
    std::vector<std::uint32_t> out((std::size_t{header.bytes} + 3) / 4);
#ifdef SUBLET_ZSTD
    if (ZSTD_decompress(out.data(), header.bytes, files.data(), header.packed_bytes) == header.bytes) return out;
#endif
    throw Error("a file that the program carries can't be unpacked");
}

}  // namespace

std::span<const std::uint32_t> unpack(std::span<const std::uint32_t> embedded) {
    if (embedded.size_bytes() < sizeof(EmbeddedHeader) || embedded[0] != kEmbedded) return embedded;
    EmbeddedHeader header{};
    std::memcpy(&header, embedded.data(), sizeof(header));
    std::span<const std::uint32_t> files = embedded.subspan(header.distance);
    if (header.packed_bytes != 0) {
        static std::mutex mutex;
        static std::map<const std::uint32_t*, std::vector<std::uint32_t>> unpacked;  // by where they lie packed
        const std::scoped_lock lock(mutex);
        auto found = unpacked.find(files.data());
        if (found == unpacked.end()) found = unpacked.emplace(files.data(), unpack_all(files, header)).first;
        files = found->second;
    }
    return files.subspan(header.first, header.words);
}

}  // namespace sublet::gpu
