#include "scene/encode_store.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/open_file.h"
#include "base/path_text.h"
#include "mesh/arrays.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sublet::scene {
namespace {

constexpr const char* kJournal = "journal";
constexpr int kMarkTries = 40;
constexpr std::chrono::milliseconds kMarkPause{50};
constexpr std::size_t kReadAtOnce = std::size_t{1} << 22U;

class Hasher {
  public:
    Hasher() { XXH3_128bits_reset(&state_); }
    void add(std::span<const std::byte> bytes) { XXH3_128bits_update(&state_, bytes.data(), bytes.size()); }
    template <typename T>
    void add_array(const std::vector<T>& array) {
        const std::uint64_t size = array.size();
        add(std::as_bytes(std::span(&size, 1)));
        add(std::as_bytes(std::span(array)));
    }
    [[nodiscard]] EncodeStore::SourceHash result() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
        return {hash.low64, hash.high64};
    }

  private:
    XXH3_state_t state_;
};

template <typename Array>
constexpr std::size_t kElementSize = sizeof(typename std::remove_cvref_t<Array>::value_type);

void require(int error, const std::filesystem::path& path) {
    if (error != 0) throw_system(path, "cannot be written", error);
}

}  // namespace

EncodeStore::SourceHash EncodeStore::hash_of(const SourceMeshGroup& source) {
    Hasher hash;
    for (const SourceMesh& mesh : source.meshes) {
        mesh::for_each_attribute([&](const mesh::Attribute&, const auto& values) { hash.add_array(values); }, mesh);
        hash.add_array(mesh.indices);
        for (const mesh::MorphArrays& morph : mesh.morphs) {
            hash.add_array(morph.positions);
            hash.add_array(morph.normals);
            hash.add_array(morph.tangents);
        }
    }
    return hash.result();
}

EncodeStore::EncodeStore(std::filesystem::path folder, const std::string& key) : folder_(std::move(folder)) {
    static_assert(std::is_trivially_copyable_v<Record>);
    if (const int error = create_folders(folder_); error != 0) throw_system(folder_, "cannot make the folder", error);
    const std::filesystem::path journal = path_of(kJournal);
    {
        bool exists = false;
        const int error = NewFile().create(journal, exists);
        if (!exists) require(error, journal);
    }
    mark_ = FileMark(journal);
    // A process that was ended a moment ago may hold it still.
    for (int i = 0; i < kMarkTries && mark_.state() == FileMark::State::kTaken; ++i) {
        std::this_thread::sleep_for(kMarkPause);
        mark_ = FileMark(journal);
    }
    if (mark_.state() == FileMark::State::kTaken) {
        throw Error(path_text(folder_), "", "another process is encoding the same file");
    }
    const std::string head = "sublet encode " + std::to_string(sizeof(Record)) + " " + key + "\n";
    head_size_ = head.size();
    read_records(head);
    require(journal_.open_at(journal, records_.empty() ? 0 : journal_size()), journal);
    if (records_.empty()) require(journal_.write(std::as_bytes(std::span(head))), journal);
    open_files();
}

EncodeStore::~EncodeStore() {
    if (!records_.empty()) return;
    static_cast<void>(journal_.close());
    for (NewFile& array : arrays_) static_cast<void>(array.close());
    mark_ = {};
    remove(folder_);
}

std::filesystem::path EncodeStore::path_of(const char* array) const {
    return folder_ / array;
}

// Those at the beginning of the journal whose groups are there.
void EncodeStore::read_records(const std::string& head) {
    const OpenFile journal(path_of(kJournal));
    if (journal.size() < head.size()) return;
    std::string there(head.size(), ' ');
    journal.read(std::as_writable_bytes(std::span(there)), 0);
    if (there != head) return;
    while (journal_size() + kEntry <= journal.size()) {
        Record record;
        SourceHash hash{};
        journal.read(std::as_writable_bytes(std::span(&record, 1)), journal_size());
        journal.read(std::as_writable_bytes(std::span(hash)), journal_size() + sizeof record);
        if (!is_there(record, hash)) return;
        records_.push_back(record);
    }
}

