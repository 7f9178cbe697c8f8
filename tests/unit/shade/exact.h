// What barycentrics() is held against: the definition, solved in long double, and how far from it floats may be.
#pragma once

#include <array>

#include "triangles.h"

namespace sublet::test {

struct Exact {
    bool known = false;               // it has an area, within long double's rounding
    std::array<double, 3> weights{};  // of the corners at the pixel's centre, 1 together; not all positive outside
    std::array<double, 3> clamped{};  // what is left of them without the negative ones, 1 together
    std::array<double, 3> dx{}, dy{};
    bool before_eye = false;  // the point of the triangle's plane that the pixel's ray hits
    bool clockwise = false;   // as seen from the eye, y down

    // How far from these floats may be: bounds of the error of a weight, and of the components of dx and dy.
    double weight_error = 0.0;
    double dx_error = 0.0, dy_error = 0.0;
    // Below 1/64 the bounds above hold; below 1/8 the sign of the area is certain.
    double doubt = 0.0;
    // Of the triangle in the window, in pixels; 0 where it has a corner behind the eye.
    double length = 0.0;  // of its longest edge
    double height = 0.0;  // above that
};

// `fused`: whether fma() rounds once.
Exact solve(const Question& question, bool fused);

}  // namespace sublet::test
