// Where a pixel's centre lies on a triangle: perspective-correct barycentric coordinates and how they change from pixel
// to pixel, from the clip positions of its corners alone. Nothing is divided by w, so nothing has to be clipped. After
// M. Olano and T. Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates", 1997.
//
// `precise` throughout: alpha masks are cut by it, which must be alike in every stage that draws.
//
// C++ compiles this too (src/base/glsl.h).

struct Barycentrics {
    vec3 weights;  // of the corners at the pixel's centre: each 0 to 1, 1 together
    vec3 dx;       // their change over one pixel to the right
    vec3 dy;       // and down
    float area;    // its sign tells which way the triangle faces: negative for counter-clockwise ones as they are seen
};

// `corners`: clip x, y and w. `pixel`: the centre in normalised device coordinates, y down. `step`: one pixel in them.
//
// Corners are taken relative to the pixel, so that a triangle that is small beside its distance loses few bits. A
// triangle without an area, and one whose weights overflow, is its first corner. A centre that lies outside, which
// happens within the rasteriser's snapping, takes the nearest weights that are not negative.
Barycentrics barycentrics(vec3 corners[3], vec2 pixel, vec2 step) {
    precise vec2 a = vec2(fma(-pixel.x, corners[0].z, corners[0].x), fma(-pixel.y, corners[0].z, corners[0].y));
    precise vec2 b = vec2(fma(-pixel.x, corners[1].z, corners[1].x), fma(-pixel.y, corners[1].z, corners[1].y));
    precise vec2 c = vec2(fma(-pixel.x, corners[2].z, corners[2].x), fma(-pixel.y, corners[2].z, corners[2].y));
    // Weights that bring the corners to the pixel's ray: their x and y add up to nothing.
    precise vec3 e = vec3(fma(b.x, c.y, -(b.y * c.x)), fma(c.x, a.y, -(c.y * a.x)), fma(a.x, b.y, -(a.y * b.x)));
    // How they change with the pixel's place, per unit.
    precise vec3 e_x = vec3(fma(b.y, corners[2].z, -(corners[1].z * c.y)), fma(c.y, corners[0].z, -(corners[2].z * a.y)),
                    fma(a.y, corners[1].z, -(corners[0].z * b.y)));
    precise vec3 e_y = vec3(fma(corners[1].z, c.x, -(b.x * corners[2].z)), fma(corners[2].z, a.x, -(c.x * corners[0].z)),
                    fma(corners[0].z, b.x, -(a.x * corners[1].z)));
    precise Barycentrics result;
    result.area = e.x + e.y + e.z;
    precise float inverse = 1.0f / result.area;
    result.weights = e * inverse;
    result.dx = (e_x - result.weights * (e_x.x + e_x.y + e_x.z)) * (inverse * step.x);
    result.dy = (e_y - result.weights * (e_y.x + e_y.y + e_y.z)) * (inverse * step.y);
    precise vec3 sum = abs(result.weights) + abs(result.dx) + abs(result.dy);
    precise float total = sum.x + sum.y + sum.z;
    if (!(total > 0.5f && total < 1e30f)) {  // infinite or no number, too; nothing where the area is infinite
        result.weights = vec3(1.0, 0.0, 0.0);
        result.dx = vec3(0.0);
        result.dy = vec3(0.0);
        return result;
    }
    result.weights = max(result.weights, vec3(0.0));
    precise float scale = 1.0f / (result.weights.x + result.weights.y + result.weights.z);
    result.weights = result.weights * scale;
    return result;
}
