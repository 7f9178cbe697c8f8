// Geometry compared to the byte.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "mesh/view.h"

namespace sublet::mesh::test {

// Of vectors or spans.
template <typename A, typename B>
bool same_bytes(const A& a, const B& b) {
    return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
}

// Each a Geometry or a GeometryView.
template <typename A, typename B>
::testing::AssertionResult same_geometry(const A& a, const B& b) {
    ::testing::AssertionResult result = ::testing::AssertionSuccess();
    const auto compare = [&](const char* name, const auto& left, const auto& right) {
        if (result && !same_bytes(left, right)) result = ::testing::AssertionFailure() << name << " differ";
    };
    for_each_array(compare, a, b);
    return result;
}

}  // namespace sublet::mesh::test
