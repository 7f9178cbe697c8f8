// What is done of a scene that is being encoded, in files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file_lock.h"
#include "base/mapped_file.h"
#include "base/new_file.h"
#include "mesh/view.h"
#include "scene/import.h"

namespace sublet::scene {

// Keeps encoded mesh groups in a folder, in the order of the scene: so they need not fit into memory, and whoever was
// stopped goes on with what is done. The folder stays until remove(), whatever ends the process. Each array of the
// geometry is a file, and a journal has a record for each group, which a hash ties to the group's bytes: of a group
// that was not written whole there is nothing.
class EncodeStore {
  public:
    // Of the triangles that a group was encoded from.
    using SourceHash = std::array<std::uint64_t, 2>;
    [[nodiscard]] static SourceHash hash_of(const SourceMeshGroup& source);

    // Makes the folder, or goes on with what is there, if it was made with the same `key`: what groups depend on
    // besides their triangles, the program that encodes them among it. Throws Error where it can't be written, and
    // where another process does so.
    EncodeStore(std::filesystem::path folder, const std::string& key);
    // Leaves the folder where it is, unless no group is done.
    ~EncodeStore();
    EncodeStore(const EncodeStore&) = delete;
    EncodeStore& operator=(const EncodeStore&) = delete;

    // How many groups are done, the first ones of the scene.
    [[nodiscard]] std::size_t groups() const { return records_.size(); }

    // Of a group that is done, where it was encoded from the same triangles. Where it was not, it and what follows it
    // count as not done.
    [[nodiscard]] std::optional<mesh::EncodeStats> find(std::size_t group, const SourceHash& source);

    // The next group. Throws Error when it can't be written whole, or the scene has too much for one file.
    void append(const mesh::GeometryView& geometry, const mesh::EncodeStats& stats, const SourceHash& source);

    // All groups, mapped for as long as the store lives. Nothing can be appended any more.
    [[nodiscard]] mesh::GeometryView finish();

    // Removes the folder of a store that is gone, and whatever it had written there.
    static void remove(const std::filesystem::path& folder);

  private:
    // The journal has them as they lie in memory, and behind each a hash of it and of what the group appended to
    // arrays.
    struct Record {
        mesh::GeometryEnd end;
        mesh::EncodeStats stats;
        SourceHash source{};
    };
    static constexpr std::size_t kEntry = sizeof(Record) + sizeof(SourceHash);

    [[nodiscard]] std::filesystem::path path_of(const char* array) const;
    [[nodiscard]] mesh::GeometryEnd end() const { return records_.empty() ? mesh::GeometryEnd{} : records_.back().end; }
    void read_records(const std::string& head);
    [[nodiscard]] std::uint64_t journal_size() const { return head_size_ + records_.size() * kEntry; }
    [[nodiscard]] bool is_there(const Record& record, const SourceHash& hash) const;
    void open_files();

    std::filesystem::path folder_;
    std::size_t head_size_ = 0;  // of the journal
    std::vector<Record> records_;
    NewFile journal_;
    FileMark mark_;  // of the journal
    std::array<NewFile, mesh::kGeometryArrays> arrays_;
    std::vector<MappedFile> maps_;
};

}  // namespace sublet::scene
