#include "draw.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>

#include "lights.h"

namespace sublet::reference {
namespace {

constexpr glm::dvec3 kBackground{137.0, 170.0, 204.0};

// The range of an orthographic view's depth, in distances from eye to target.
constexpr double kOrthographicRange = 256.0;

// A device may move a vertex in the window by half a step of 1/256 pixel in x and in y, which is 0.0028 pixels. Twice
// that.
constexpr double kSnap = 1.0 / 180.0;

// The floats that place a vertex: a dozen roundings of 2^-24 of the largest number among them, for the instance's
// transform, the rounded matrix of the camera and its product. Sixteen.
constexpr double kRounding = 0x1p-20;

// Depths are interpolated by floats of the size of the triangle's greatest depth: a plane's three terms, two slopes of
// it, a division before. Sixteen roundings.
constexpr double kDepthRounding = 0x1p-20;

// From the world to homogeneous window coordinates: pixel = xy / z.
struct View {
    glm::dvec3 eye, right, above, forward;
    double near_plane, range;
    glm::dvec2 scale;   // pixels per unit of x and y, at distance 1 or, orthographic, at any
    glm::dvec2 centre;  // pixels
    bool orthographic;
};

View make_view(const Camera& camera, std::uint32_t width, std::uint32_t height) {
    View view{};
    view.eye = camera.eye;
    view.forward = glm::normalize(camera.target - camera.eye);
    view.right = glm::normalize(glm::cross(view.forward, glm::dvec3(0.0, 1.0, 0.0)));
    view.above = glm::cross(view.right, view.forward);
    view.near_plane = camera.near_plane;
    view.orthographic = camera.orthographic;
    const double distance = glm::length(camera.target - camera.eye);
    view.range = kOrthographicRange * distance;
    const double half_height =
        std::tan(camera.fov_degrees * std::numbers::pi / 360.0) * (camera.orthographic ? distance : 1.0);
    view.scale = glm::dvec2(1.0, -1.0) * (0.5 * height / half_height);  // square pixels; y points down
    view.centre = 0.5 * glm::dvec2(width, height);
    return view;
}

// A triangle as functions of a pixel (x, y, 1): dot products.
struct Projected {
    const Triangle* triangle = nullptr;
    std::array<glm::dvec3, 3> edges;  // weights of the corners times their sum; positive inside
    std::array<double, 3> lengths;    // of the edges' gradients: edge / length is a distance in pixels
    glm::dvec3 depth{0.0};
    double slope = 0.0;     // of the depth, per pixel
    double greatest = 0.0;  // depth of the triangle, within the view
    double rounding = 0.0;  // of a vertex, in the world
    bool behind = false;    // its back is seen
    bool culled = false;
    bool leaves = false;
    bool crosses_near = false;
};

Projected project(const Triangle& triangle, const Material& material, const View& view, const Drawing& drawing) {
    Projected out;
    out.triangle = &triangle;
    std::array<glm::dvec3, 3> window;
    std::array<double, 3> distances{};
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::dvec3 offset = triangle.corners[i].position - view.eye;
        distances[i] = glm::dot(offset, view.forward);
        const double w = view.orthographic ? 1.0 : distances[i];
        const glm::dvec2 xy(glm::dot(offset, view.right), glm::dot(offset, view.above));
        window[i] = glm::dvec3(xy * view.scale + view.centre * w, w);
        const glm::dvec2 pixel = glm::dvec2(window[i]) / w;
        out.crosses_near = out.crosses_near || distances[i] < view.near_plane;
        out.leaves = out.leaves || w <= 0.0 || pixel.x < 0.0 || pixel.y < 0.0 || pixel.x > drawing.width ||
                     pixel.y > drawing.height;
    }
    const double area = glm::dot(window[0], glm::cross(window[1], window[2]));
    const double sign = area < 0.0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < 3; ++i) {
        out.edges[i] = sign * glm::cross(window[(i + 1) % 3], window[(i + 2) % 3]);
        out.lengths[i] = glm::length(glm::dvec2(out.edges[i]));
    }
    // y points down, so what is counter-clockwise as seen has a negative area.
    out.behind = (area < 0.0) == triangle.mirrored;
    out.culled = out.behind && !material.double_sided;
    // Both depths are linear in the window: near / distance, and 1 - (distance - near) / range.
    for (std::size_t i = 0; i < 3; ++i) {
        const double d = view.orthographic ? 1.0 - (distances[i] - view.near_plane) / view.range : view.near_plane;
        out.depth += d / std::abs(area) * out.edges[i];
        const double at_corner = view.orthographic ? d : d / distances[i];
        out.greatest = std::max(out.greatest, distances[i] < view.near_plane ? 1.0 : at_corner);
    }
    out.slope = glm::length(glm::dvec2(out.depth));
    out.rounding = kRounding * (triangle.magnitude + glm::length(view.eye));
    return out;
}

