#include "app/keep/file_hash.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "base/open_file.h"
#include "base/thread_pool.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sublet::app {

namespace {

// A part is hashed by one thread. Parts are hashed alone, and a file's hash is that of its parts' hashes.
constexpr std::size_t kPart = std::size_t{1} << 20U;

using Digest = std::array<unsigned char, sizeof(XXH128_canonical_t)>;

Digest digest(const void* bytes, std::size_t size) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
    Digest out{};
    std::memcpy(out.data(), canonical.digest, out.size());
    return out;
}

std::string hexadecimal(const Digest& digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : digest) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

}  // namespace

std::string hash_text(std::string_view text) {
    return hexadecimal(digest(text.data(), text.size()));
}

std::string hash_file(const std::filesystem::path& path, ThreadPool& pool) {
    const OpenFile file(path);  // read, and not mapped: a file that somebody shortens meanwhile would end us
    const std::size_t parts = static_cast<std::size_t>((file.size() + kPart - 1) / kPart);
    std::vector<Digest> digests(parts);
    pool.parallel_for(parts, 1, [&](std::size_t begin, std::size_t end) {
        thread_local std::vector<std::byte> bytes(kPart);
        for (std::size_t part = begin; part < end; ++part) {
            const std::uint64_t offset = std::uint64_t{part} * kPart;
            const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(kPart, file.size() - offset));
            file.read(std::span(bytes).first(size), offset);
            digests[part] = digest(bytes.data(), size);
        }
    });
    return hexadecimal(digest(digests.data(), digests.size() * sizeof(Digest)));
}

}  // namespace sublet::app
