#include "compare.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sublet::reference {
namespace {

// 255ths of an encoded colour: a device's exponential, its normals of single precision, and the rounding to a byte.
constexpr double kColorSlack = 2.0;

}  // namespace

Report compare(const Drawing& drawing, const render::Picture& picture) {
    Report out;
    for (std::size_t i = 0; i < drawing.pixels.size(); ++i) {
        const Pixel& pixel = drawing.pixels[i];
        if (!pixel.sure) continue;
        ++out.sure;
        out.covered += pixel.triangle >= 0 ? 1 : 0;
        const double off = std::abs(static_cast<double>(picture.depth[i]) - pixel.depth);
        const bool wrong_depth = !(off <= pixel.depth_slack);
        if (pixel.depth_slack > 0.0) out.worst_depth = std::max(out.worst_depth, off / pixel.depth_slack);
        double out_of_range = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double value = picture.rgba[i * 4 + static_cast<std::size_t>(c)];
            out_of_range = std::max({out_of_range, pixel.low[c] - value, value - pixel.high[c]});
        }
        const bool wrong_color = !(out_of_range <= kColorSlack);
        out.worst_color = std::max(out.worst_color, out_of_range);
        out.wrong_depth += wrong_depth ? 1 : 0;
        out.wrong_color += wrong_color ? 1 : 0;
        const bool wrong_id = pixel.triangle >= 0 && picture.ids[i] != pixel.id;
        out.wrong_id += wrong_id ? 1 : 0;
        if ((wrong_depth || wrong_color || wrong_id) && out.first.empty()) {
            std::ostringstream text;
            text << "pixel " << i % drawing.width << ", " << i / drawing.width << ", triangle " << pixel.triangle
                 << ": id " << picture.ids[i] << ", not " << pixel.id << "; depth " << picture.depth[i] << ", not "
                 << pixel.depth << " +- " << pixel.depth_slack << "; colour";
            for (std::size_t c = 0; c < 3; ++c) text << ' ' << static_cast<int>(picture.rgba[i * 4 + c]);
            text << ", not";
            for (int c = 0; c < 3; ++c) text << ' ' << pixel.low[c] << " to " << pixel.high[c];
            out.first = text.str();
        }
    }
    return out;
}

}  // namespace sublet::reference