// How far from its place in the window what has this depth may be, in pixels.
double window_slack(const Projected& triangle, const View& view, double depth) {
    const double nearness = view.orthographic ? 1.0 : std::clamp(depth, 0.0, 1.0) / view.near_plane;
    return kSnap + triangle.rounding * nearness * view.scale.x;
}

// How much a device's depth may differ: by its place, by its distance, and by interpolation.
double depth_slack(const Projected& triangle, const View& view, double depth, double slack) {
    const double distance =
        triangle.rounding * (view.orthographic ? 1.0 / view.range : depth * depth / view.near_plane);
    return triangle.slope * slack + distance + kDepthRounding * triangle.greatest;
}

struct Weights {
    std::array<double, 3> corners{};
    bool good = false;  // the triangle's plane is before the eye there
};

Weights weights_at(const Projected& triangle, const glm::dvec3& pixel) {
    Weights out;
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        out.corners[i] = glm::dot(triangle.edges[i], pixel);
        sum += out.corners[i];
    }
    out.good = sum > 0.0;
    for (double& weight : out.corners) weight /= sum;
    return out;
}

template <class Member>
auto interpolate(const Projected& triangle, const Weights& weights, Member member) {
    const std::array<Vertex, 3>& corners = triangle.triangle->corners;
    return weights.corners[0] * corners[0].*member + weights.corners[1] * corners[1].*member +
           weights.corners[2] * corners[2].*member;
}

Lookup look_up(const Projected& triangle, const glm::dvec3& pixel, const glm::dvec2& size, double slack) {
    const auto place_at = [&](int x, int y, bool& good) {
        const Weights weights = weights_at(triangle, pixel + glm::dvec3(x, y, 0.0));
        good = good && weights.good;
        return interpolate(triangle, weights, &Vertex::uv) * size;
    };
    Lookup out;
    bool good = true;
    out.place = place_at(0, 0, good);
    // The neighbours that a device may take differences with, within 2 x 2 pixels.
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            const glm::dvec2 place = place_at(x, y, good);
            out.footprint = glm::max(out.footprint, glm::abs(place - out.place));
            if (x < 1) out.longest = std::max(out.longest, glm::length(place_at(x + 1, y, good) - place));
            if (y < 1) out.longest = std::max(out.longest, glm::length(place_at(x, y + 1, good) - place));
        }
    }
    if (!good) out.longest = std::numeric_limits<double>::infinity();
    // Texture coordinates are floats, weighed like depths.
    double greatest = 0.0;
    for (const Vertex& vertex : triangle.triangle->corners) {
        greatest = std::max({greatest, std::abs(vertex.uv.x), std::abs(vertex.uv.y)});
    }
    out.slack = out.footprint * slack + kRounding * greatest * size;
    return out;
}

glm::dvec3 encode(const glm::dvec3& linear) {
    return 255.0 * glm::dvec3(srgb_encode(linear.x), srgb_encode(linear.y), srgb_encode(linear.z));
}

void shade_normal(const Projected& triangle, const glm::dvec3& pixel, Pixel& out) {
    const glm::dvec3 normal = glm::normalize(interpolate(triangle, weights_at(triangle, pixel), &Vertex::normal));
    out.low = out.high = 127.5 + 127.5 * (triangle.behind ? -normal : normal);
}

