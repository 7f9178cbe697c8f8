#include "scene/gltf/accessor.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace sublet::scene::gltf {
namespace {

std::size_t component_size(int type) {
    if (type == TINYGLTF_COMPONENT_TYPE_BYTE || type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE) return 1;
    if (type == TINYGLTF_COMPONENT_TYPE_SHORT || type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT) return 2;
    return type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT || type == TINYGLTF_COMPONENT_TYPE_FLOAT ? 4 : 0;
}

int component_count(int type) {
    // No vertex attribute or matrix that the import reads is a MAT2 or MAT3.
    if (type == TINYGLTF_TYPE_MAT2 || type == TINYGLTF_TYPE_MAT3) return 0;
    return std::max(tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(type)), 0);
}

template <typename T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

float component_as_float(const std::byte* from, int type, bool normalized) {
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_BYTE: {
            const auto value = static_cast<float>(load<std::int8_t>(from));
            return normalized ? std::max(value / 127.0F, -1.0F) : value;
        }
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: {
            const auto value = static_cast<float>(load<std::uint8_t>(from));
            return normalized ? value / 255.0F : value;
        }
        case TINYGLTF_COMPONENT_TYPE_SHORT: {
            const auto value = static_cast<float>(load<std::int16_t>(from));
            return normalized ? std::max(value / 32767.0F, -1.0F) : value;
        }
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: {
            const auto value = static_cast<float>(load<std::uint16_t>(from));
            return normalized ? value / 65535.0F : value;
        }
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
            return static_cast<float>(load<std::uint32_t>(from));
        default:
            return load<float>(from);
    }
}

std::uint32_t component_as_integer(const std::byte* from, int type) {
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
            return load<std::uint8_t>(from);
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
            return load<std::uint16_t>(from);
        default:
            return load<std::uint32_t>(from);
    }
}

// `count` elements of `size` bytes, `stride` apart, from `offset`, all within `bytes`?
bool fits(std::size_t bytes, std::size_t offset, std::size_t count, std::size_t stride, std::size_t size) {
    if (count == 0) return true;
    if (offset > bytes || size > bytes - offset) return false;
    return (count - 1) <= (bytes - offset - size) / stride;
}

void check_unsigned(const Document& document, int type, const std::string& field) {
    if (type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE || type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT) return;
    if (type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT) return;
    document.fail(field + ".componentType", "is " + std::to_string(type) + ", not an unsigned integer type");
}

void open_sparse(Document& document, const tinygltf::Accessor& accessor, AccessorView& view) {
    const tinygltf::Accessor::Sparse& sparse = accessor.sparse;
    const std::string field = view.field() + ".sparse";
    const auto count = static_cast<std::size_t>(sparse.count);
    if (sparse.count < 0 || count > view.count) {
        document.fail(field + ".count", "is " + std::to_string(sparse.count) + ", but the accessor has " +
                                            std::to_string(view.count) + " elements");
    }
    const int type = sparse.indices.componentType;
    check_unsigned(document, type, field + ".indices");
    const std::span<const std::byte> indices = document.buffer_view(sparse.indices.bufferView);
    const std::span<const std::byte> values = document.buffer_view(sparse.values.bufferView);
    const std::size_t index_size = component_size(type);
    if (!fits(indices.size(), sparse.indices.byteOffset, count, index_size, index_size)) {
        document.fail(field + ".indices", "has " + std::to_string(count) +
                                              " elements, which leave the buffer view of " +
                                              std::to_string(indices.size()) + " bytes");
    }
    if (!fits(values.size(), sparse.values.byteOffset, count, view.element_size(), view.element_size())) {
        document.fail(field + ".values", "has " + std::to_string(count) + " elements, which leave the buffer view of " +
                                             std::to_string(values.size()) + " bytes");
    }
    view.sparse_at.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t at = component_as_integer(
            indices.data() + static_cast<std::size_t>(sparse.indices.byteOffset) + i * index_size, type);
        if (at >= view.count) {
            document.fail(field + ".indices", "element " + std::to_string(i) + " is " + std::to_string(at) +
                                                  ", but the accessor has " + std::to_string(view.count) + " elements");
        }
        if (i > 0 && at <= view.sparse_at.back()) {
            document.fail(field + ".indices", "element " + std::to_string(i) + " does not ascend");
        }
        view.sparse_at.push_back(at);
    }
    if (count > 0) view.sparse_values = values.data() + sparse.values.byteOffset;
}

// Calls visit(output position, pointer to the element or null for zeros) for every selected element.
template <typename Visit>
void for_each_element(const AccessorView& accessor, const Selection& selection, std::size_t element_size, Visit visit) {
    const std::size_t count = selection.count(accessor.count);
    std::size_t sparse = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = selection.all ? i : selection.elements[i];
        const std::byte* from = accessor.data == nullptr ? nullptr : accessor.data + at * accessor.stride;
        while (sparse < accessor.sparse_at.size() && accessor.sparse_at[sparse] < at) ++sparse;
        if (sparse < accessor.sparse_at.size() && accessor.sparse_at[sparse] == at) {
            from = accessor.sparse_values + sparse * element_size;
        }
        visit(i, from);
    }
}

}  // namespace

