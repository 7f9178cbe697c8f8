// The sections of a .sublet file, found by its table.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "mesh/container_format.h"
#include "mesh/mesh.h"
#include "mesh/short_bounds.h"
#include "mesh/view.h"

namespace sublet::mesh {

class Sections {
  public:
    // Checks the header and the table: after it, every section lies within the file, by itself, and has whole elements
    // of the size that its type has; all that a file must have are there. Throws Error(name, field, ...). `file` begins
    // at a multiple of 16 bytes, and outlives this.
    Sections(std::span<const std::byte> file, const std::string& name);

    [[nodiscard]] bool has(format::SectionType type) const { return by_type_.contains(type); }
    // Of a section that is there; T is what it has elements of.
    template <typename T>
    [[nodiscard]] std::span<const T> get(format::SectionType type) const {
        const std::span<const std::byte> bytes = by_type_.at(type);
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    // Of a section that may be left out: then it is empty.
    template <typename T>
    [[nodiscard]] std::span<const T> get_or_none(format::SectionType type) const {
        return has(type) ? get<T>(type) : std::span<const T>();
    }
    // The sections of geometry, for validate(). Of short bounds the long ones are put into `bounds`, which outlives
    // what is returned; with `kTables` but for what validate_groups() looks at.
    [[nodiscard]] GeometryView geometry(LongBounds& bounds, Validate what = Validate::kAll) const;
    // All, in the table's order; those of types that are not known, too.
    [[nodiscard]] const std::vector<FileSection>& all() const { return all_; }

  private:
    void check_entry(const format::SectionEntry& entry, std::size_t index);
    void check_overlaps(std::vector<format::SectionEntry> table) const;
    [[noreturn]] void fail(const std::string& field, const std::string& message) const;

    std::span<const std::byte> bytes_;
    std::string name_;
    std::map<format::SectionType, std::span<const std::byte>> by_type_;
    std::vector<FileSection> all_;
};

}  // namespace sublet::mesh
