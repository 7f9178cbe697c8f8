// What GLSL knows and C++ does not, over glm, so that C++ compiles shaders' own sources: tests, and what the CPU tests
// as the GPU does (cull/cpu_chain.cpp). A shader is included in a namespace within glsl, and there in one without a
// name, for its functions are not inline:
//
//     namespace sublet::glsl::tiling {
//     namespace {
//     #include "shaders/thread_group_tiling.glsl"
//     }
//     }
//
// Or in a struct, which has what the shader binds as members.
//
// Headers of shaders/shared that it includes come before. What such a source has to keep to:
//   - float literals in arithmetic end in f: C++ would calculate in double. SUBLET_GLSL_BEGIN makes that an error;
//   - no swizzles: vec2(v) for v.xy;
//   - where it is compiled with doubles too (shading_twin.h), what is added to a vector is one: v + vec3(1.0f);
//   - arrays are const parameters; out parameters are SUBLET_OUT(type), inout ones SUBLET_INOUT(type).
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/integer.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <glm/vector_relational.hpp>

// Around what is included.
#define SUBLET_GLSL_BEGIN                                                                 \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wdouble-promotion\"") \
        _Pragma("GCC diagnostic ignored \"-Wunused-function\"")
#define SUBLET_GLSL_END _Pragma("GCC diagnostic pop")

// Nothing is contracted here (cmake/SubletTargets.cmake).
#define precise  // NOLINT(readability-identifier-naming)

namespace sublet::glsl {

using uint = std::uint32_t;
using glm::ivec2;
using glm::ivec3;
using glm::uvec2;
using glm::uvec3;
using glm::vec2;
using glm::vec3;
using glm::vec4;
using std::int64_t;

using glm::abs;
using glm::all;
using glm::any;
using glm::ceil;
using glm::clamp;
using glm::dot;
using glm::findMSB;
using glm::floatBitsToInt;
using glm::floatBitsToUint;
using glm::floor;
using glm::greaterThanEqual;
using glm::length;
using glm::lessThan;
using glm::lessThanEqual;
using glm::max;
using glm::min;
using glm::pow;
using glm::sqrt;
using glm::uintBitsToFloat;

// For a device whose fma() rounds once.
namespace fused {
using std::fma;
inline vec2 fma(const vec2& a, const vec2& b, const vec2& c) {
    return {fma(a.x, b.x, c.x), fma(a.y, b.y, c.y)};
}
inline vec4 fma(const vec4& a, const vec4& b, const vec4& c) {
    return {fma(a.x, b.x, c.x), fma(a.y, b.y, c.y), fma(a.z, b.z, c.z), fma(a.w, b.w, c.w)};
}
}  // namespace fused

// For one whose fma() is a product and a sum, as it may be.
namespace unfused {
inline float fma(float a, float b, float c) {
    return a * b + c;
}
inline vec2 fma(const vec2& a, const vec2& b, const vec2& c) {
    return a * b + c;
}
inline vec4 fma(const vec4& a, const vec4& b, const vec4& c) {
    return a * b + c;
}
}  // namespace unfused

}  // namespace sublet::glsl