// As the next one.
bool EncodeStore::is_there(const Record& record, const SourceHash& hash_there) const {
    Hasher hash;
    hash.add(std::as_bytes(std::span(&record, 1)));
    bool whole = true;
    std::vector<std::byte> bytes;
    const auto read = [&](const char* name, std::uint64_t begin, std::uint64_t end, const auto& array) {
        constexpr std::size_t kSize = kElementSize<decltype(array)>;
        const std::uint64_t size = size_of_file(path_of(name));
        whole = whole && begin <= end && end <= size / kSize;
        if (!whole || begin == end) return;
        const OpenFile file(path_of(name));
        for (std::uint64_t at = begin * kSize; at < end * kSize; at += bytes.size()) {
            bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kReadAtOnce, end * kSize - at)));
            file.read(bytes, at);
            hash.add(bytes);
        }
    };
    mesh::for_each_array(read, end(), record.end, mesh::Geometry{});
    return whole && hash.result() == hash_there;
}

// As long as the records say, whatever was written behind that.
void EncodeStore::open_files() {
    std::size_t i = 0;
    const auto open = [&](const char* name, std::uint64_t count, const auto& array) {
        require(arrays_[i++].open_at(path_of(name), count * kElementSize<decltype(array)>), path_of(name));
    };
    mesh::for_each_array(open, end(), mesh::Geometry{});
}

std::optional<mesh::EncodeStats> EncodeStore::find(std::size_t group, const SourceHash& source) {
    if (group >= records_.size()) return std::nullopt;
    if (records_[group].source == source) return records_[group].stats;
    records_.resize(group);
    require(journal_.close(), path_of(kJournal));
    require(journal_.open_at(path_of(kJournal), journal_size()), path_of(kJournal));
    for (NewFile& array : arrays_) static_cast<void>(array.close());
    open_files();
    return std::nullopt;
}

void EncodeStore::append(const mesh::GeometryView& geometry, const mesh::EncodeStats& stats, const SourceHash& source) {
    const mesh::MovedGeometry moved(geometry, end());
    std::size_t i = 0;
    const auto write = [&](const char* name, const auto& array) {
        require(arrays_[i++].write(std::as_bytes(std::span(array))), path_of(name));
    };
    mesh::for_each_array(write, moved.view());

    Record record{end(), stats, source};
    const auto count = [](const char* /*name*/, std::uint64_t& sum, const auto& array) { sum += array.size(); };
    mesh::for_each_array(count, record.end, moved.view());
    record.end.set_last(moved.view());
    std::array<std::byte, kEntry> entry{};
    std::memcpy(entry.data(), &record, sizeof record);
    Hasher hash;
    hash.add(std::span(entry).first(sizeof record));
    mesh::for_each_array([&](const char* /*name*/, const auto& array) { hash.add(std::as_bytes(std::span(array))); },
                         moved.view());
    const SourceHash result = hash.result();
    std::memcpy(entry.data() + sizeof record, result.data(), sizeof result);
    require(journal_.write(entry), path_of(kJournal));
    records_.push_back(record);
}

mesh::GeometryView EncodeStore::finish() {
    for (NewFile& array : arrays_) require(array.close(), folder_);
    mesh::GeometryView geometry;
    const auto map = [&](const char* name, std::uint64_t count, auto& array) {
        if (count == 0) return;
        const std::span<const std::byte> bytes = maps_.emplace_back(path_of(name)).bytes();
        array = {reinterpret_cast<decltype(array.data())>(bytes.data()), static_cast<std::size_t>(count)};
    };
    mesh::for_each_array(map, end(), geometry);
    return geometry;
}

void EncodeStore::remove(const std::filesystem::path& folder) {
    const auto remove = [&](const char* name, const auto& /*array*/) { static_cast<void>(remove_file(folder / name)); };
    mesh::for_each_array(remove, mesh::Geometry{});
    static_cast<void>(remove_file(folder / kJournal));
    std::error_code ignored;
    std::filesystem::remove(folder, ignored);
}

}  // namespace sublet::scene
