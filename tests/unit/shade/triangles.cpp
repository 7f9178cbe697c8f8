#include "triangles.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <numbers>
#include <utility>

namespace sublet::test {

namespace {

constexpr glm::vec2 kSize(1920.0F, 1080.0F);

}  // namespace

const char* family_name(Family family) {
    constexpr std::array<const char*, kFamilies> kNames{"ordinary", "near",         "sliver", "tiny",
                                                        "huge",     "just outside", "edge-on"};
    return kNames[static_cast<std::size_t>(family)];
}

double TriangleMaker::uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
}

double TriangleMaker::log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
}

glm::dvec2 TriangleMaker::offset(double low, double high) {
    const double angle = uniform(0.0, 2.0 * std::numbers::pi);
    return log_uniform(low, high) * glm::dvec2(std::cos(angle), std::sin(angle));
}

Question TriangleMaker::make(Family family) {
    Question out;
    out.step = 2.0F / kSize;
    const glm::vec2 pixel(std::floor(uniform(0.0, kSize.x)), std::floor(uniform(0.0, kSize.y)));
    out.pixel = glm::vec2(std::fma(pixel.x + 0.5F, out.step.x, -1.0F), std::fma(pixel.y + 0.5F, out.step.y, -1.0F));

    const double low = family == Family::kTiny ? 1e-3 : family == Family::kHuge ? 1e3 : 1.0;
    const double high = family == Family::kTiny ? 0.5 : family == Family::kHuge ? 1e6 : 300.0;
    const glm::dvec2 a = offset(low, high);
    glm::dvec2 b = offset(low, high);
    if (family == Family::kSliver || family == Family::kEdgeOn) {
        const double height = family == Family::kSliver ? log_uniform(1e-5, 1e-2) : 0.0;
        b = -uniform(0.1, 1.0) * a + height * glm::dvec2(-a.y, a.x);
    }
    // Of the corners, in the window for all but kNear, which has no window coordinates.
    glm::dvec3 weights(uniform(0.02, 1.0), uniform(0.02, 1.0), uniform(0.02, 1.0));
    if (family == Family::kJustOutside) weights[static_cast<int>(engine_() % 3)] = -log_uniform(1e-7, 1e-2);
    weights /= weights.x + weights.y + weights.z;

    const glm::dvec2 center(out.pixel);
    const auto corner = [&](const glm::dvec2& from_center, double w) {
        return glm::dvec3((center + from_center * glm::dvec2(out.step)) * w, w);
    };
    std::array<glm::dvec3, 3> corners;
    if (family == Family::kNear) {
        corners[0] = corner(a, -log_uniform(0.05, 100.0));
        corners[1] = corner(b, log_uniform(0.05, 100.0) * (engine_() % 2 == 0 ? 1.0 : -1.0));
        const glm::dvec3 seen = corner(glm::dvec2(0.0), log_uniform(0.05, 100.0));
        corners[2] = (seen - weights.x * corners[0] - weights.y * corners[1]) / weights.z;
    } else {
        const glm::dvec2 c = -(weights.x * a + weights.y * b) / weights.z;
        corners = {corner(a, log_uniform(0.05, 2000.0)), corner(b, log_uniform(0.05, 2000.0)),
                   corner(c, log_uniform(0.05, 2000.0))};
    }
    for (std::size_t i = 0; i < 3; ++i) out.corners[i] = glm::vec3(corners[i]);
    // Start anywhere, wind either way.
    std::rotate(out.corners.begin(), out.corners.begin() + static_cast<std::ptrdiff_t>(engine_() % 3),
                out.corners.end());
    if (engine_() % 2 == 0) std::swap(out.corners[1], out.corners[2]);
    return out;
}

float TriangleMaker::wild() {
    using Limits = std::numeric_limits<float>;
    constexpr std::array kChosen{0.0F,
                                 -0.0F,
                                 1.0F,
                                 -1.0F,
                                 Limits::min(),
                                 Limits::denorm_min(),
                                 Limits::max(),
                                 -Limits::max(),
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 Limits::quiet_NaN()};
    if (engine_() % 4 == 0) return kChosen[engine_() % kChosen.size()];
    return static_cast<float>((engine_() % 2 == 0 ? 1.0 : -1.0) * log_uniform(1e-44, 3e38));
}

Question TriangleMaker::make_wild() {
    Question out;
    out.step = 2.0F / kSize;
    out.pixel = {static_cast<float>(uniform(-1.0, 1.0)), static_cast<float>(uniform(-1.0, 1.0))};
    const float scale = engine_() % 2 == 0 ? wild() : 0.0F;
    for (glm::vec3& corner : out.corners) {
        // Some of one magnitude, so that nothing is negligible.
        for (int i = 0; i < 3; ++i) {
            corner[i] = scale != 0.0F ? scale * static_cast<float>(uniform(-1.0, 1.0)) : wild();
        }
    }
    if (engine_() % 8 == 0) out.corners[2] = out.corners[engine_() % 2];
    return out;
}

}  // namespace sublet::test
