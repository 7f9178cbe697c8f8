// Accessors read as plain arrays, whatever their component type, stride, normalisation or sparseness.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scene/gltf/document.h"

namespace sublet::scene::gltf {

// One accessor, checked: every element lies within its buffer view.
struct AccessorView {
    int index = -1;  // in the document
    std::size_t count = 0;
    int components = 0;                    // 1 to 4, or 16 for MAT4
    int component_type = 0;                // glTF's enumerant
    bool normalized = false;               // integers stand for [0, 1] or [-1, 1]
    const std::byte* data = nullptr;       // null: all elements are zero
    std::size_t stride = 0;                // bytes
    std::vector<std::uint32_t> sparse_at;  // elements that sparse values replace, ascending
    const std::byte* sparse_values = nullptr;

    // Bytes of an element.
    [[nodiscard]] std::size_t element_size() const;
    [[nodiscard]] std::string field() const { return "accessors[" + std::to_string(index) + "]"; }
};

// What the accessor says of itself; its elements are not there. Throws Error naming the accessor when its type is not
// known, or when its count is beyond 32 bits.
[[nodiscard]] AccessorView describe_accessor(const Document& document, int index);

// Throws Error as well when the accessor leaves its buffer view, or when its count is out of all proportion to the
// file. `packed`: elements side by side, any number, that are read in the place of the buffer view's; they must outlive
// the view.
[[nodiscard]] AccessorView open_accessor(Document& document, int index,
                                         std::optional<std::span<const std::byte>> packed = std::nullopt);

// Which elements of an accessor are wanted: all of them, or those listed, ascending.
struct Selection {
    bool all = true;
    std::span<const std::uint32_t> elements;

    [[nodiscard]] std::size_t count(std::size_t of) const { return all ? of : elements.size(); }
};

// Elements as floats, `components` for each (fewer in the accessor: the rest is `fill`; more: left out). Integers
// become floats by glTF 2.0, 3.6.2.2 when normalised, by value otherwise. `output` has room for `components` floats for
// each selected element.
void read_floats(const AccessorView& accessor, int components, const Selection& selection, float fill, float* output);

// Elements of an unsigned integer accessor. Throws Error when its components are floats or signed.
[[nodiscard]] std::vector<std::uint32_t> read_integers(Document& document, const AccessorView& accessor,
                                                       const Selection& selection = {});

// As read_floats, in arrays of N.
template <std::size_t N>
[[nodiscard]] std::vector<std::array<float, N>> read_vectors(const AccessorView& accessor,
                                                             const Selection& selection = {}, float fill = 0.0F) {
    std::vector<std::array<float, N>> result(selection.count(accessor.count));
    if (!result.empty()) read_floats(accessor, N, selection, fill, result.front().data());
    return result;
}

}  // namespace sublet::scene::gltf
