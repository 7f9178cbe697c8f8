// The GPU's view of an instance.
#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_access.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "render/scene/gpu_scene.h"
#include "render/scene/materials.h"

namespace sublet::render {
namespace {

// Largest eigenvalue of a symmetric 3x3 matrix, by the trigonometric solution of its characteristic cubic (Smith 1961,
// "Eigenvalues of a symmetric 3 x 3 matrix").
double largest_eigenvalue(const glm::dmat3& a) {
    const double off = a[1][0] * a[1][0] + a[2][0] * a[2][0] + a[2][1] * a[2][1];
    if (off == 0.0) {
        return std::max({a[0][0], a[1][1], a[2][2]});
    }
    const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3.0;
    const double spread = (a[0][0] - mean) * (a[0][0] - mean) + (a[1][1] - mean) * (a[1][1] - mean) +
                          (a[2][2] - mean) * (a[2][2] - mean) + 2.0 * off;
    const double p = std::sqrt(spread / 6.0);
    const glm::dmat3 b = (a - glm::dmat3(mean)) / p;
    const double r = std::clamp(glm::determinant(b) / 2.0, -1.0, 1.0);
    return mean + 2.0 * p * std::cos(std::acos(r) / 3.0);
}

}  // namespace

shared::Instance make_instance(const scene::Instance& instance, const scene::Material& material, Facing facing) {
    shared::Instance out{};
    const glm::mat4& m = instance.transform;
    for (int row = 0; row < 3; ++row) {
        out.transform[row] = to_shared(glm::row(m, row));
    }
    out.mesh = instance.mesh;

    const glm::dmat3 linear(m);
    const glm::dmat3 gram = glm::transpose(linear) * linear;
    const double norm = std::sqrt(std::max(largest_eigenvalue(gram), 0.0));
    // Rounded up by more than the shaders' rounding of centre and radius.
    out.scale = static_cast<float>(norm * 1.000002);

    const bool mirrored = facing == Facing::kByTransform ? glm::determinant(linear) < 0.0 : facing == Facing::kMirrored;
    // A similarity: the Gram matrix is a multiple of the identity, to float's precision.
    const double square = norm * norm;
    bool similarity = square > 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            similarity = similarity && std::abs(gram[i][j] - (i == j ? square : 0.0)) <= 4e-6 * square;
        }
    }
    const bool double_sided = material.double_sided;
    out.flags = is_transmissive(material)                         ? shared::kClassTransmissive
                : material.alpha_mode == scene::AlphaMode::kBlend ? shared::kClassBlended
                : material.alpha_mode == scene::AlphaMode::kMask  ? shared::kClassMasked
                : double_sided                                    ? shared::kClassDoubleSided
                : facing == Facing::kChanges                      ? shared::kClassMasked
                : mirrored                                        ? shared::kClassClockwise
                                                                  : shared::kClassCounterClockwise;
    out.flags |= double_sided ? shared::kInstanceDoubleSided : 0U;
    out.flags |= mirrored ? shared::kInstanceMirrored : 0U;
    out.flags |= similarity ? shared::kInstanceSimilarity : 0U;
    out.flags |= !double_sided && !mirrored && similarity ? shared::kInstanceConeTest : 0U;
    out.flags |= instance.material << shared::kInstanceMaterialShift;
    return out;
}

}  // namespace sublet::render
