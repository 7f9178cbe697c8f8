#include "mesh/mesh.h"

#include <exception>
#include <new>
#include <string>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/path_text.h"
#include "base/thread_pool.h"
#include "mesh/encode.h"
#include "mesh/recode.h"
#include "mesh/sections.h"
#include "mesh/stream.h"
#include "mesh/view.h"

namespace sublet::mesh {
namespace {

// What `call` returns, as T; or what it throws, as a Failure.
template <typename T, typename Call>
T caught(const std::string& name, const Call& call) {
    try {
        return call();
    } catch (const Error& error) {
        return Failure{std::string(error.source()), std::string(error.field()), std::string(error.message())};
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {  // a thread that can't be started, a size that no vector has
        return Failure{name, "", error.what()};
    }
}

File read(std::span<const std::byte> bytes, const std::string& name, std::shared_ptr<const void> mapping) {
    struct Held {
        std::shared_ptr<const void> mapping;
        LongBounds bounds;
    };
    auto held = std::make_shared<Held>();
    Sections sections(bytes, name);
    File file{sections.geometry(held->bounds), sections.all(), {}};
    validate(file.geometry, name);
    held->mapping = std::move(mapping);
    file.mapping = std::move(held);
    return file;
}

}  // namespace

Version version() {
    return {SUBLET_VERSION_MAJOR, SUBLET_VERSION_MINOR, SUBLET_VERSION_PATCH};
}

std::string Failure::line() const {
    return Error(file, field, text).what();
}

std::optional<Failure> check(const GeometryView& geometry, const std::string& name) {
    return caught<std::optional<Failure>>(name, [&]() -> std::optional<Failure> {
        validate(geometry, name);
        return std::nullopt;
    });
}

Result<EncodedMeshes> try_encode(std::span<const MeshInput> meshes, const EncodeOptions& options,
                                 const std::string& name, unsigned threads) {
    return caught<Result<EncodedMeshes>>(name, [&]() -> Result<EncodedMeshes> {
        if (threads == 1) return encode(meshes, options, name);
        ThreadPool pool(threads);
        return encode(meshes, options, name, &pool);
    });
}

Result<Geometry> try_recode(const GeometryView& geometry, Coding coding, unsigned threads) {
    return caught<Result<Geometry>>("geometry", [&]() -> Result<Geometry> {
        if (coding == Coding::kPlain) require_plain(geometry, "geometry");
        if (threads == 1) return recode(geometry, coding);
        ThreadPool pool(threads);
        return recode(geometry, coding, &pool);
    });
}

Result<File> try_open(const std::filesystem::path& path) {
    return caught<Result<File>>(path_text(path), [&]() -> Result<File> {
        auto mapping = std::make_shared<MappedFile>(path);
        const std::span<const std::byte> bytes = mapping->bytes();
        return read(bytes, path_text(path), std::move(mapping));
    });
}

Result<File> try_read(std::span<const std::byte> bytes, const std::string& name) {
    return caught<Result<File>>(name, [&]() -> Result<File> {
        constexpr std::uintptr_t kAlignment = 16;
        if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment != 0) {
            throw Error(name, "memory", "does not begin at a multiple of 16 bytes");
        }
        return read(bytes, name, nullptr);
    });
}

std::uint32_t attribute_words_before(const MeshHeader& header, std::uint32_t type) {
    return attribute_offset(type, header.streams_present);
}

}  // namespace sublet::mesh