// Of the material, linear, and how its texture was looked up.
struct Color {
    Range range;
    Filter filter = Filter::kNone;
};

Color color_at(const Scene& scene, const Projected& triangle, const glm::dvec3& pixel, double slack) {
    const Material& material = scene.materials[triangle.triangle->material];
    const Weights weights = weights_at(triangle, pixel);
    const glm::dvec4 factor = material.color * interpolate(triangle, weights, &Vertex::color);
    Color out{{factor, factor}};
    if (material.texture >= 0) {
        const Texture& texture = scene.textures[static_cast<std::size_t>(material.texture)];
        const Lookup lookup = look_up(triangle, pixel, texture.size(), slack);
        const Range range = texture.sample(lookup);
        out.range = {range.low * factor, range.high * factor};
        out.filter = Texture::magnified(lookup) ? Filter::kMagnified : Filter::kMinified;
    }
    return out;
}

void shade(const Scene& scene, const Projected& triangle, const glm::dvec3& pixel, double slack, Pixel& out) {
    const Color color = color_at(scene, triangle, pixel, slack);
    out.filter = color.filter;
    out.low = encode(glm::dvec3(color.range.low));
    out.high = encode(glm::dvec3(color.range.high));
}

// Linear; w is alpha.
Range lit_color(const Scene& scene, const Projected& triangle, const glm::dvec3& pixel, double slack) {
    const Range color = color_at(scene, triangle, pixel, slack).range;
    const Weights weights = weights_at(triangle, pixel);
    const glm::dvec3 normal = glm::normalize(interpolate(triangle, weights, &Vertex::normal));
    const Lit lit = light_at(scene, *triangle.triangle, interpolate(triangle, weights, &Vertex::position),
                             triangle.behind ? -normal : normal);
    return {glm::dvec4(glm::dvec3(color.low) * lit.low / std::numbers::pi, color.low.w),
            glm::dvec4(glm::dvec3(color.high) * lit.high / std::numbers::pi, color.high.w)};
}

// A surface that blends, seen at a pixel.
struct Layer {
    const Projected* triangle;
    double depth, depth_slack, slack;
};

// What a surface that blends makes of what is behind it: by either alpha that it may have, the one or the other is
// more.
Range over(const Range& layer, const Range& behind) {
    const auto mixed = [](const glm::dvec4& color, const glm::dvec4& below, double alpha) {
        return alpha * color + (1.0 - alpha) * below;
    };
    return {glm::min(mixed(layer.low, behind.low, layer.low.w), mixed(layer.low, behind.low, layer.high.w)),
            glm::max(mixed(layer.high, behind.high, layer.low.w), mixed(layer.high, behind.high, layer.high.w))};
}

// `layers`: those in front of the surface that is not blended, the farthest first.
void shade_lit(const Scene& scene, const Layer& front, const std::vector<Layer>& layers, const glm::dvec3& pixel,
               Pixel& out) {
    Range color = lit_color(scene, *front.triangle, pixel, front.slack);
    for (const Layer& layer : layers) color = over(lit_color(scene, *layer.triangle, pixel, layer.slack), color);
    out.layers = static_cast<std::uint32_t>(layers.size());
    if (!layers.empty()) {
        out.id = layers.back().triangle->triangle->id;
        out.depth = layers.back().depth;
        out.depth_slack = layers.back().depth_slack;
    }
    out.low = encode(glm::min(glm::dvec3(color.low), 1.0));
    out.high = encode(glm::min(glm::dvec3(color.high), 1.0));
}

// What is known of a mask at a pixel. Floats multiply it: they may be off by a few roundings.
enum class Mask : std::uint8_t { kThere, kAway, kUnknown };

Mask mask_at(const Scene& scene, const Projected& triangle, const glm::dvec3& pixel, double slack) {
    const double cutoff = scene.materials[triangle.triangle->material].cutoff;
    if (cutoff == 0.0) return Mask::kThere;
    const Range range = color_at(scene, triangle, pixel, slack).range;
    if (range.low.w >= cutoff + kRounding) return Mask::kThere;
    return range.high.w < cutoff - kRounding ? Mask::kAway : Mask::kUnknown;
}

