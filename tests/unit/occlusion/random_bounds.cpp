#include "random_bounds.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace sublet::test {

using render::Projection;

double uniform(Random& random, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

double log_uniform(Random& random, double low, double high) {
    return std::exp(uniform(random, std::log(low), std::log(high)));
}

glm::dvec3 random_direction(Random& random) {
    for (;;) {
        const glm::dvec3 v(uniform(random, -1.0, 1.0), uniform(random, -1.0, 1.0), uniform(random, -1.0, 1.0));
        const double length = glm::length(v);
        if (length > 0.1 && length <= 1.0) return v / length;
    }
}

Camera random_camera(Random& random, std::uint32_t largest) {
    Camera camera;
    camera.width = static_cast<std::uint32_t>(log_uniform(random, 1.0, largest + 1.0));
    camera.height = static_cast<std::uint32_t>(log_uniform(random, 1.0, largest + 1.0));
    camera.distance = log_uniform(random, 0.1, 100.0);
    const double away = random() % 4 == 0 ? log_uniform(random, 1.0, 1e4) : uniform(random, 0.0, 10.0);
    const glm::dvec3 eye = away * random_direction(random);
    const glm::dvec3 target = eye + camera.distance * random_direction(random);
    const double near_plane = log_uniform(random, 1e-4, 1.0) * (random() % 8 == 0 ? 100.0 : 1.0);
    const Projection projection = random() % 4 == 0 ? Projection::kOrthographic : Projection::kPerspective;
    camera.view = render::make_view({.eye = glm::vec3(eye),
                                     .target = glm::vec3(target),
                                     .fov_degrees = static_cast<float>(uniform(random, 5.0, 150.0))},
                                    static_cast<float>(near_plane), projection,
                                    static_cast<float>(camera.width) / static_cast<float>(camera.height));
    return camera;
}

Bound random_bound(Random& random, const Camera& camera) {
    const render::View& view = camera.view;
    const double near_plane = view.near_plane;
    // Where it is, in view space: along the axis first.
    double size = log_uniform(random, 1e-4, 30.0);
    double z = 0.0;
    switch (random() % 6) {
        case 0:  // touching the near plane, or not quite
            z = near_plane + size * uniform(random, 0.9, 1.3);
            break;
        case 1:  // around or behind the eye
            z = size * uniform(random, -2.0, 1.0);
            break;
        case 2:  // a few pixels large
            z = near_plane + log_uniform(random, 0.1, 1000.0);
            size = z * log_uniform(random, 0.1, 30.0) / std::max(camera.width, camera.height);
            break;
        default:
            z = near_plane + size + log_uniform(random, 1e-3, 300.0);
    }
    const double reach = view.orthographic ? 1.0 / view.projection[0][0] : std::abs(z) / view.projection[0][0];
    const double reach_y = view.orthographic ? 1.0 / view.projection[1][1] : std::abs(z) / view.projection[1][1];
    const double wide = random() % 4 == 0 ? 3.0 : 1.0;
    const glm::dvec3 in_view(uniform(random, -wide, wide) * reach, uniform(random, -wide, wide) * reach_y, -z);
    const glm::dmat3 rotation = glm::transpose(glm::dmat3(view.view));
    const glm::dvec3 center = rotation * (in_view - glm::dvec3(view.view[3]));

    // An object-space box of about unit size, away from the object's origin now and then.
    const glm::dvec3 half(uniform(random, 0.01, 1.0), uniform(random, 0.01, 1.0), uniform(random, 0.01, 1.0));
    const glm::dvec3 middle = (random() % 4 == 0 ? 50.0 : 1.0) * random_direction(random);
    glm::dmat3 linear(1.0);
    for (int i = 0; i < 3; ++i) linear[i] = random_direction(random);
    if (random() % 2 == 0) {  // a rotation, mirrored or not, instead of any
        linear[1] = glm::normalize(glm::cross(linear[0], linear[1]));
        linear[2] = glm::cross(linear[0], linear[1]) * (random() % 2 == 0 ? 1.0 : -1.0);
    }
    linear *= size;
    const glm::dvec3 translation = center - linear * middle;

    Bound bound;
    double frobenius = 0.0;
    for (int i = 0; i < 3; ++i) {
        bound.transform[static_cast<std::size_t>(i)] = {
            static_cast<float>(linear[0][i]), static_cast<float>(linear[1][i]), static_cast<float>(linear[2][i]),
            static_cast<float>(translation[i])};
        for (int j = 0; j < 3; ++j) frobenius += linear[j][i] * linear[j][i];
    }
    // No less than the spectral norm; the exact one needs a decomposition that this test can do without.
    bound.scale = static_cast<float>(std::sqrt(frobenius) * (1.0 + 1e-6));
    bound.low = glm::vec3(middle - half);
    bound.high = glm::vec3(middle + half);
    bound.sphere = glm::vec4(glm::vec3(middle), static_cast<float>(uniform(random, 0.01, 1.0)));
    return bound;
}

std::vector<float> random_depths(Random& random, const Camera& camera) {
    const render::View& view = camera.view;
    const auto depth_at = [&](double z) {
        return static_cast<float>(view.orthographic ? view.projection[3][2] - view.projection[2][2] * z
                                                    : view.near_plane / z);
    };
    const double z0 = view.near_plane + log_uniform(random, 1e-3, 100.0);
    const double z1 = view.near_plane + log_uniform(random, 1e-3, 100.0);
    const std::uint32_t cell = 1U << random() % 7;
    const std::uint32_t holes = 1U << random() % 16;  // one pixel in so many shows the background
    const double noise = random() % 2 == 0 ? 0.0 : 0.2;
    std::vector<float> depths(std::size_t{camera.width} * camera.height);
    for (std::uint32_t y = 0; y < camera.height; ++y) {
        for (std::uint32_t x = 0; x < camera.width; ++x) {
            const bool odd = ((x / cell) ^ (y / cell)) % 2 != 0;
            const double z = (odd ? z0 : z1) * (1.0 + noise * uniform(random, 0.0, 1.0));
            const float depth = random() % holes == 0 && holes > 1 ? 0.0F : depth_at(z);
            depths[std::size_t{y} * camera.width + x] = std::clamp(depth, 0.0F, 1.0F);
        }
    }
    return depths;
}

}  // namespace sublet::test
