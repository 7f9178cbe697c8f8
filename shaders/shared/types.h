// The vocabulary of the headers in this folder, which C++ and GLSL both include: every struct and constant that crosses
// the border between them is written once, here. Only types whose std430 layout equals their C++ layout are used:
// scalars, vec2/uvec2 and vec4/uvec4 (never vec3, never a matrix).
#ifndef SUBLET_SHARED_TYPES_H
#define SUBLET_SHARED_TYPES_H

#ifdef __cplusplus

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace sublet::shared {
using uint = std::uint32_t;
struct alignas(8) vec2 {
    float x, y;
};
struct alignas(8) uvec2 {
    uint x, y;
};
struct alignas(16) vec4 {
    float x, y, z, w;

    // As GLSL's vec4 where C++ compiles that: glm's.
    template <class Vector>
    requires requires(Vector v) {
        { v.w } -> std::same_as<float&>;
    } && std::constructible_from<Vector, float, float, float, float>
    constexpr operator Vector() const {  // NOLINT(google-explicit-constructor): GLSL has one type for both
        return Vector(x, y, z, w);
    }
};
struct alignas(16) uvec4 {
    uint x, y, z, w;

    constexpr uint operator[](uint i) const { return i < 2 ? (i == 0 ? x : y) : (i == 2 ? z : w); }
};
}  // namespace sublet::shared

#define SUBLET_SHARED_BEGIN namespace sublet::shared {
#define SUBLET_SHARED_END }
#define SUBLET_CONST inline constexpr
#define SUBLET_FUNCTION inline
// A parameter that a function returns something in.
#define SUBLET_OUT(type) type&
#define SUBLET_INOUT(type) type&
// Holds the C++ layout of a struct to the one that GLSL gives it under std430.
#define SUBLET_CHECK_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type " differs from its std430 layout")
#define SUBLET_CHECK_OFFSET(type, field, bytes) \
    static_assert(offsetof(type, field) == (bytes), #type "::" #field " differs from its std430 layout")

#else

#define SUBLET_SHARED_BEGIN
#define SUBLET_SHARED_END
#define SUBLET_CONST const
#define SUBLET_FUNCTION
#define SUBLET_OUT(type) out type
#define SUBLET_INOUT(type) inout type
#define SUBLET_CHECK_SIZE(type, bytes)
#define SUBLET_CHECK_OFFSET(type, field, bytes)

#endif
#endif