std::size_t AccessorView::element_size() const {
    return component_size(component_type) * static_cast<std::size_t>(components);
}

AccessorView describe_accessor(const Document& document, int index) {
    const tinygltf::Accessor& accessor = document.model().accessors[static_cast<std::size_t>(index)];
    AccessorView view;
    view.index = index;
    view.count = accessor.count;
    view.components = component_count(accessor.type);
    view.component_type = accessor.componentType;
    view.normalized = accessor.normalized;
    if (component_size(accessor.componentType) == 0) {
        document.fail(view.field() + ".componentType",
                      "is " + std::to_string(accessor.componentType) + "; glTF has 5120 to 5123, 5125 and 5126");
    }
    if (view.components == 0) document.fail(view.field() + ".type", "must be a scalar, a vector or a MAT4 here");
    if (view.count > std::numeric_limits<std::uint32_t>::max()) {
        document.fail(view.field() + ".count", "is " + std::to_string(view.count) + ", more than 32-bit indices reach");
    }
    return view;
}

AccessorView open_accessor(Document& document, int index, std::optional<std::span<const std::byte>> packed) {
    const tinygltf::Accessor& accessor = document.model().accessors[static_cast<std::size_t>(index)];
    AccessorView view = describe_accessor(document, index);
    const std::size_t element_size = view.element_size();
    if (packed) {
        view.count = packed->size() / element_size;
        view.stride = element_size;
        if (view.count > 0) view.data = packed->data();
    } else if (accessor.bufferView >= 0) {
        const std::span<const std::byte> bytes = document.buffer_view(accessor.bufferView);
        view.stride = document.stride(accessor.bufferView);
        if (view.stride == 0) view.stride = element_size;
        if (view.stride < element_size) {
            document.fail("bufferViews[" + std::to_string(accessor.bufferView) + "].byteStride",
                          "is " + std::to_string(view.stride) + ", less than an element of " + view.field() + " (" +
                              std::to_string(element_size) + " bytes)");
        }
        if (!fits(bytes.size(), accessor.byteOffset, view.count, view.stride, element_size)) {
            document.fail(view.field(), std::to_string(view.count) + " elements of " + std::to_string(element_size) +
                                            " bytes at offset " + std::to_string(accessor.byteOffset) + ", stride " +
                                            std::to_string(view.stride) + ", leave bufferViews[" +
                                            std::to_string(accessor.bufferView) + "] of " +
                                            std::to_string(bytes.size()) + " bytes");
        }
        if (view.count > 0) view.data = bytes.data() + accessor.byteOffset;
    } else if (view.count > document.bytes_read()) {
        // All zeros: nothing in the file backs the count, so the file's own size is its limit.
        document.fail(view.field() + ".count",
                      "is " + std::to_string(view.count) + " without a bufferView, more than the file has bytes");
    }
    if (accessor.sparse.isSparse) open_sparse(document, accessor, view);
    return view;
}

void read_floats(const AccessorView& accessor, int components, const Selection& selection, float fill, float* output) {
    const std::size_t size = component_size(accessor.component_type);
    const auto wanted = static_cast<std::size_t>(components);
    const auto present = static_cast<std::size_t>(std::min(components, accessor.components));
    const std::size_t element_size = size * static_cast<std::size_t>(accessor.components);
    const bool plain = accessor.component_type == TINYGLTF_COMPONENT_TYPE_FLOAT;
    for_each_element(accessor, selection, element_size, [&](std::size_t i, const std::byte* from) {
        float* const to = output + i * wanted;
        std::fill(to + present, to + wanted, fill);
        if (from == nullptr) {
            std::fill_n(to, present, 0.0F);
        } else if (plain) {
            std::memcpy(to, from, present * sizeof(float));
        } else {
            for (std::size_t c = 0; c < present; ++c) {
                to[c] = component_as_float(from + c * size, accessor.component_type, accessor.normalized);
            }
        }
    });
}

std::vector<std::uint32_t> read_integers(Document& document, const AccessorView& accessor, const Selection& selection) {
    const int type = accessor.component_type;
    check_unsigned(document, type, accessor.field());
    const std::size_t size = component_size(type);
    const auto components = static_cast<std::size_t>(accessor.components);
    std::vector<std::uint32_t> result(selection.count(accessor.count) * components, 0);
    for_each_element(accessor, selection, size * components, [&](std::size_t i, const std::byte* from) {
        if (from == nullptr) return;
        for (std::size_t c = 0; c < components; ++c) {
            result[i * components + c] = component_as_integer(from + c * size, type);
        }
    });
    return result;
}

}  // namespace sublet::scene::gltf