Pixel draw_pixel(const Scene& scene, const std::vector<Projected>& triangles, const View& view, const glm::dvec3& pixel,
                 What what) {
    Pixel out;
    out.low = out.high = kBackground;
    const Projected* front = nullptr;
    double front_slack = 0.0;
    double rivals = -1.0;  // the greatest depth that something else may have here
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const Projected& triangle = triangles[i];
        const double depth = glm::dot(triangle.depth, pixel);
        const double slack = window_slack(triangle, view, depth + triangle.slope * kSnap);
        double inside = std::numeric_limits<double>::infinity();  // pixels to the nearest of its edges
        for (std::size_t e = 0; e < 3; ++e) {
            inside = std::min(inside, glm::dot(triangle.edges[e], pixel) / triangle.lengths[e]);
        }
        // The planes that clip are edges as well.
        inside = std::min(inside, std::min(1.0 - depth, depth) / triangle.slope);
        if (!(inside >= -slack)) continue;
        const double bound = depth_slack(triangle, view, depth, slack);
        bool certain = inside > slack;
        if (certain && triangle.culled) continue;
        const Mask mask = mask_at(scene, triangle, pixel, slack);
        if (certain && mask == Mask::kAway) {
            out.through_mask = true;
            continue;
        }
        certain = certain && mask == Mask::kThere;
        if (certain && scene.materials[triangle.triangle->material].blends) {
            layers.push_back({&triangle, depth, bound, slack});
            continue;
        }
        if (certain && (front == nullptr || depth > out.depth)) {
            if (front != nullptr) rivals = std::max(rivals, out.depth + out.depth_slack);
            front = &triangle;
            front_slack = slack;
            out.triangle = static_cast<std::int32_t>(i);
            out.depth = depth;
            out.depth_slack = bound;
        } else {
            rivals = std::max(rivals, depth + bound);
        }
    }
    std::erase_if(layers, [&](const Layer& layer) { return layer.depth + layer.depth_slack < out.depth; });
    std::ranges::sort(layers, {}, &Layer::depth);
    double behind = out.depth + out.depth_slack;
    for (const Layer& layer : layers) {
        if (layer.depth - layer.depth_slack <= behind) out.sure = false;
        behind = layer.depth + layer.depth_slack;
    }
    // What blends over nothing is not judged.
    if (rivals >= out.depth - out.depth_slack || (front == nullptr && !layers.empty())) out.sure = false;
    if (out.sure && front != nullptr) {
        out.id = front->triangle->id;
        out.from_behind = front->behind;
        if (what == What::kNormals) {
            shade_normal(*front, pixel, out);
        } else if (what == What::kLit) {
            shade_lit(scene, {front, out.depth, out.depth_slack, front_slack}, layers, pixel, out);
        } else {
            shade(scene, *front, pixel, front_slack, out);
        }
    }
    return out;
}

}  // namespace

Drawing draw(const Scene& scene, const Camera& camera, std::uint32_t width, std::uint32_t height, What what) {
    Drawing out;
    out.width = width;
    out.height = height;
    const View view = make_view(camera, width, height);
    std::vector<Projected> triangles;
    triangles.reserve(scene.triangles.size());
    for (const Triangle& triangle : scene.triangles) {
        triangles.push_back(project(triangle, scene.materials[triangle.material], view, out));
    }
    out.leaves.resize(triangles.size());
    out.crosses_near.resize(triangles.size());
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const Pixel pixel = draw_pixel(scene, triangles, view, {x + 0.5, y + 0.5, 1.0}, what);
            if (pixel.sure && pixel.triangle >= 0) {
                const auto i = static_cast<std::size_t>(pixel.triangle);
                out.leaves[i] = triangles[i].leaves;
                out.crosses_near[i] = triangles[i].crosses_near;
            }
            out.pixels.push_back(pixel);
        }
    }
    return out;
}

}  // namespace sublet::reference
